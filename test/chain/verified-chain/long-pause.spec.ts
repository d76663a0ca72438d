import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type BlockJson, editBlocks, forge, FOREIGN_KEY } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
const MISSED = 4_000;

/** The service is cut off from its node while orders are open, and comes back to a chain that is 4,000 blocks longer. */
describe('guarantee 5: after 4,000 missed blocks', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      witnesses: 27,
      env: { ANSWER_TIMEOUT: '1s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller();
    await world.control('block', { count: 40 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });

  it('new orders are answered within a block, and the backlog settles meanwhile', async () => {
    await until('the follower there', async () => (await place()).status === 200);
    // Two that land in the first missed block, and two that never do.
    const landing = [await place(), await place()];
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 1_000 });
    const lost = [await place(), await place()];
    await world.control('fault', { route: BROADCAST, kind: 'none' });
    await proxy.refuse();
    await world.control('block');
    for (let made = 0; made < MISSED; made += 200) {
      await world.control('clock', { ms: 200 * 3_000 });
      await world.control('block', { count: 200 });
    }
    proxy.calls.length = 0;
    await proxy.listen();

    // Not by settling the backlog first: the headers of the head, and the blocks that the old orders could be in.
    let answered = await place();
    await until('an order accepted', async () => answered.status === 200 || ((answered = await place()) && false));
    await world.control('block');
    await world.untilState(answered.headers.get('x-delegation-id')!, 'included');
    const read = proxy.calls.filter(({ route }) => route.startsWith('wallet/getblock'));
    const ranges = read.filter(({ route }) => route.endsWith('getblockbylimitnext'));
    expect(read.length).toBeLessThan(150);
    const blocks = ranges.reduce((sum, { body }) => sum + Number(body['endNum']) - Number(body['startNum']), 0);
    expect(blocks).toBeLessThan(MISSED / 4);

    await world.control('block', { count: 25 });
    for (const { headers } of landing)
      await world.untilState(headers.get('x-delegation-id')!, 'delegated', 'reclaiming', 'reclaimed');
    for (const { headers } of lost) await world.untilState(headers.get('x-delegation-id')!, 'failed');
    await until('reclaimed', async () => {
      await world.control('block');
      return (
        (
          await world.query(
            `select 1 from delegations where state in ('reclaiming', 'taking_back', 'sent', 'included')`,
          )
        ).length === 0
      );
    });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('blocks of the pause that no witness has signed bury no order, although each follows the one before', async () => {
    const { headers } = await place();
    await proxy.refuse();
    await world.control('block');
    for (let made = 0; made < 400; made += 200) {
      await world.control('clock', { ms: 200 * 3_000 });
      await world.control('block', { count: 200 });
    }
    const head = (await world.node('wallet/getblock')) as unknown as BlockJson;
    const invented = new Map<number, string>();
    let lies = 0;
    proxy.after = ({ route }, answer) =>
      route.endsWith('getblockbylimitnext')
        ? editBlocks(answer, (block) => {
            const { number } = block.block_header.raw_data;
            // Those near the head are left as they are: they lead to it.
            if (number > head.block_header.raw_data.number - 150) return block;
            const parent = invented.get(number - 1);
            const parentHash = parent === undefined ? {} : { parentHash: Buffer.from(parent, 'hex') };
            const header = { txTrieRoot: Buffer.alloc(32), ...parentHash };
            const lie = forge(block, { header, transactions: [], key: FOREIGN_KEY });
            invented.set(number, lie.blockID);
            lies++;
            return lie;
          })
        : answer;
    await proxy.listen();
    await until('the lies told', () => Promise.resolve(lies > 60));
    await world.control('block', { count: 3 });
    const told = lies;
    await until('more of them', () => Promise.resolve(lies > told));
    expect((await world.show(headers.get('x-delegation-id')!))!.state).not.toMatch(/failed/);
    proxy.after = (_call, answer) => answer;
    await until('settled', async () => {
      await world.control('block');
      return (await world.show(headers.get('x-delegation-id')!))!.state.startsWith('del');
    });
  });
});
