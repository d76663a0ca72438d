import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { Clock } from '../../../../src/common/clock';
import { nodeFaults, type NodeFault } from '../../../../src/common/telemetry-channels';
import { type BlockJson, editBlocks } from '../../../support/forged-blocks';
import { NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';
import { SettableClock } from '../../../support/movable-clock';
import { until } from '../../../support/until';

const SOLID = 'walletsolidity/getblock';

/** The same block said to be of another height, and its id as well. */
function said(block: BlockJson, number: number, id = block.blockID): BlockJson {
  const { raw_data: raw } = block.block_header;
  const blockID = number.toString(16).padStart(16, '0') + id.slice(16);
  return { ...block, blockID, block_header: { ...block.block_header, raw_data: { ...raw, number } } };
}
function earlier(block: BlockJson): BlockJson {
  const { raw_data: raw } = block.block_header;
  const timestamp = raw.timestamp - 3_600_000;
  return { ...block, block_header: { ...block.block_header, raw_data: { ...raw, timestamp } } };
}
/** With the faults that are counted of a node that shows it. */
const LIES: [string, (block: BlockJson) => BlockJson, string[]][] = [
  ['above the head', (block) => said(block, block.block_header.raw_data.number + 200), ['walletsolidity']],
  ['of another branch', (block) => said(block, block.block_header.raw_data.number, '7'.repeat(64)), ['walletsolidity']],
  ['of long ago', (block) => said(block, 1), ['walletsolidity']],
  ['of long ago, as of a node that catches up', (block) => earlier(said(block, 1)), []],
];

describe.each([1, 2])('a reading of the first of %i nodes', (count) => {
  const clock = new SettableClock();
  const faults: NodeFault[] = [];
  const note = (fault: unknown) => faults.push(fault as NodeFault);
  let world: OrderWorld;
  let first: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    nodeFaults.subscribe(note);
    world = await OrderWorld.open({
      block: 'manual',
      env: { DELEGATION_ANSWER: 'accepted' },
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        const own = await (first = new NodeProxy(url)).open();
        return count === 1 ? own : `${own},${url}`;
      },
    });
    caller = await world.caller({ balance: 10_000 });
    await world.control('block', { count: 150 });
    await until('it is read', async () => {
      await world.tryToReadWallets();
      return (await blockOf()) > 100;
    });
  });
  afterAll(async () => {
    nodeFaults.unsubscribe(note);
    await world.close();
    await first.close();
  });

  const blockOf = async () =>
    Number((await world.query(`select observed_block from pool_wallets where name = 'pool'`))[0]!['observed_block']);
  const order = async () => {
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    return `${answer.status} ${answer.headers.get('x-error-code')}`;
  };
  const solid = async () => {
    const { block_header: header } = (await world.node(SOLID, { detail: false })) as unknown as BlockJson;
    return header.raw_data.number;
  };

  // Where there is another, a node that catches up is out of use before it is read.
  it.each(count === 1 ? LIES : LIES.slice(0, -1))('is not stored under a block %s', async (which, lie, counted) => {
    first.after = (call, answer) => (call.route === SOLID ? editBlocks(answer, lie) : answer);
    // A head that was asked for a second ago is not asked for again.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await world.control('block', { count: 3 });
    const before = await blockOf();
    faults.length = 0;
    const looks = jest.spyOn(world.app.app.get(VerifiedChain), 'lookShortly');
    const read = async () => {
      clock.advance(61_000);
      await world.tryToReadWallets();
    };
    await until('it is asked for', async () => (await read(), first.count(SOLID) > 0));
    expect([...new Set(faults.map(({ kind }) => kind))]).toEqual(counted);
    // One that cannot be on its way to the nodes is not looked for.
    if (which === 'above the head') expect(looks).not.toHaveBeenCalled();
    looks.mockRestore();
    if (count === 1) {
      await read();
      expect(await blockOf()).toBe(before);
      clock.advance(121_000);
      expect(await order()).toBe('500 NODE_UNAVAILABLE');
    } else {
      await until('the second is asked', async () => (await read(), (await blockOf()) === (await solid())));
      expect(await order()).toBe('200 null');
    }
    first.after = (_call, answer) => answer;
    first.calls.length = 0;
    clock.advance(61_000);
  });
});
