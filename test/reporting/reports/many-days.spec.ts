import { v7 as uuid } from 'uuid';
import { CustomerListRepository } from '../../../src/reporting/reports/customer-list.repository';
import { OrderReport } from '../../../src/reporting/reports/order-report';
import { BY_DAY, BY_DAY_OF_USER } from '../../../src/reporting/reports/order-report.statements';
import { statementTexts } from '../../../src/database/statement';
import { readRange, spanOf } from '../../../src/panel/dates/date-range';
import { insertUser } from '../../support/factories';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { createTestApp, type TestApp } from '../../support/test-app';

// Days and orders are written without what has led to them.
breaksTheLedger();

const COUNTS = 'orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun';
const SUMS = COUNTS.split(', ')
  .map((count) => `coalesce(sum(${count}), 0)::bigint as ${count}`)
  .join(', ');
const DAYS = 130;
const WALLET = uuid();
const dayAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

describe('business of many days', () => {
  let service: TestApp;
  let users: string[];
  const run = (text: string, values: unknown[] = []) => service.sql.execute({ name: '', text }, values as never);
  const rows = <Row>(text: string, values: unknown[] = []) =>
    service.sql.rows<readonly unknown[], Row>({ name: '', text }, values);

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    users = [];
    for (let n = 0; n < 4; n++) users.push(await insertUser(service.orm, { email: `u${n}@example.com`, balance: 1 }));
    await run(
      `insert into pool_wallets (id, name, address, role, key_source) values ($1, 'w', 'w', 'delegate', 'env:NONE')`,
      [WALLET],
    );
    await run(`insert into closed_order_days (day) select current_date - 1 - n from generate_series(0, ${DAYS}) n`);
    await run(
      `insert into order_days (day, user_id, paid_by, ${COUNTS})
       select current_date - 1 - n, u, p, 1 + n % 3 + place, n % 3, 1, n * 1000 + place, 65000, 2, n % 2, n
         from generate_series(0, ${DAYS}) n, unnest($1::uuid[]) with ordinality as t (u, place), unnest(array['balance', 'subscription']) p
        where (n + place) % 5 > 0`,
      [users],
    );
    // Late ones of a closed day, and one of today.
    for (const [day, state] of [
      [40, 'sent'],
      [3, 'delegated'],
      [0, 'delegated'],
    ] as const) {
      const id = uuid();
      await run(
        `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
           paid_by, answer, created_at)
         values ($1, $2, 'T', '1', 65000, 10, false, $3, $4, 1, 3000000, 'balance', 'success', (current_date - $5::integer)::timestamp at time zone 'utc')`,
        [id, users[0], state, WALLET, day],
      );
      if (day > 0) await run(`insert into late_orders (id, day) values ($1, current_date - $2::integer)`, [id, day]);
    }
    // Added to and taken from since.
    await run(
      `update order_days set charged_sun = charged_sun + 7, orders = orders + 1 where user_id = $1 and paid_by = 'balance'`,
      [users[1]],
    );
    await run(`delete from order_days where user_id = $1 and paid_by = 'subscription'`, [users[2]]);
  });
  afterAll(() => service?.close());

  it('is the same sum of days, whatever months they begin and end in', async () => {
    const single = `select (d.created_at at time zone 'utc')::date as day, d.user_id, d.paid_by, 1 as orders, 1 as succeeded, 0 as failed,
        case d.state when 'sent' then 0 else 3000000 end as charged_sun, case d.state when 'sent' then 0 else 65000 end as energy,
        case d.state when 'sent' then 0 else 1 end as landed, 0 as activations, 0 as activated_sun from delegations d`;
    const all = `(select day, user_id, paid_by, ${COUNTS} from order_days union all ${single}) o
      where day >= current_date - $1::integer and day < current_date - $2::integer`;
    for (let first = 0; first <= DAYS + 2; first += 3) {
      for (const next of [-1, 0, 1, first - 1, first - 31, Math.floor(first / 2)]) {
        if (next >= first) continue;
        const of = async (key: string, by: string) =>
          rows<Record<string, unknown>>(`select ${key} as key, ${SUMS} from ${all} group by 1 order by ${by}`, [
            first,
            next,
          ]);
        const [range] = await rows<{ from: string; to: string }>(
          'select (current_date - $1::integer)::text as from, (current_date - $2::integer)::text as to',
          [first, next],
        );
        const report = await service.app
          .get(OrderReport)
          .read({ from: new Date(range!.from), to: new Date(range!.to) }, false);
        const context = `${first} to ${next}`;
        const [total] = await rows<object>(`select ${SUMS} from ${all}`, [first, next]);
        expect([context, report.total]).toEqual([context, total]);
        expect(report.times.map(({ at, ...counts }) => ({ key: at.toISOString().slice(0, 10), ...counts }))).toEqual(
          await of('day::text', '1'),
        );
        expect(report.payers.map(({ paidBy, ...counts }) => ({ key: paidBy, ...counts })).toSorted(byKey)).toEqual(
          (await of('paid_by', '1')).toSorted(byKey),
        );
        expect(report.users.map(({ userId, user: _user, ...counts }) => ({ key: userId, ...counts }))).toEqual(
          await of('user_id', 'sum(charged_sun) desc, sum(orders) desc, user_id'),
        );
      }
    }
  });

  it('reads no row of a customer and day of a whole month', async () => {
    const [range] = await rows<{ from: string; to: string }>(
      `select (date_trunc('month', current_date) - interval '2 months')::date::text as from, date_trunc('month', current_date)::date::text as to`,
    );
    expect(await rowsRead(BY_DAY.name, 'order_days', [range!.from, range!.to])).toBe(0);
    expect(await rowsRead(BY_DAY.name, 'order_months', [range!.from, range!.to])).toBeGreaterThan(0);
  });

  it('and customers by what they spent read each late order once, however many customers there are', async () => {
    await run(
      `insert into users (id, email, name) select gen_random_uuid(), 'more' || n || '@example.com', 'm' from generate_series(1, 500) n`,
    );
    await run(`insert into accounts (user_id) select id from users where email like 'more%'`);
    const late = 200;
    await run(
      `with made as (
         insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
           paid_by, answer, created_at)
         select gen_random_uuid(), $1, 'T', '1', 65000, 10, false, 'delegated', $2, 1, 1, 'balance', 'success', now() - interval '5 days'
           from generate_series(1, ${late}) returning id)
       insert into late_orders (id, day) select id, current_date - 5 from made`,
      [users[3], WALLET],
    );
    await run('analyze');
    const [richest] = await service.app
      .get(CustomerListRepository)
      .page({ prefix: '', order: 'spend', after: null, limit: 1 });
    expect(richest!.spentSun).toBeGreaterThan(0n);
    const values = ['', '\u{10FFFF}', null, 50];
    expect(await rowsRead('panel_customers_by_spend', 'delegations', values)).toBeLessThan(late * 2);
  });

  it('and what wallets earned looks for the hold of each order that quota paid for, and of no other', async () => {
    await run(
      `insert into holds (delegation_id, user_id, amount_sun, state, settled_at) select id, user_id, 1, 'taken', now() from delegations`,
    );
    const byQuota = 5;
    await run(
      `update delegations set paid_by = 'subscription' where id in (
         select id from delegations where state = 'delegated' order by id limit ${byQuota})`,
    );
    await run('analyze');
    const readings = nodesOf(await planOf('wallet_earnings', [dayAgo(80), dayAgo(-1)]), 'holds');
    expect(readings.reduce((sum, plan) => sum + plan['Actual Loops'], 0)).toBe(byQuota);
  });

  it("reads of a range of another zone's days the orders of its two edges alone", async () => {
    const aDay = 24;
    await run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
         paid_by, answer, created_at)
       select gen_random_uuid(), $1, 'T', '1', 65000, 10, false, 'delegated', $2, 1, 1, 'balance', 'success',
              current_date::timestamp at time zone 'utc' - n * interval '1 hour' from generate_series(30, 30 + 90 * ${aDay}) n`,
      [users[3], WALLET],
    );
    await run('analyze');
    const late = await rows<{ n: number }>('select count(*)::integer as n from late_orders');
    for (const timeZone of ['Asia/Calcutta', 'America/New_York', 'Pacific/Kiritimati']) {
      const asked = readRange({ from: dayAgo(80), to: dayAgo(10) }, { timeZone });
      const { from, to } = spanOf({ range: asked.range!, timeZone });
      for (const [name, more] of [
        [BY_DAY.name, []],
        [BY_DAY_OF_USER.name, [users[3]]],
      ] as const) {
        const read = await rowsRead(name, 'delegations', [from, to, ...more]);
        expect(read).toBeGreaterThan(0);
        expect(read).toBeLessThanOrEqual(2 * aDay + late[0]!.n);
      }
    }
  });

  const byKey = (one: Record<string, unknown>, other: Record<string, unknown>) =>
    String(one['key']) < String(other['key']) ? -1 : 1;

  async function planOf(name: string, values: unknown[]): Promise<Plan> {
    const [answer] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${statementTexts.get(name)!}`,
      values,
    );
    return answer!['QUERY PLAN'][0].Plan;
  }

  /** Those that read a table. */
  const nodesOf = (plan: Plan, table: string): Plan[] => [
    ...(plan['Relation Name'] === table ? [plan] : []),
    ...(plan.Plans ?? []).flatMap((child) => nodesOf(child, table)),
  ];

  /** Rows of a table that a statement reads, over all of its readings. */
  async function rowsRead(name: string, table: string, values: unknown[]): Promise<number> {
    return nodesOf(await planOf(name, values), table).reduce(
      (sum, plan) => sum + (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
      0,
    );
  }
});
