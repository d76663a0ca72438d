import { v7 as uuid } from 'uuid';
import { statementTexts } from '../../../src/database/statement';
import { CloseOrderDays } from '../../../src/reporting/reports/close-order-days';
import { RefusedAttemptRepository } from '../../../src/reporting/refusals/refused-attempt.repository';
import { downMinutes } from '../../../src/reporting/service-record/down-minutes';
import { IncidentRepository } from '../../../src/reporting/service-record/incident.repository';
import { ServiceRecordRepository } from '../../../src/reporting/service-record/service-record.repository';
import { insertUser } from '../../support/factories';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { createTestApp, type TestApp } from '../../support/test-app';

// Orders of other days are written without their holds.
breaksTheLedger();

const WALLET = uuid();
const DAY_MS = 86_400_000;
const dayAgo = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);
const at = (ago: number) => `${dayAgo(ago)}T06:00:00Z`;

interface PastOrder {
  readonly ago: number;
  readonly state?: string;
  readonly answer?: 'none' | 'success' | 'failure';
  readonly code?: string;
  /** Until its block; none: it is in no block. */
  readonly ms?: number;
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

describe('the record of 90 days', () => {
  let service: TestApp;
  let user: string;
  const run = (text: string, values: unknown[] = []) => service.sql.execute({ name: '', text }, values as never);
  const read = () => service.app.get(ServiceRecordRepository).read();
  const close = () => service.app.get(CloseOrderDays).run(Date.now());
  const dayOf = async (ago: number) => (await read()).days.find(({ date }) => date === dayAgo(ago));

  beforeEach(async () => {
    service = await createTestApp({ backgroundWork: false });
    user = await insertUser(service.orm, { email: 'ann@example.com', balance: 1 });
    await run(
      `insert into pool_wallets (id, name, address, role, key_source) values ($1, 'w', 'w', 'delegate', 'env:NONE')`,
      [WALLET],
    );
  });
  afterEach(() => service.close());

  async function order({ ago, state = 'reclaimed', answer = 'success', code, ms }: PastOrder): Promise<string> {
    const id = uuid();
    await run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
         paid_by, answer, answer_code, created_at, delegated_at)
       values ($1, $2, 'T', '1', 65000, 10, false, $3, $4, 1, 3, 'balance', $5, $6, $7, $7::timestamptz + $8::float8 * interval '1 millisecond')`,
      [id, user, state, WALLET, answer, code ?? null, at(ago), ms ?? null],
    );
    return id;
  }

  it('has each of 90 UTC days, with zeros where there was no order, and no time to inclusion', async () => {
    const { days, inclusionMs } = await read();
    expect(days.map(({ date }) => date)).toEqual(Array.from({ length: 90 }, (_, index) => dayAgo(89 - index)));
    expect(new Set(days.map(({ orders, failed }) => `${orders} ${failed}`))).toEqual(new Set(['0 0']));
    expect(inclusionMs).toEqual({ p50: null, p95: null });
  });

  it('counts as failed what came to nothing, not what is under way or was refused for something of the caller', async () => {
    await order({ ago: 0, ms: 900 });
    await order({ ago: 0, answer: 'none', state: 'reclaimed', ms: 900 });
    await order({ ago: 0, answer: 'failure', state: 'sent', code: 'OUTCOME_UNKNOWN' });
    await order({ ago: 0, answer: 'failure', state: 'failed', code: 'INSUFFICIENT_ENERGY' });
    await order({ ago: 0, answer: 'none', state: 'failed' });
    // Answered with success, and never landed.
    await order({ ago: 0, answer: 'success', state: 'failed' });
    await order({ ago: 0, answer: 'failure', state: 'taken_back', code: 'NODE_UNAVAILABLE', ms: 60_000 });
    await order({ ago: 0, answer: 'none', state: 'sent' });
    await order({ ago: 0, answer: 'failure', state: 'failed', code: 'RECEIVER_IS_CONTRACT' });
    expect(await dayOf(0)).toMatchObject({ orders: 7n, failed: 5n });
  });

  it('counts refused attempts of 500 and want of energy alone, also when their rows are gone', async () => {
    const attempts = service.app.get(RefusedAttemptRepository);
    const codes = {
      INSUFFICIENT_ENERGY: 2,
      PAUSED: 3,
      INTERNAL: 5,
      NODE_UNAVAILABLE: 7,
      ACTIVATION_UNAVAILABLE: 11,
      OUTCOME_UNKNOWN: 13,
      INSUFFICIENT_BALANCE: 1_000,
      TOKEN_LIMIT_REACHED: 1_000,
      RATE_LIMITED: 1_000,
      PERMISSION_DENIED: 1_000,
      UNAUTHENTICATED: 1_000,
      VALIDATION_FAILED: 1_000,
      RECEIVER_NOT_ACTIVATED: 1_000,
      IDEMPOTENCY_KEY_REUSED: 1_000,
      NOT_FOUND: 1_000,
      COST_ABOVE_MAX: 1_000,
    };
    const rows = Object.entries(codes).map(([code, times]) => ({
      day: dayAgo(20),
      user_id: user,
      code,
      attempts: times,
    }));
    await attempts.add(rows, []);
    await attempts.add([{ day: dayAgo(20), user_id: user, code: 'INTERNAL', attempts: 1 }], []);
    expect(await dayOf(20)).toMatchObject({ orders: 42n, failed: 42n });
    await attempts.deleteOld(DAY_MS);
    expect(await dayOf(20)).toMatchObject({ orders: 42n, failed: 42n });
  });

  it('is the same before and after its days are closed, and gets late orders once they are settled', async () => {
    for (const ms of [400, 800, 1_200, 3_000, 9_000]) await order({ ago: 40, ms });
    for (const ms of [2_000, 2_000, 2_000, 2_000]) await order({ ago: 3, ms });
    await order({ ago: 3, answer: 'failure', state: 'failed', code: 'INTERNAL' });
    const late = await order({ ago: 3, answer: 'none', state: 'sent' });
    const lost = await order({ ago: 3, answer: 'success', state: 'sent' });
    const before = await read();
    expect(before.days.find(({ date }) => date === dayAgo(3))).toMatchObject({ orders: 6n, failed: 1n });
    expect(await close()).toBeGreaterThan(30);
    expect(await read()).toEqual(before);
    await run(
      `update delegations set state = 'delegated', delegated_at = created_at + interval '2 seconds' where id = $1`,
      [late],
    );
    await run(`update delegations set state = 'failed' where id = $1`, [lost]);
    const settled = await read();
    expect(settled.days.find(({ date }) => date === dayAgo(3))).toMatchObject({ orders: 7n, failed: 2n });
    await close();
    expect(await service.sql.rows({ name: '', text: 'select id from late_orders' }, [])).toEqual([]);
    expect(await read()).toEqual(settled);
    // Another instance closes nothing a second time.
    await close();
    expect(await read()).toEqual(settled);
  });

  it('gives times to inclusion within 2.5 % of the exact ones', async () => {
    const times = Array.from({ length: 200 }, (_, index) => 37 * (index + 1));
    for (const [index, ms] of times.entries()) await order({ ago: 1 + (index % 60), ms });
    await close();
    const { p50, p95 } = (await read()).inclusionMs;
    for (const [percent, found] of [
      [50, p50!],
      [95, p95!],
    ] as const) {
      const exact = times[Math.ceil((times.length * percent) / 100) - 1]!;
      expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(0.025);
    }
  });

  it('reads no order of a closed day', async () => {
    await run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
         paid_by, answer, created_at, delegated_at)
       select gen_random_uuid(), $1, 'T', '1', 65000, 10, false, 'reclaimed', $2, 1, 3, 'balance', 'success', d, d + interval '1 second'
         from generate_series(1, 4000) n, lateral (select now() - interval '3 days' - n * interval '20 minutes' as d) x`,
      [user, WALLET],
    );
    await order({ ago: 0, ms: 700 });
    await close();
    await run('analyze');
    expect(await rowsRead('delegations', 'service_record')).toBeLessThanOrEqual(1);
    expect((await read()).days.reduce((sum, { orders }) => sum + orders, 0n)).toBe(4_001n);
  });

  it('reads of the audit log little besides the pauses, however long the log is', async () => {
    const others = `insert into audit_log (at, address, action, subject, outcome, after, service)
      select now() - interval '1 year' + n * interval '10 minutes', 'here', 'token.create', 'user ' || n % 500, 'done', '{}',
             case when n % 10 = 0 then 'webhooks' end from generate_series(1, 20000) n`;
    await run(others);
    const since = new Date(Date.now() - 50 * DAY_MS);
    for (const [action, after] of [
      ['orders.pause', { since: since.toISOString(), reason: 'a test' }],
      ['orders.resume', {}],
    ] as const)
      await run(
        `insert into audit_log (at, address, action, subject, outcome, after) values ($1, 'here', $2, 'service', 'done', $3)`,
        [since, action, JSON.stringify(after)],
      );
    for (const state of ['paused', 'active'])
      await run(
        `insert into audit_log (at, address, action, subject, outcome, after, service) values ($1, 'here', 'wallet.state', 'wallet w', 'done', $2, 'reconciler')`,
        [since, JSON.stringify({ state })],
      );
    await run(others);
    await run('analyze');
    const begin = new Date(Date.now() - 90 * DAY_MS);
    expect(await service.app.get(IncidentRepository).since(begin)).toHaveLength(2);
    expect(await rowsRead('audit_log', 'service_record_incidents', [begin])).toBeLessThan(50);
  });

  /** Rows of a table that a statement reads, over all of its readings. */
  async function rowsRead(table: string, name: string, values: unknown[] = []): Promise<number> {
    const [answer] = await service.sql.rows<readonly unknown[], { 'QUERY PLAN': [{ Plan: Plan }] }>(
      { name: '', text: `explain (analyze, format json) ${statementTexts.get(name)!}` },
      values,
    );
    const rowsOf = (plan: Plan): number =>
      (plan['Relation Name'] === table
        ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
        : 0) + (plan.Plans ?? []).reduce((total, child) => total + rowsOf(child), 0);
    return rowsOf(answer!['QUERY PLAN'][0].Plan);
  }
});

describe('minutes in which orders were paused', () => {
  const span = (from: string, until: string | null) => ({
    from: new Date(from),
    until: until === null ? null : new Date(until),
  });
  const now = new Date('2026-03-10T12:00:30Z');

  it('belong to the days that they lie in, also over midnight and before the first day', () => {
    const pauses = [
      span('2025-12-01T00:00:00Z', '2026-03-01T00:05:00Z'),
      span('2026-03-02T23:50:00Z', '2026-03-04T00:10:00Z'),
      span('2026-03-04T08:00:00Z', '2026-03-04T08:00:01Z'),
    ];
    const minutes = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'].map((date) =>
      downMinutes(date, pauses, now),
    );
    expect(minutes).toEqual([1_440, 5, 10, 1_440, 11, 0]);
  });

  it('go on until now while the pause lasts', () => {
    const pauses = [span('2026-03-09T23:00:00Z', null)];
    const minutes = ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11'].map((date) =>
      downMinutes(date, pauses, now),
    );
    expect(minutes).toEqual([0, 60, 721, 0]);
  });
});
