import { v7 as uuid } from 'uuid';
import { CloseOrderDays } from '../../../src/reporting/reports/close-order-days';
import { CustomerListRepository } from '../../../src/reporting/reports/customer-list.repository';
import { OrderReport } from '../../../src/reporting/reports/order-report';
import { insertUser } from '../../support/factories';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { createTestApp, type TestApp } from '../../support/test-app';

// Orders of other days are written without their holds.
breaksTheLedger();

const WALLET = uuid();

interface PastOrder {
  readonly userId: string;
  /** With the time of day. */
  readonly at: string;
  readonly state?: string;
  readonly answer?: 'success' | 'failure';
  readonly code?: string;
  readonly cost?: bigint;
  readonly paidBy?: 'balance' | 'subscription';
  readonly activation?: 'final' | 'dead';
}

/** 90 to 60 days ago, so that all of it can be closed. */
const DAY_MS = 86_400_000;
const dayAgo = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);

const between = (first: number, next: number) => ({ from: new Date(dayAgo(first)), to: new Date(dayAgo(next)) });

describe('orders in numbers', () => {
  let service: TestApp;
  let ann: string;
  let bob: string;
  const range = between(90, 80);

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    ann = await insertUser(service.orm, { email: 'ann@example.com', balance: 100 });
    bob = await insertUser(service.orm, { email: 'bob@example.com', balance: 3 });
    await run(
      `insert into pool_wallets (id, name, address, role, key_source) values ($1, 'w', 'w', 'delegate', 'env:NONE')`,
      [WALLET],
    );
    await order({ userId: ann, at: `${dayAgo(90)}T00:00:00Z` });
    await order({ userId: ann, at: `${dayAgo(90)}T23:59:59.999999Z`, activation: 'final', cost: 4_500_001n });
    await order({
      userId: bob,
      at: `${dayAgo(89)}T12:00:00Z`,
      state: 'failed',
      answer: 'failure',
      code: 'OUTCOME_UNKNOWN',
    });
    // Landed although it was answered with a failure: the chain cost us, the customer nothing.
    await order({
      userId: bob,
      at: `${dayAgo(89)}T12:30:00Z`,
      state: 'taken_back',
      answer: 'failure',
      code: 'NODE_UNAVAILABLE',
      activation: 'dead',
    });
    await order({ userId: bob, at: `${dayAgo(89)}T13:00:00Z`, paidBy: 'subscription', cost: 0n });
    // Before and behind the range.
    await order({ userId: bob, at: `${dayAgo(91)}T23:59:59.999999Z` });
    await order({ userId: bob, at: `${dayAgo(80)}T00:00:00Z` });
  });
  afterAll(() => service?.close());

  async function run(text: string, values: unknown[]): Promise<void> {
    await service.sql.execute({ name: '', text }, values as never);
  }

  async function order({
    userId,
    at,
    state = 'reclaimed',
    answer = 'success',
    code,
    cost = 3_000_000n,
    ...more
  }: PastOrder) {
    const id = uuid();
    await run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, activates, state, wallet_id,
         stake_sun, cost_sun, paid_by, answer, answer_code, created_at)
       values ($1, $2, 'T', '1', 65000, 10, $3, $3, $4, $5, 1, $6, $7, $8, $9, $10)`,
      [
        id,
        userId,
        more.activation !== undefined,
        state,
        WALLET,
        cost,
        more.paidBy ?? 'balance',
        answer,
        code ?? null,
        at,
      ],
    );
    if (more.activation === undefined) return;
    await run(
      `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, expiration_ms, ref_block_number, state)
       values ($1::text, 'activation', 'order', $2, $3, 'T', 1, '', 0, 0, $4)`,
      [uuid(), id, WALLET, more.activation],
    );
  }

  const report = () => service.app.get(OrderReport);
  const closedDays = async () =>
    service.sql.rows<unknown[], { day: string }>(
      {
        name: 'test_closed',
        text: 'select day::text from closed_order_days order by day',
      },
      [],
    );
  const everything = async () => ({
    all: await report().read(range, false),
    hours: await report().read(between(90, 89), true),
    ofBob: await report().read(range, false, bob),
    lost: await report().lostByCode(range),
  });

  it('count an order on the day it was placed, its charge only if it was charged, and its activation only if it landed', async () => {
    const { all, hours, ofBob, lost } = await everything();
    expect(all.total).toEqual({
      orders: 5n,
      succeeded: 3n,
      failed: 2n,
      charged_sun: 7_500_001n,
      energy: 260_000n,
      landed: 4n,
      activations: 1n,
      activated_sun: 1n,
    });
    expect(all.times.map(({ at, orders }) => [at.toISOString().slice(0, 10), orders])).toEqual([
      [dayAgo(90), 2n],
      [dayAgo(89), 3n],
    ]);
    expect(all.users.map(({ user, orders, charged_sun: sun }) => [user, orders, sun])).toEqual([
      ['ann@example.com', 2n, 7_500_001n],
      ['bob@example.com', 3n, 0n],
    ]);
    expect(all.customers).toEqual({ all: 2, charged: 1 });
    expect(all.payers.map(({ paidBy, orders }) => [paidBy, orders])).toEqual(
      expect.arrayContaining([
        ['balance', 4n],
        ['subscription', 1n],
      ]),
    );
    expect(hours.times.map(({ at }) => at.toISOString().slice(11, 13))).toEqual(['00', '23']);
    expect(ofBob.total.orders).toBe(3n);
    expect(lost).toEqual([
      { code: 'NODE_UNAVAILABLE', refused: 0n, failed: 1n },
      { code: 'OUTCOME_UNKNOWN', refused: 0n, failed: 1n },
    ]);
  });

  it('are the same once their days are closed, by several instances at the same time too', async () => {
    const before = await everything();
    const other = await createTestApp({ databaseUrl: service.databaseUrl, backgroundWork: false });
    const counts = await Promise.all([service, other].map(({ app }) => app.get(CloseOrderDays).run(Date.now())));
    await other.close();
    const closed = await closedDays();
    expect(counts[0]! + counts[1]!).toBe(closed.length);
    expect(closed[0]).toEqual({ day: dayAgo(91) });
    // Yesterday too, unless it ended less than an hour ago.
    expect([dayAgo(1), dayAgo(2)]).toContain(closed.at(-1)!.day);
    expect(await everything()).toEqual(before);
    // And they come from where the days are, no longer from the orders.
    await run('delete from order_days where user_id = $1', [ann]);
    expect((await report().read(range, false)).total.orders).toBe(3n);
    expect((await report().read(between(90, 89), true)).total.orders).toBe(2n);
  });

  it('close a day although one of its orders is open: that one counts by itself until it is settled, then in its day', async () => {
    const fresh = await createTestApp({ backgroundWork: false });
    const second = await createTestApp({ backgroundWork: false, databaseUrl: fresh.databaseUrl });
    const owner = await insertUser(fresh.orm, {});
    const execute = (text: string, values: unknown[] = []) => fresh.sql.execute({ name: '', text }, values as never);
    const rows = <Row>(text: string) => fresh.sql.rows<unknown[], Row>({ name: '', text }, []);
    await execute(
      `insert into pool_wallets (id, name, address, role, key_source) values ($1, 'w', 'w', 'delegate', 'env:NONE')`,
      [WALLET],
    );
    // On one day two that are settled and one that is not; on the next one that is not, and one whose activation may still land.
    const at = (day: number) => `${dayAgo(day)}T10:00:00Z`;
    const ids: Record<string, string> = {};
    for (const [name, state, day, activation] of [
      ['good', 'reclaimed', 5, null],
      ['bad', 'failed', 5, null],
      ['late', 'sent', 5, null],
      ['alone', 'activating', 4, null],
      ['activation', 'failed', 4, 'sent'],
    ] as const) {
      ids[name] = uuid();
      await execute(
        `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, activates, state, wallet_id, stake_sun,
           cost_sun, paid_by, answer, created_at)
         values ($1, $2, 'T', '1', 65000, 10, $6, $6, $3, $4, 1, 3000000, 'balance', $7, $5)`,
        [ids[name], owner, state, WALLET, at(day), activation !== null, state === 'failed' ? 'failure' : 'success'],
      );
      if (activation === null) continue;
      await execute(
        `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, expiration_ms, ref_block_number, state)
         values ('activation', 'activation', 'order', $1, $2, 'T', 7, '', 0, 0, $3)`,
        [ids[name], WALLET, activation],
      );
    }
    const close = async () => {
      const counts = await Promise.all([fresh, second].map(({ app }) => app.get(CloseOrderDays).run(Date.now())));
      return counts[0]! + counts[1]!;
    };
    const days = between(6, 3);
    const figures = async () => {
      const numbers = fresh.app.get(OrderReport);
      const { total, times } = await numbers.read(days, false);
      expect((await numbers.read(days, false, owner)).total).toEqual(total);
      const [customer] = await fresh.app
        .get(CustomerListRepository)
        .page({ prefix: '', order: 'spend', after: null, limit: 5 });
      expect(customer!.spentSun).toBe(total.charged_sun);
      return { total, days: times.map(({ orders }) => orders) };
    };
    // The database's clock says that their days are over, and no block does yet.
    expect(await fresh.app.get(CloseOrderDays).run(Date.parse(`${dayAgo(5)}T23:59:59Z`))).toBe(0);
    // Nor has the hour gone by in which an order of that day may still be written.
    expect(await fresh.app.get(CloseOrderDays).run(Date.parse(`${dayAgo(4)}T00:59:59Z`))).toBe(0);
    const open = await figures();
    expect(open).toMatchObject({ days: [3n, 2n], total: { orders: 5n, charged_sun: 3_000_000n, activations: 0n } });
    expect(await close()).toBeGreaterThanOrEqual(4);
    expect(await rows('select day::text from closed_order_days order by day limit 2')).toEqual([
      { day: dayAgo(5) },
      { day: dayAgo(4) },
    ]);
    expect(await rows('select sum(orders)::integer as n from order_days')).toEqual([{ n: 2 }]);
    expect(await rows('select count(*)::integer as n from late_orders')).toEqual([{ n: 3 }]);
    expect(await figures()).toEqual(open);
    await execute(`update delegations set state = 'delegated' where id = any($1::uuid[])`, [
      [ids['late'], ids['alone']],
    ]);
    await execute(`update chain_transactions set state = 'final'`);
    const settled = await figures();
    expect(settled).toMatchObject({
      days: [3n, 2n],
      total: { orders: 5n, charged_sun: 9_000_000n, energy: 195_000n, landed: 3n, activations: 1n, activated_sun: 7n },
    });
    expect(await close()).toBe(0);
    expect(await rows('select from late_orders')).toEqual([]);
    expect(await rows('select sum(orders)::integer as n from order_days')).toEqual([{ n: 5 }]);
    expect(await figures()).toEqual(settled);
    await close();
    expect(await figures()).toEqual(settled);
    await second.close();
    await fresh.close();
  });

  it('sort customers by what they have, what they spent in 30 days, and when they ordered last', async () => {
    const list = service.app.get(CustomerListRepository);
    await order({ userId: bob, at: new Date().toISOString(), cost: 2_000_000n });
    await order({ userId: ann, at: `${dayAgo(3)}T10:00:00Z`, cost: 1_000_000n });
    const names = async (by: 'email' | 'poorest' | 'richest' | 'spend' | 'last') => {
      const first = await list.page({ prefix: '', order: by, after: null, limit: 1 });
      const second = await list.page({ prefix: '', order: by, after: first[0]!.id, limit: 5 });
      return [...first, ...second].map(({ name }) => name.split('@')[0]);
    };
    expect(await names('email')).toEqual(['ann', 'bob']);
    expect(await names('poorest')).toEqual(['bob', 'ann']);
    expect(await names('richest')).toEqual(['ann', 'bob']);
    expect(await names('spend')).toEqual(['bob', 'ann']);
    expect(await names('last')).toEqual(['bob', 'ann']);
    const [, second] = await list.page({ prefix: '', order: 'email', after: null, limit: 5 });
    expect(second).toMatchObject({ spentSun: 2_000_000n, low: false });
  });
});
