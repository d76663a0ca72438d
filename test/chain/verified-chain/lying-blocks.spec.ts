import { SIGNED_COLUMNS } from '../../../src/chain/transactions/outbox/outbox-row';
import { FindingRepository } from '../../../src/findings/finding.repository';
import { ChainAlarmsSchedule } from '../../../src/reconciliation/alarms/chain-alarms.schedule';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { asksForBlocks, type BlockJson, editBlocks, forge, FOREIGN_KEY } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

type Lie = (block: BlockJson) => BlockJson;

const isFull = ({ transactions }: BlockJson) => (transactions?.length ?? 0) > 0;
const ofFull =
  (lie: Lie): Lie =>
  (block) =>
    isFull(block) ? lie(block) : block;
const changed = (block: BlockJson, header: Record<string, unknown>): BlockJson => {
  const copy = structuredClone(block);
  Object.assign(copy.block_header.raw_data, header);
  return copy;
};
const later = (ms: number) => (block: BlockJson) =>
  changed(block, { timestamp: block.block_header.raw_data.timestamp + ms });

/** Under the true header. */
const OTHER_TRANSACTIONS: [string, Lie][] = [
  ['none of them', (block) => ({ ...block, transactions: undefined })],
  ['an empty list', (block) => ({ ...block, transactions: [] })],
  ['one left out', (block) => ({ ...block, transactions: block.transactions!.slice(1) })],
  [
    'other signed bytes',
    (block) => ({
      ...block,
      transactions: block.transactions!.map((transaction) => ({ ...transaction, raw_data_hex: '0a02abcd' })),
    }),
  ],
];

describe('guarantee 3: a node that shows wrong blocks', () => {
  let world: OrderWorld;
  let proxies: NodeProxy[];
  async function open(nodes = 1): Promise<void> {
    proxies = [];
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      solidLag: 15,
      nodeUrl: async (url) => {
        proxies = Array.from({ length: nodes }, () => new NodeProxy(url));
        return (await Promise.all(proxies.map((proxy) => proxy.open()))).join(',');
      },
    });
  }
  afterEach(async () => {
    await world.close();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  /** The first node lies about these blocks from now on; gives how often it has. */
  function lie(tell: Lie, proxy = proxies[0]!): { readonly told: number; end(): void } {
    let told = 0;
    proxy.after = (call, answer) => {
      if (!asksForBlocks(call)) return answer;
      const edited = editBlocks(answer, tell);
      if (edited !== answer) told++;
      return edited;
    };
    return {
      get told() {
        return told;
      },
      end: () => void (proxy.after = (_call, answer) => answer),
    };
  }

  async function place(count = 3): Promise<string[]> {
    const callers = await Promise.all(Array.from({ length: count }, () => world.caller()));
    const answers = await Promise.all(
      callers.map(async (caller) => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    return answers.map(({ headers }) => headers.get('x-delegation-id')!);
  }
  const states = async (ids: string[]) =>
    (await Promise.all(ids.map((id) => world.show(id)))).map((view) => view!.state);

  it.each<[string, Lie]>([
    ['empty blocks two minutes late', (block) => (isFull(block) ? block : later(120_000)(block))],
    ['full blocks a year late', ofFull(later(365 * 86_400_000))],
    ['full blocks without a time', ofFull((block) => changed(block, { timestamp: undefined }))],
    ['a time of another type', ofFull((block) => changed(block, { timestamp: '1' }))],
    [
      'an invented branch, signed by somebody',
      (block) => forge(block, { header: { txTrieRoot: Buffer.alloc(32) }, transactions: [], key: FOREIGN_KEY }),
    ],
  ])('%s: buries no order, and counts its hour from the true time', async (_, tell) => {
    await open(2);
    const lies = lie(tell);
    const ids = await place();
    await until('lies told', () => Promise.resolve(lies.told > 0));
    await untilSettled(world.app.sql);
    lies.end();
    expect(await states(ids)).toEqual(ids.map(() => 'delegated'));
    const [row] = await world.query(`select block_number from chain_transactions where subject_id = $1`, [ids[0]]);
    const num = Number(row!['block_number']);
    const block = (await world.node('wallet/getblockbynum', { num })) as unknown as BlockJson;
    const view = await world.show(ids[0]!);
    expect(Date.parse(view!.delegated_at!)).toBe(block.block_header.raw_data.timestamp);
    await expectChainTruth(world);
  });

  it.each(OTHER_TRANSACTIONS)('with %s: another node is asked, and nothing is late', async (_, tell) => {
    await open(2);
    const lies = lie(ofFull(tell));
    const ids = await place();
    await until('lies told', () => Promise.resolve(lies.told > 0));
    await untilSettled(world.app.sql);
    expect(await states(ids)).toEqual(ids.map(() => 'delegated'));
    expect(await world.query('select kind from chain_faults')).toEqual([]);
    await expectChainTruth(world);
  });

  it('with transactions added that are only pending: none counts as included', async () => {
    await open();
    const [first] = await place(1);
    await world.untilState(first!, 'delegated');
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 1_000 });
    const caller = await world.caller();
    const pending = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const row = await world.untilRow(
      `select ${SIGNED_COLUMNS} from chain_transactions t where state <> 'final' and purpose = 'delegation'`,
    );
    const added = {
      txID: String(row['tx_id']),
      raw_data_hex: String(row['raw_data_hex']),
      signature: [String(row['signature'])],
      ret: [{ contractRet: 'SUCCESS' }],
    };
    const lies = lie((block) => ({ ...block, transactions: [...(block.transactions ?? []), added] }));
    await until('lies told', () => Promise.resolve(lies.told > 10));
    expect((await pending).headers.get('x-delegation-state')).not.toBe('included');
    expect(
      await world.query(`select 1 from chain_transactions where state in ('included', 'final') and tx_id = $1`, [
        added.txID,
      ]),
    ).toEqual([]);
    lies.end();
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('settles an order by its bytes, whatever txid the node writes beside them', async () => {
    await open();
    lie((block) => ({
      ...block,
      ...(block.transactions && {
        transactions: block.transactions.map((transaction) => ({ ...transaction, txID: 'AB'.repeat(32) })),
      }),
    }));
    const [id] = await place(1);
    await world.untilState(id!, 'delegated');
  });

  it('that every node shows alike is a finding: its orders wait, all others settle, and they too once it can be read', async () => {
    await open();
    const [before] = await place(1);
    await world.untilState(before!, 'delegated');
    // The blocks of this order have something that cannot be encoded.
    const [caller, receiver] = [await world.caller(), await world.receiver()];
    let unreadable: number | null = null;
    const lies = lie((block) => {
      const { number } = block.block_header.raw_data;
      if (isFull(block)) unreadable ??= number;
      if (number !== unreadable) return block;
      return { ...block, transactions: block.transactions!.map((one) => ({ ...one, newField: '01' })) };
    });
    const waiting = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const id = waiting.headers.get('x-delegation-id')!;
    const fault = await world.untilRow('select kind, parameters from chain_faults');
    expect(fault).toMatchObject({ kind: 'block_unreadable', parameters: { number: String(unreadable) } });
    await world.app.app.get(ChainAlarmsSchedule).keep();
    expect((await world.app.app.get(FindingRepository).list()).map(({ kind }) => kind)).toContain('block_unreadable');
    await world.control('clock', { ms: 61_000 });
    // Until the follower has seen the jump of time, an order is signed as expired.
    const [newer] = await until('an order goes through', () => place(1).catch(() => null));
    await world.untilState(newer!, 'delegated');
    // Long expired, and yet not dead: it could be in the block that cannot be read, as it is.
    expect(await states([id])).toEqual(['sent']);
    lies.end();
    await world.untilState(id, 'delegated', 'taken_back', 'taking_back');
    await untilSettled(world.app.sql);
    await until('the fault gone', async () => (await world.query('select 1 from chain_faults')).length === 0);
    await expectChainTruth(world);
  });
});
