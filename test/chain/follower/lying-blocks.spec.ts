import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

interface BlockJson {
  blockID?: string;
  block_header?: { raw_data: { number?: number; timestamp?: number } & Record<string, unknown> };
  transactions?: { txID?: string }[];
}

/** Changes each block of an answer, one or a range. */
function editBlocks(answer: string, edit: (block: BlockJson) => void): string {
  const json = JSON.parse(answer) as BlockJson & { block?: BlockJson[] };
  const blocks = json.block ?? (json.blockID === undefined ? [] : [json]);
  for (const block of blocks) edit(block);
  return JSON.stringify(json);
}

const isSolidBlock = ({ route }: NodeCall) => route.startsWith('walletsolidity/getblockby');
const isBlock = ({ route }: NodeCall) => /\/getblock(by.*)?$/.test(route);

describe('a node that shows a wrong block', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeEach(async () => {
    world = await OrderWorld.open({
      block: 200,
      solidLag: 15,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
  });
  afterEach(async () => {
    await world.close();
    await proxy.close();
  });

  async function place(count = 3): Promise<string[]> {
    const callers = await Promise.all(Array.from({ length: count }, () => world.caller()));
    const answers = await Promise.all(
      callers.map(async (caller) => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    return answers.map(({ headers }) => headers.get('x-delegation-id')!);
  }

  /** Lies about one block, for as many of its readings. */
  function lieAbout(choose: (block: BlockJson) => boolean, lie: (block: BlockJson) => void, readings: number) {
    const lies = { readings: 0 };
    let height: number | undefined;
    proxy.after = (call, answer) =>
      isSolidBlock(call)
        ? editBlocks(answer, (block) => {
            const number = block.block_header!.raw_data.number ?? 0;
            if (
              number === 0 ||
              lies.readings >= readings ||
              !(height === undefined ? choose(block) : height === number)
            )
              return;
            height = number;
            lies.readings++;
            lie(block);
          })
        : answer;
    return lies;
  }

  const later = (ms: number) => (block: BlockJson) => {
    block.block_header!.raw_data.timestamp! += ms;
  };
  const isEmpty = (block: BlockJson) => !block.transactions;
  const isFull = (block: BlockJson) => (block.transactions?.length ?? 0) > 0;

  it('takes no order for dead by a block of a wrong time', async () => {
    const lies = lieAbout(isEmpty, later(120_000), 6);
    const ids = await place();
    await until('all lies read', async () => lies.readings === 6);
    await untilSettled(world.app.sql);
    for (const id of ids) expect(await world.show(id)).toMatchObject({ state: 'delegated' });
    await expectChainTruth(world);
  });

  it.each([
    ['too late', later(365 * 86_400_000)],
    ['left out', (block: BlockJson) => void delete block.block_header!.raw_data.timestamp],
    ['of another type', (block: BlockJson) => Object.assign(block.block_header!.raw_data, { timestamp: '1' })],
  ])('counts the hour of an order from the time that its block has, not from one that is %s', async (_name, lie) => {
    const lies = lieAbout(isFull, lie, 3);
    const [id] = await place(1);
    const view = await world.untilState(id!, 'delegated');
    expect(lies.readings).toBe(3);
    const [row] = await world.query(`select block_number from chain_transactions where delegation_id = $1`, [id]);
    const num = Number(row!['block_number']);
    const block = (await world.node('wallet/getblockbynum', { num })) as BlockJson;
    const timeMs = block.block_header!.raw_data.timestamp!;
    expect(Date.parse(view.delegated_at!)).toBe(timeMs);
    expect(Date.parse(view.reclaim_due_at!)).toBe(timeMs + 3_600_000);
  });

  describe('without its transactions', () => {
    it.each([
      ['none of them', (block: BlockJson) => void delete block.transactions],
      ['an empty list', (block: BlockJson) => Object.assign(block, { transactions: [] })],
      ['no txids', (block: BlockJson) => block.transactions!.forEach((entry) => delete entry.txID)],
      ['other txids', (block: BlockJson) => block.transactions!.forEach((entry) => (entry.txID = 'ab'.repeat(32)))],
    ])('buries no order whose block it was: %s', async (_name, lie) => {
      let lying = true;
      proxy.after = (call, answer) =>
        lying && isSolidBlock(call) ? editBlocks(answer, (block) => (isFull(block) ? lie(block) : undefined)) : answer;
      const ids = await place();
      const landed = async () => (await Promise.all(ids.map((id) => world.show(id)))).map((view) => view!.state);
      await until('all in a block', async () => (await landed()).every((state) => state === 'included'));
      // Past the expiration: only blocks can prove anything now.
      await world.control('clock', { ms: 61_000 });
      await world.control('block', { count: 20 });
      const asked = proxy.calls.length;
      const readings = () => proxy.calls.slice(asked).filter(isSolidBlock).length;
      await until('the solid blocks read', async () => readings() >= 6);
      expect(await landed()).toEqual(['included', 'included', 'included']);
      lying = false;
      await untilSettled(world.app.sql);
      expect(await landed()).toEqual(['delegated', 'delegated', 'delegated']);
      await expectChainTruth(world);
    });

    it('settles an order by the txid, however its letters are written', async () => {
      proxy.after = (call, answer) =>
        isBlock(call)
          ? editBlocks(answer, (block) =>
              block.transactions?.forEach((entry) => (entry.txID = entry.txID!.toUpperCase())),
            )
          : answer;
      const [id] = await place(1);
      await world.untilState(id!, 'delegated');
    });
  });

  describe('in headers with a field that nobody knows yet', () => {
    const strange = (block: BlockJson) => Object.assign(block.block_header!.raw_data, { stateRootV2: 'ab'.repeat(32) });

    it('goes on, and still buries no order by a wrong time', async () => {
      let lies = 0;
      proxy.after = (call, answer) => {
        if (!isBlock(call)) return answer;
        return editBlocks(answer, (block) => {
          strange(block);
          if (!isSolidBlock(call) || !isEmpty(block) || lies >= 6) return;
          lies++;
          later(120_000)(block);
        });
      };
      const ids = await place();
      await until('all lies read', async () => lies === 6);
      await untilSettled(world.app.sql);
      for (const id of ids) expect(await world.show(id)).toMatchObject({ state: 'delegated' });
      await expectChainTruth(world);
    });
  });
});
