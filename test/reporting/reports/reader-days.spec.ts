import { v7 as uuid } from 'uuid';
import { CloseOrderDays } from '../../../src/reporting/reports/close-order-days';
import { OrderReport } from '../../../src/reporting/reports/order-report';
import type { MomentRange } from '../../../src/reporting/reports/utc-days';
import { addDays, momentsOf } from '../../../src/panel/dates/date-range';
import { insertUser } from '../../support/factories';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { createTestApp, type TestApp } from '../../support/test-app';

// Orders of other days are written without their holds.
breaksTheLedger();

const WALLET = uuid();
const HOUR_MS = 3_600_000;
/** Clocks go forward in New York on March 9, back on November 2; of Lord Howe they go by half an hour, on April 6 and October 5. */
const FIRST_DAYS = ['2025-03-07', '2025-04-04', '2025-10-03', '2025-10-31'];
const DAYS = 5;
const ZONES = [
  'UTC',
  'Asia/Calcutta',
  'Asia/Katmandu',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Australia/Lord_Howe',
];

interface Placed {
  readonly at: Date;
  readonly userId: string;
  readonly paidBy: 'balance' | 'subscription';
  readonly costSun: bigint;
  readonly failed: boolean;
}

describe("orders of a range of the reader's days", () => {
  let service: TestApp;
  const placed: Placed[] = [];
  const run = (text: string, values: unknown[]) => service.sql.execute({ name: '', text }, values as never);
  const between = (first: string, count: number, timeZone: string) =>
    momentsOf({ range: { from: first, to: addDays(first, count) }, timeZone }) as MomentRange;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const users = [
      await insertUser(service.orm, { email: 'ann@example.com' }),
      await insertUser(service.orm, { email: 'bob@example.com' }),
    ];
    await run(
      `insert into pool_wallets (id, name, address, role, key_source) values ($1, 'w', 'w', 'delegate', 'env:NONE')`,
      [WALLET],
    );
    for (const first of FIRST_DAYS) {
      const [begin, end] = [addDays(first, -1), addDays(first, DAYS + 1)].map((day) => Date.parse(day));
      // Often at the quarters of an hour, at which every zone's days begin, and a millisecond before them.
      for (let ms = begin!; ms < end!; ms += HOUR_MS / 4) {
        const n = placed.length;
        placed.push({
          at: new Date(n % 2 === 0 ? ms : ms - 1),
          userId: users[n % 3 === 0 ? 1 : 0]!,
          paidBy: n % 5 === 0 ? 'subscription' : 'balance',
          costSun: BigInt(1_000_000 + n),
          failed: n % 7 === 0,
        });
      }
    }
    await run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, activates, state, wallet_id, stake_sun,
         cost_sun, paid_by, answer, answer_code, created_at)
       select gen_random_uuid(), user_id, 'T', '1', 65000, 10, false, false, state, $1, 1, cost, paid_by,
              case state when 'failed' then 'failure' else 'success' end, case state when 'failed' then 'OUTCOME_UNKNOWN' end, at
         from unnest($2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::timestamptz[]) o (user_id, cost, paid_by, state, at)`,
      [
        WALLET,
        placed.map(({ userId }) => userId),
        placed.map(({ costSun }) => costSun.toString()),
        placed.map(({ paidBy }) => paidBy),
        // A few are never settled, so that their days are closed without them; nothing is charged for those.
        placed.map(({ failed }, n) => (failed ? 'failed' : n % 31 === 0 ? 'sent' : 'reclaimed')),
        placed.map(({ at }) => at.toISOString()),
      ],
    );
  });
  afterAll(() => service?.close());

  const isCharged = (order: Placed, n: number) => !order.failed && n % 31 !== 0;

  /** For each key: how many orders, and what they cost. */
  function expected({ from, to }: MomentRange, keyOf: (order: Placed) => string) {
    const sums: Record<string, [orders: bigint, failed: bigint, chargedSun: bigint]> = {};
    for (const [n, order] of placed.entries()) {
      if (order.at < from || order.at >= to) continue;
      const [orders, failed, charged] = sums[keyOf(order)] ?? [0n, 0n, 0n];
      sums[keyOf(order)] = [
        orders + 1n,
        failed + (order.failed ? 1n : 0n),
        charged + (isCharged(order, n) ? order.costSun : 0n),
      ];
    }
    return sums;
  }

  type Counts = { readonly orders: bigint; readonly failed: bigint; readonly charged_sun: bigint };
  const shown = <Row extends Counts>(rows: readonly Row[], keyOf: (row: Row) => string) =>
    Object.fromEntries(rows.map((row) => [keyOf(row), [row.orders, row.failed, row.charged_sun]]));

  async function expectExact(range: MomentRange, context: string): Promise<void> {
    const report = service.app.get(OrderReport);
    const all = await report.read(range, false);
    expect([context, shown([all.total], () => 'all')]).toEqual([context, expected(range, () => 'all')]);
    expect(shown(all.users, ({ userId }) => userId)).toEqual(expected(range, ({ userId }) => userId));
    expect(shown(all.payers, ({ paidBy }) => paidBy)).toEqual(expected(range, ({ paidBy }) => paidBy));
    const utcDay = (at: Date) => at.toISOString().slice(0, 10);
    expect(shown(all.times, ({ at }) => utcDay(at))).toEqual(expected(range, ({ at }) => utcDay(at)));
    const { userId } = placed[0]!;
    const own = expected(range, (order) => order.userId)[userId];
    expect(shown([(await report.read(range, false, userId)).total], () => userId)[userId]).toEqual(own);
    const customers = await report.customers(range);
    expect(customers.reduce((sum, { orders }) => sum + orders, 0n)).toBe(all.total.orders);
    const lost = await report.lostByCode(range);
    expect(lost.reduce((sum, { failed }) => sum + failed, 0n)).toBe(all.total.failed);
  }

  async function expectHours(range: MomentRange, context: string): Promise<void> {
    const hourOf = (at: Date) =>
      Math.floor((at.getTime() - range.from.getTime()) / HOUR_MS)
        .toString()
        .padStart(2, '0');
    const { times } = await service.app.get(OrderReport).read(range, true);
    expect([context, shown(times, ({ at }) => hourOf(at))]).toEqual([context, expected(range, ({ at }) => hourOf(at))]);
  }

  /** Bars that begin with each of the reader's days. */
  async function expectDays(first: string, count: number, timeZone: string): Promise<void> {
    const range = between(first, count, timeZone);
    const begins = Array.from({ length: count }, (_, n) => between(addDays(first, n), 1, timeZone).from);
    const dayOf = (at: Date) =>
      begins
        .findLast((begin) => begin <= at)!
        .getTime()
        .toString();
    const reports = service.app.get(OrderReport);
    for (const userId of [null, placed[0]!.userId]) {
      const bars = await reports.bars(range, begins, userId);
      const sums = expected(range, ({ at, userId: of }) => (userId === null || userId === of ? dayOf(at) : 'others'));
      delete sums['others'];
      expect(shown(bars, ({ at }) => at.getTime().toString())).toEqual(sums);
    }
  }

  async function expectEveryRange(): Promise<void> {
    for (const day of FIRST_DAYS) {
      const [from, to] = ['05:15', '07:45'].map((time) => new Date(`${day}T${time}Z`)) as [Date, Date];
      await expectExact({ from, to }, `${day}, some hours of it`);
    }
    for (const timeZone of ZONES)
      for (const first of FIRST_DAYS)
        for (const [skipped, count] of [
          [0, 1],
          [1, 1],
          [2, 1],
          [0, 2],
          [1, 4],
          [0, DAYS],
        ] as const) {
          const day = addDays(first, skipped);
          const range = between(day, count, timeZone);
          await expectExact(range, `${timeZone} ${day}, ${count} days`);
          await expectDays(day, count, timeZone);
          if (count === 1) await expectHours(range, `${timeZone} ${day} by the hour`);
        }
  }

  it('has days of 23, 25, 23.5 and 24.5 hours', () => {
    const hours = (day: string, timeZone: string) => {
      const { from, to } = between(day, 1, timeZone);
      return (to.getTime() - from.getTime()) / HOUR_MS;
    };
    expect(hours('2025-03-09', 'America/New_York')).toBe(23);
    expect(hours('2025-11-02', 'America/New_York')).toBe(25);
    expect(hours('2025-10-05', 'Australia/Lord_Howe')).toBe(23.5);
    expect(hours('2025-04-06', 'Australia/Lord_Howe')).toBe(24.5);
  });

  it('are the same to the millisecond while its days are open, while some are closed, and once all are', async () => {
    await expectEveryRange();
    const close = (until: string) => service.app.get(CloseOrderDays).run(Date.parse(until));
    // In the middle of a range of days.
    await close('2025-10-06T02:00:00Z');
    await expectEveryRange();
    await close('2025-11-30T00:00:00Z');
    const [closed] = await service.sql.rows<unknown[], { days: number; late: number }>(
      {
        name: '',
        text: 'select (select count(distinct day) from order_days)::integer as days, (select count(*) from late_orders)::integer as late',
      },
      [],
    );
    expect(closed!.days).toBeGreaterThanOrEqual(FIRST_DAYS.length * (DAYS + 2));
    expect(closed!.late).toBeGreaterThan(0);
    await expectEveryRange();
  });
});
