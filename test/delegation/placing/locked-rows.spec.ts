import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { HeldLock } from '../../support/held-lock';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

/** Each waits as long as a lock time-out lasts: so many, one after the other, outlast any order's answer. */
const LOCKED_ORDERS = 8;
/** Blocks until all of them are solid, each in a block of its own. */
const SOLID_LAG = 12;
const LOCKS = {
  account: 'select from accounts where user_id = $1 for update',
  subscription: 'select from subscriptions where user_id = $1 for update',
  order: 'select from delegations where user_id = $1 for update',
  hold: 'select from holds where user_id = $1 for update',
};

describe('rows that somebody else has locked', () => {
  let world: OrderWorld;
  let other: Caller;
  let held: HeldLock | null = null;
  beforeEach(async () => {
    world = await OrderWorld.open({ block: 'manual', solidLag: SOLID_LAG, env: { ANSWER_TIMEOUT: '20s' } });
    other = await world.caller();
    await world.control('block');
  });
  afterEach(async () => {
    await release();
    await world.close();
  });

  async function lockRows(statement: string, { id }: Caller): Promise<HeldLock> {
    held = await HeldLock.take(world.database.url, statement, [id]);
    return held;
  }
  async function release(): Promise<void> {
    await held?.release();
    held = null;
  }

  const place = async (caller: Caller) =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const idOf = ({ headers }: Answer) => headers.get('x-delegation-id')!;
  const states = async (caller: Caller) =>
    (await world.query(`select distinct state from delegations where user_id = $1`, [caller.id])).map(
      ({ state }) => state,
    );

  /** One order, answered once a block holds it. */
  async function included(caller: Caller): Promise<string> {
    const answer = place(caller);
    await world.untilPending();
    await world.control('block');
    expect((await answer).headers.get('x-delegation-state')).toBe('included');
    return idOf(await answer);
  }

  async function height(): Promise<number> {
    const { block_header: header } = (await world.node('wallet/getnowblock')) as {
      block_header: { raw_data: { number: number } };
    };
    return header.raw_data.number;
  }

  it.each(Object.entries(LOCKS))(
    'a locked %s row keeps no other order from its answer and its settlement, and its own settle once when it is free',
    async (_row, lock) => {
      const locked = await world.caller({ balance: 100, subscription: LOCKED_ORDERS / 2 });
      const ids: string[] = [];
      while (ids.length < LOCKED_ORDERS) ids.push(await included(locked));
      await lockRows(lock, locked);
      await world.control('block', { count: SOLID_LAG + 1 });
      const later = await included(other);
      await world.control('block', { count: SOLID_LAG + 1 });
      await world.untilState(later, 'delegated');
      expect(await states(locked)).toContain('included');
      await release();
      // No block comes any more.
      await untilSettled(world.app.sql);
      const charges = await world.query(
        `select count(*)::integer as charges, sum(amount_sun)::bigint as sun from ledger_entries where user_id = $1 and kind = 'charge'`,
        [locked.id],
      );
      expect(charges).toEqual([{ charges: LOCKED_ORDERS / 2, sun: BigInt(LOCKED_ORDERS / 2) * -3_000_000n }]);
      await expectChainTruth(world);
    },
  );

  it('what a locked account kept from settling is settled by the instance that is started next', async () => {
    const locked = await world.caller();
    const id = await included(locked);
    const lock = await lockRows(LOCKS.account, locked);
    await world.control('block', { count: SOLID_LAG + 1 });
    await lock.untilWaiting(1);
    await world.startInstance();
    await world.stopInstance(world.app);
    await release();
    await world.untilState(id, 'delegated');
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('locked order rows keep no other order of their block from its answer', async () => {
    const locked = await world.caller();
    const answers = Array.from({ length: 2 * LOCKED_ORDERS }, () => place(locked));
    await world.untilPending(answers.length);
    await until('all noted as sent', async () => (await states(locked)).join() === 'sent');
    await lockRows(LOCKS.order, locked);
    const answer = place(other);
    await world.untilPending(answers.length + 1);
    await world.control('block');
    expect((await answer).headers.get('x-delegation-state')).toBe('included');
    await release();
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
    await until('all noted as included', async () => (await states(locked)).join() === 'included');
    await world.control('block', { count: SOLID_LAG + 1 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('a locked order whose blocks are dropped one after the other is sent again once it is free', async () => {
    const locked = await world.caller();
    const id = await included(locked);
    const { delegation_txid: txid } = (
      await world.query(`select tx_id as delegation_txid from chain_transactions where subject_id = $1`, [id])
    )[0] as { delegation_txid: string };
    await lockRows(LOCKS.order, locked);
    const first = await height();
    await world.control('fork', { from: first, keep: [txid] });
    await world.control('block', { count: 2 });
    // By then the first block's end and the second one's holding it were seen, and neither could be noted.
    await included(other);
    await world.control('fork', { from: first, keep: [] });
    await world.control('block', { count: 4 });
    await release();
    await world.untilState(id, 'sent');
    await world.untilPending(2);
    await world.control('block', { count: SOLID_LAG + 2 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('a locked account keeps no other order from its release when the network drops them all, and its own follow', async () => {
    const locked = await world.caller();
    const answers = Array.from({ length: 4 * LOCKED_ORDERS }, () => place(locked));
    await world.untilPending(answers.length);
    // Looked at last.
    answers.push(place(other));
    await world.untilPending(answers.length);
    await world.control('block');
    const ids = (await Promise.all(answers)).map(idOf);
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 1000 });
    await lockRows(LOCKS.account, locked);
    await world.control('fork', { from: await height(), keep: [] });
    await world.control('block', { count: 2 });
    await world.control('clock', { ms: 61_000 });
    await world.control('block', { count: SOLID_LAG + 2 });
    await world.untilState(ids.at(-1)!, 'failed');
    expect(await states(locked)).toEqual(['sent']);
    await release();
    await until('all released', async () => (await states(locked)).join() === 'failed');
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    expect(await world.query(`select balance_sun, held_sun from accounts where user_id = $1`, [locked.id])).toEqual([
      { balance_sun: 1_000_000_000n, held_sun: 0n },
    ]);
    await expectChainTruth(world);
  });
});
