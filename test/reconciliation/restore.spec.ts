import { takeBackByHand, watchFromNow } from '../support/by-hand';
import { DatabaseBackup } from '../support/database-backup';
import { type Caller, OrderWorld } from '../support/order-world';
import { SharedCommandLine } from '../support/shared-command-line';
import { until } from '../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
/** Enough for twenty orders of one transaction. */
const STAKE_SUN = 141_000_000_000;

interface Lent {
  readonly id: string;
  readonly receiver: string;
}
interface Audited {
  readonly findings: { kind: string; subject: string }[];
}

describe('a restore to an earlier state of the database', () => {
  let world: OrderWorld;
  let caller: Caller;
  let cli: SharedCommandLine;
  let backup: DatabaseBackup;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200, env: { ANSWER_TIMEOUT: '3s' } });
    const { address } = world.chain.accounts.find(({ role }) => role === 'pool')!;
    await world.control('account', { address, staked_energy_sun: STAKE_SUN });
    await world.control('block', { count: 6 });
    await watchFromNow(world);
    caller = await world.caller();
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url });
  });
  afterAll(async () => {
    await cli.close();
    await world.close();
    await backup.drop();
  });

  const codeOf = async (amount: number) => {
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount });
    return answer.headers.get('x-error-code') ?? answer.status;
  };
  async function place(): Promise<Lent> {
    const receiver = await world.receiver();
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    expect(answer.status).toBe(200);
    return { id: answer.headers.get('x-delegation-id')!, receiver };
  }
  async function lend(count: number): Promise<Lent[]> {
    const lent = await Promise.all(Array.from({ length: count }, place));
    await Promise.all(lent.map(({ id }) => world.untilState(id, 'delegated')));
    return lent;
  }

  const audit = async () => {
    const { stdout } = await cli.run('audit', '--json');
    const { findings } = JSON.parse(stdout) as Audited;
    return findings.map(({ kind, subject }) => `${kind} ${subject}`).toSorted();
  };

  it('ends as operations.md says: what is out is found, and nothing is lent on it again', async () => {
    const kept = await lend(3);
    const returned = await lend(2);
    // In a block that is not final yet, and sent to a node that forgot it.
    await world.stopFinality();
    const open = await place();
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 1 });
    await world.control('fault', { route: BROADCAST, kind: 'busy', count: 1000 });
    const forgotten = await place();
    expect([(await world.show(open.id))!.state, (await world.show(forgotten.id))!.state]).toEqual(['included', 'sent']);
    backup = await DatabaseBackup.of(world.database.url);

    await world.control('clock', { ms: 61_000 });
    await world.resumeFinality();
    await world.control('fault', { route: BROADCAST, kind: 'none' });
    await world.untilState(forgotten.id, 'failed');
    // Time was moved on: until the follower has seen that, an order would be signed as expired.
    const first = await until('an order goes through', () => place().catch(() => null));
    const lost = [first, ...(await lend(3))];
    await world.untilState(first.id, 'delegated');
    const due = `update delegations set reclaim_due_at = now() - interval '1 day' where id = any($1) returning id`;
    await world.query(due, [returned.map(({ id }) => id)]);
    await Promise.all(returned.map(({ id }) => world.untilState(id, 'reclaimed')));

    const sent = await world.query(
      `select tx_id, subject_id, purpose from chain_transactions where state = 'final' and subject_id = any($1)`,
      [[...lost, ...returned].map(({ id }) => id)],
    );
    const transactionOf = (order: string, of: string) =>
      String(sent.find(({ subject_id: id, purpose }) => id === order && purpose === of)!['tx_id']);

    await world.stopInstance(world.app);
    await backup.replace();
    expect(await cli.json('restore:confirm')).toMatchObject({ tokens_revoked: 0 });
    expect(await cli.json('orders:pause', '--reason', 'restore')).toMatchObject({ paused: true });
    await world.startInstance();
    // What the rows still call open settles as the chain has it.
    await world.untilState(open.id, 'delegated');
    await world.untilState(forgotten.id, 'failed');
    const foreign = lost.map(({ receiver }) => `delegation_foreign pool to ${receiver}`);
    const gone = returned.map(({ receiver }) => `undelegation_foreign pool to ${receiver}`);
    const uses = [
      ...lost.map(({ id }) => transactionOf(id, 'delegation')),
      ...returned.map(({ id }) => transactionOf(id, 'reclaim')),
    ];
    expect(await audit()).toEqual([...foreign, ...gone, ...uses.map((txId) => `wallet_used pool ${txId}`)].toSorted());
    const reconciled = await cli.run('reconcile', '--json');
    expect(reconciled.exitCode).toBe(1);
    expect(JSON.parse(reconciled.stdout)).toMatchObject({ ok: false, paused: [], mended: 0 });

    expect(await codeOf(1)).toBe('PAUSED');
    await cli.json('orders:resume');
    // Twenty, less eight that are out, whatever the rows say of them.
    expect(await codeOf(13)).toBe('INSUFFICIENT_ENERGY');
    expect(await codeOf(12)).toBe(200);

    // Stake that was taken back already ends as a shortage, and costs no user anything.
    const balance = () =>
      until('a balance that no limit refuses', async () => (await world.get(caller, '/api/user/balance')).body['data']);
    await world.untilRow(`select 1 from delegations where state = 'delegated' having count(*) = 7`);
    const before = await balance();
    await world.control('clock', { ms: 3_600_000 });
    await until('everything taken back', async () => {
      await world.control('clock', { ms: 61_000 });
      await world.query(`update delegations set next_attempt_at = null where state = 'reclaiming' returning id`);
      await cli.run('reclaim:run');
      return (await world.query(`select 1 from delegations where state not in ('reclaimed', 'failed')`)).length === 0;
    });
    const stakes = await Promise.all([...kept, open, ...returned].map(async ({ id }) => (await world.show(id))!));
    expect(stakes.map(({ shortage_sun: short, stake_sun: stake }) => short === 0n || short === stake)).not.toContain(
      false,
    );
    expect(stakes.map(({ shortage_sun: short }) => short > 0n)).toEqual([false, false, false, false, true, true]);
    expect(await balance()).toEqual(before);

    // By hand.
    const { stdout } = await cli.run('finding:list', '--json');
    const used = (JSON.parse(stdout) as { id: string; kind: string }[]).filter(({ kind }) => kind === 'wallet_used');
    expect(used).toHaveLength(uses.length);
    for (const { id } of used) await cli.json('finding:acknowledge', id, '--note', 'of the hours that were lost');
    for (const { receiver } of lost) await takeBackByHand(world, receiver, stakes[0]!.stake_sun);
    expect(await audit()).toEqual(returned.map(({ id }) => `shortage delegation ${id}`).toSorted());
  });
});
