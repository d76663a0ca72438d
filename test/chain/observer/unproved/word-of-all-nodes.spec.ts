import { ChainAdminService } from '../../../../src/admin/chain-admin.service';
import { RecordedBlocks } from '../../../../src/chain/observer/recorded-blocks';
import { Clock } from '../../../../src/common/clock';
import { FindingRepository } from '../../../../src/findings/finding.repository';
import { ChainAlarmsSchedule } from '../../../../src/reconciliation/alarms/chain-alarms.schedule';
import { untilSettled } from '../../../support/chain-truth';
import { asksForBlocks, editBlocks } from '../../../support/forged-blocks';
import { MovableClock } from '../../../support/movable-clock';
import { NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const LENT = 'walletsolidity/getdelegatedresourcev2';
const operator = { id: null, address: '127.0.0.1' };

interface Placed {
  readonly caller: Caller;
  readonly id: string;
  /** The height of the block that cannot be proved. */
  readonly number: number;
}

/** The block at this height without this transaction, or without its last one. */
function without(answer: string, number: number, txid?: string): string {
  return editBlocks(answer, (block) => {
    if (block.block_header.raw_data.number !== number) return block;
    const { transactions = [] } = block;
    const left = transactions.filter((one, at) => (txid ? one['txID'] !== txid : at < transactions.length - 1));
    return { ...block, transactions: left };
  });
}

/** More than any order is given. */
const MUCH = 9_000_000_000_000;

/** Every wallet has lent so much to every receiver, as this node says. */
const lends =
  (sun: number): NodeProxy['after'] =>
  (call, answer) => {
    if (call.route !== LENT) return answer;
    const { fromAddress: from, toAddress: to } = call.body as Record<string, string>;
    return JSON.stringify({ delegatedResource: [{ from, to, frozen_balance_for_energy: sun }] });
  };

describe('a block whose transactions cannot be proved', () => {
  let world: OrderWorld;
  let nodes: NodeProxy[];
  const clock = new MovableClock();

  async function open(count: number): Promise<void> {
    world = await OrderWorld.open({
      block: 'manual',
      env: { ANSWER_TIMEOUT: '500ms', RECLAIM_SWEEP: '10m' },
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        nodes = Array.from({ length: count }, () => new NodeProxy(url));
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    await mine(12);
    await world.untilWalletsRead();
  }
  afterEach(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  async function mine(count = 1): Promise<number> {
    const { head } = (await world.control('block', { count })) as { head: { number: number } };
    return head.number;
  }

  /** An order that a block has beside a stranger's transaction with a field that no node shows, or in its own; or that no block has. */
  async function place(where: 'beside' | 'itself' | 'nowhere'): Promise<Placed> {
    const caller = await world.caller();
    if (where === 'nowhere')
      await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop', count: 1_000 });
    const receiver = await world.receiver();
    const answer = world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const [txid] = await world.untilPending();
    await world.control('transaction', { hidden_field: true, ...(where === 'itself' && { txid }) });
    const number = await mine();
    await mine();
    const { status, headers } = await answer;
    expect([status, headers.get('x-delegation-state')]).toEqual([200, 'accepted']);
    return { caller, id: headers.get('x-delegation-id')!, number };
  }

  /** So long by block time, and so far that nothing that was to be tried again still waits. */
  async function later(minutes: number): Promise<void> {
    await world.control('clock', { ms: minutes * 60_000 });
    for (let blocks = 0; blocks < 8; blocks++) await mine();
  }
  async function goesOn(): Promise<void> {
    clock.advance(10_000);
    await mine();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stateOf = async (id: string) => (await world.show(id))!.state;
  const untilIn = (id: string, ...states: string[]) =>
    until(`${states.join(' or ')}, and not ${id}`, async () => {
      await goesOn();
      return states.includes(await stateOf(id));
    });
  /** Tried often enough that it would have been settled. */
  async function expectOpen(id: string): Promise<void> {
    for (let turn = 0; turn < 30; turn++) await goesOn();
    expect(await stateOf(id)).toBe('sent');
    expect(await accepted()).toEqual([]);
  }
  const accepted = () => world.query('select number::int, accepted_by from accepted_blocks');
  const findings = async () => {
    await world.app.app.get(ChainAlarmsSchedule).keep();
    return (await world.app.app.get(FindingRepository).list()).map(({ kind }) => kind);
  };

  it.each(['beside', 'itself'] as const)(
    'is settled after a quarter of an hour by what two nodes list and what is lent, as a finding, without a receipt (%s)',
    async (where) => {
      await open(2);
      const { caller, id, number } = await place(where);
      await later(14);
      await expectOpen(id);
      expect(await findings()).toContain('block_unreadable');
      await later(2);
      await untilIn(id, 'delegated');
      expect(await accepted()).toEqual([{ number, accepted_by: 'nodes' }]);
      expect(await findings()).toContain('block_accepted');
      const [row] = await world.query(`select tx_id, block_id from chain_transactions where subject_id = $1`, [id]);
      const recorded = { number, id: String(row!['block_id']) };
      expect(await world.app.app.get(RecordedBlocks).have(String(row!['tx_id']), recorded)).toBe(true);
      expect((await world.get(caller, `/api/chain/delegations/${id}/receipt`)).status).toBe(404);
      await until('the other finding gone', async () => {
        await goesOn();
        return (await world.query('select 1 from chain_faults')).length === 0;
      });
      await untilSettled(world.app.sql);
      // Lent energy is taken back as any.
      const { findings: wrong } = await world.audit();
      expect(wrong.map(({ kind }) => kind).filter((kind) => kind !== 'block_accepted')).toEqual([]);
    },
  );

  it('is settled after a pause too, in which more blocks came than are kept', async () => {
    await open(2);
    const { id, number } = await place('beside');
    await world.control('block', { count: 300 });
    await later(16);
    await untilIn(id, 'delegated');
    expect(await accepted()).toEqual([{ number, accepted_by: 'nodes' }]);
  });

  it('is one of many in a row: all their orders are settled, and no block is asked for with each of the others', async () => {
    await open(2);
    const ids: string[] = [];
    for (let order = 0; order < 6; order++) {
      ids.push((await place('beside')).id);
      await world.control('transaction', { hidden_field: true });
      await mine();
    }
    await world.control('block', { count: 300 });
    await later(16);
    for (const node of nodes) node.calls.length = 0;
    for (const id of ids) await untilIn(id, 'delegated');
    expect((await accepted()).length).toBeGreaterThanOrEqual(6);
    const routes = ['wallet/getblockbynum', 'wallet/getblockbylimitnext'];
    const asked = nodes.flatMap((node) => routes.map((route) => node.count(route))).reduce((sum, one) => sum + one);
    expect(asked).toBeLessThan(150);
  });

  it('is settled with the undelegation that it has, once nothing is lent any more by every node', async () => {
    await open(2);
    const caller = await world.caller();
    const answer = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending();
    await mine();
    const id = (await answer).headers.get('x-delegation-id')!;
    await untilIn(id, 'delegated');
    await later(61);
    const swept = until('taken back', async () => {
      await world.sweepOnce();
      return (await world.query(`select 1 from chain_transactions where purpose = 'reclaim'`)).length > 0;
    });
    await swept;
    await world.untilPending();
    await world.control('transaction', { hidden_field: true });
    await mine();
    nodes[1]!.after = lends(MUCH);
    await later(16);
    for (let turn = 0; turn < 20; turn++) await goesOn();
    expect(await stateOf(id)).toBe('reclaiming');
    nodes[1]!.after = (_call, shown) => shown;
    await untilIn(id, 'reclaimed');
    expect(await accepted()).toHaveLength(1);
  });

  it('is settled with the activation that it has, once every node shows the account in its solid view', async () => {
    await open(2);
    const caller = await world.caller();
    const receiver = await world.receiver(false);
    const body = { receiver_address: receiver, amount: 1, activate_address: true };
    void world.delegate(caller, body);
    await world.untilPending();
    await world.control('transaction', { hidden_field: true });
    await mine();
    const activation = () => world.query(`select state from chain_transactions where purpose = 'activation'`);
    nodes[1]!.after = (call, shown) => (call.route === 'walletsolidity/getaccount' ? '{}' : shown);
    await later(16);
    for (let turn = 0; turn < 20; turn++) await goesOn();
    expect(await activation()).toEqual([{ state: 'sent' }]);
    nodes[1]!.after = (_call, shown) => shown;
    await until('the activation settled', async () => {
      await goesOn();
      return (await activation())[0]!['state'] === 'final';
    });
  });

  it('that lists no order of ours buries the one that it could have had', async () => {
    await open(2);
    const { id } = await place('nowhere');
    await later(16);
    await untilIn(id, 'failed');
  });

  it.each(['beside', 'nowhere'] as const)('is not settled while what is lent says otherwise (%s)', async (where) => {
    await open(2);
    const { id } = await place(where);
    nodes[1]!.after = lends(where === 'beside' ? 1_000_000 : MUCH);
    await later(16);
    for (let turn = 0; turn < 30; turn++) await goesOn();
    expect(await stateOf(id)).toBe('sent');
    nodes[1]!.after = (_call, answer) => answer;
    await untilIn(id, where === 'beside' ? 'delegated' : 'failed');
  });

  it.each([
    ['buries an order that is not in it, whose receiver a stranger has lent to', 'nowhere', 'failed'],
    ['settles an order that no node listed at first', 'beside', 'delegated'],
  ] as const)('that counts by all nodes, and then by an operator, %s', async (_, where, state) => {
    await open(2);
    const { id, number } = await place(where);
    const [{ tx_id: txid }] = (await world.query('select tx_id from chain_transactions')) as [{ tx_id: string }];
    for (const node of nodes)
      node.after = (call, answer) =>
        asksForBlocks(call) ? without(answer, number, txid) : where === 'nowhere' ? lends(MUCH)(call, answer) : answer;
    await later(16);
    for (let turn = 0; turn < 30; turn++) await goesOn();
    expect([await stateOf(id), await accepted()]).toEqual(['sent', [{ number, accepted_by: 'nodes' }]]);
    for (const node of nodes) node.after = where === 'nowhere' ? lends(MUCH) : (_call, answer) => answer;
    await world.app.app.get(ChainAdminService).acceptBlock(number, operator);
    await untilIn(id, 'delegated', 'failed');
    expect([await stateOf(id), await accepted()]).toEqual([state, [{ number, accepted_by: 'operator' }]]);
  });

  it('is not settled while one node lists something else, or is away', async () => {
    await open(2);
    const { id, number } = await place('beside');
    nodes[1]!.after = (call, answer) => (asksForBlocks(call) ? without(answer, number) : answer);
    await later(16);
    await expectOpen(id);
    const accept = () => world.app.app.get(ChainAdminService).acceptBlock(number, operator);
    await expect(accept()).rejects.toMatchObject({ code: 'chain.block-differing' });
    nodes[1]!.after = (_call, answer) => answer;
    await nodes[1]!.refuse();
    await expectOpen(id);
    await nodes[1]!.listen();
    await untilIn(id, 'delegated');
  });

  it('of one node alone waits for an operator, who accepts it by its height', async () => {
    await open(1);
    const { id, number } = await place('beside');
    await later(16);
    await expectOpen(id);
    const accept = (height: number) => world.app.app.get(ChainAdminService).acceptBlock(height, operator);
    await expect(accept(number - 1)).rejects.toMatchObject({ code: 'chain.block-provable' });
    const lie = (tell: boolean) =>
      (nodes[0]!.after = (call, answer) => (tell && asksForBlocks(call) ? without(answer, number) : answer));
    await expect(accept(number)).resolves.toMatchObject({ number: BigInt(number), transactions: 2 });
    // Nothing else than what was accepted.
    lie(true);
    for (let turn = 0; turn < 30; turn++) await goesOn();
    expect(await stateOf(id)).toBe('sent');
    lie(false);
    await untilIn(id, 'delegated');
    expect(await accepted()).toEqual([{ number, accepted_by: 'operator' }]);
    const [entry] = await world.query(`select action, outcome, after from audit_log order by id desc limit 1`);
    expect(entry).toMatchObject({ action: 'chain.accept-block', outcome: 'done', after: { number } });
    expect(await findings()).toContain('block_accepted');
  });

  it('is not for an operator to accept before enough witnesses have built on it', async () => {
    await open(1);
    await world.stopFinality();
    const { number } = await place('beside');
    const accept = world.app.app.get(ChainAdminService).acceptBlock(number, operator);
    await expect(accept).rejects.toMatchObject({ code: 'chain.block-not-final' });
    await world.resumeFinality();
  });
});
