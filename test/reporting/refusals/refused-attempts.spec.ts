import { RefusedAttemptRepository } from '../../../src/reporting/refusals/refused-attempt.repository';
import { RefusedAttempts } from '../../../src/reporting/refusals/refused-attempts';
import { RefusalsSchedule } from '../../../src/reporting/refusals/refusals.schedule';
import { OrderWorld, type TokenCaller } from '../../support/order-world';
import type { TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const NEVER = { from: '2000-01-01', to: '2999-01-01' };
const ALL = { before: null, from: null, to: null, limit: 1_000 };

describe('orders that are refused before they have a row', () => {
  let world: OrderWorld;
  let receiver: string;

  beforeAll(async () => {
    // The schedule is off: what is written, and how often, is for each test to say.
    world = await OrderWorld.open({ backgroundWork: false, env: { ANSWER_TIMEOUT: '2s' } });
    receiver = await world.receiver();
  });
  afterAll(() => world?.close());

  const repository = () => world.app.app.get(RefusedAttemptRepository);
  const flush = (app: TestApp = world.app) => app.app.get(RefusedAttempts).flush();
  const listed = (caller: TokenCaller) => repository().list(caller.id, ALL);
  const countsOf = async ({ id }: TokenCaller) => {
    const counts: Record<string, number> = {};
    for (const { userId, code, attempts } of await repository().days(NEVER, 0n, 1_000)) {
      if (userId === id) counts[code] = (counts[code] ?? 0) + Number(attempts);
    }
    return counts;
  };

  it('are counted by reason, and kept with what was asked for', async () => {
    const poor = await world.caller({ balance: 0 });
    const { headers } = await world.delegate(poor, { receiver_address: receiver, amount: 1.5 });
    await world.delegate(poor, { amount: 0, time: 5 });
    await flush();
    expect(await countsOf(poor)).toEqual({ INSUFFICIENT_BALANCE: 1, VALIDATION_FAILED: 1 });
    const [wrong, unpaid] = await listed(poor);
    expect(wrong).toMatchObject({ code: 'VALIDATION_FAILED', fields: ['receiver_address', 'amount', 'time'] });
    expect(unpaid).toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      fields: null,
      receiver,
      amount: '1.5',
      token: 'test',
    });
    expect(unpaid).toMatchObject({ requestId: headers.get('x-request-id'), times: 1n });
  });

  it('belong to the customer too when the token lacks the permission, or is used from elsewhere', async () => {
    const elsewhere = await world.caller({ balance: 10, limits: { ips: ['203.0.113.0/24'] } });
    expect((await world.delegate(elsewhere, { receiver_address: receiver, amount: 1 })).status).toBe(401);
    await flush();
    expect(await countsOf(elsewhere)).toEqual({ PERMISSION_DENIED: 1 });
  });

  it('are none when the order has a row: an answered one, and one without a good token', async () => {
    const rich = await world.caller({ balance: 10 });
    const refused = await world.delegate({ ...rich, token: 'eds_nobody' }, { receiver_address: receiver, amount: 1 });
    expect(refused.status).toBe(401);
    // Refused by the node: a failure, on its row.
    const fault = { route: 'wallet/broadcasttransaction', kind: 'CONTRACT_VALIDATE_ERROR', count: 100 };
    await world.control('fault', fault);
    const failed = await world.delegate(rich, { receiver_address: receiver, amount: 1 });
    await world.control('fault', { ...fault, kind: 'none' });
    expect(failed.status).toBe(500);
    expect(failed.headers.get('x-delegation-id')).not.toBeNull();
    await flush();
    expect(await countsOf(rich)).toEqual({});
  });

  it('keep nothing of what was pasted into the wrong field', async () => {
    const careless = await world.caller();
    const secret = 'eds_0123456789abcdefghijklmnopqrst';
    expect(secret).toHaveLength(34);
    await world.delegate(careless, { receiver_address: secret, amount: secret });
    await world.delegate(careless, secret);
    await flush();
    expect(await countsOf(careless)).toEqual({ VALIDATION_FAILED: 1, MALFORMED_BODY: 1 });
    const kept = JSON.stringify(await listed(careless), (_, value: unknown) => (typeof value === 'bigint' ? 0 : value));
    // Nor a part of it.
    expect(kept).not.toContain(secret.slice(0, 12));
  });

  it('cost one write and no more rows than are kept, however many there are', async () => {
    const flooding = await world.caller();
    const attempts = world.app.app.get(RefusedAttempts);
    const { id: userId, tokenId } = flooding;
    const one = { at: new Date(), userId, tokenId, code: 'RATE_LIMITED', fields: [], requestId: null };
    const before = (world.app.sql as unknown as { pool: { totalCount: number } }).pool.totalCount;
    for (let round = 0; round < 25; round += 1) {
      // Each of these calls is another one.
      for (let n = 0; n < 2_000; n += 1) attempts.note({ ...one, receiver: null, amount: String(n) });
      await attempts.flush();
    }
    expect((world.app.sql as unknown as { pool: { totalCount: number } }).pool.totalCount).toBeLessThanOrEqual(
      before + 1,
    );
    expect(await countsOf(flooding)).toEqual({ RATE_LIMITED: 50_000 });
    expect((await listed(flooding)).length).toBeLessThanOrEqual(220);
    expect((await listed(flooding)).length).toBeGreaterThanOrEqual(200);
    const rows = await world.app.sql.rows<unknown[], { count: bigint }>(
      { name: 'test_refused_days', text: 'select count(*) from refused_attempt_days where user_id = $1' },
      [userId],
    );
    expect(rows).toEqual([{ count: 1n }]);
  });

  it('are one row with its times when they are equal', async () => {
    const stubborn = await world.caller({ balance: 0 });
    for (let n = 0; n < 3; n += 1) await world.delegate(stubborn, { receiver_address: receiver, amount: 1 });
    await flush();
    const [only, ...others] = await listed(stubborn);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ times: 3n, code: 'INSUFFICIENT_BALANCE' });
    expect(only!.firstAt < only!.lastAt).toBe(true);
  });

  it('are counted together by several instances that write at the same time', async () => {
    const other = await world.startInstance({}, false);
    const callers = await Promise.all(Array.from({ length: 8 }, () => world.caller({ balance: 0 })));
    const order = { receiver_address: receiver, amount: 1 };
    const answersOf = (caller: (typeof callers)[number]) =>
      Promise.all([world.app, other].map((app) => world.delegate(caller, order, {}, app)));
    const answers = await Promise.all(callers.map(answersOf));
    await Promise.all([flush(), flush(other)]);
    for (const [at, caller] of callers.entries()) {
      // On a busy machine one of them may be answered that no block was verified yet.
      const codes = answers[at]!.map(({ headers }) => headers.get('x-error-code')!);
      const counts = await countsOf(caller);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(2);
      for (const code of codes) expect(counts[code]).toBe(codes.filter((one) => one === code).length);
    }
  });

  it('wait while the database is away, and are written once it is back', async () => {
    const caller = await world.caller({ balance: 0 });
    await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const add = jest.spyOn(repository(), 'add').mockRejectedValueOnce(new Error('away'));
    await expect(flush()).rejects.toThrow('away');
    expect(await countsOf(caller)).toEqual({});
    await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    await flush();
    add.mockRestore();
    expect(await countsOf(caller)).toEqual({ INSUFFICIENT_BALANCE: 2 });
    expect((await listed(caller)).map(({ times }) => times)).toEqual([2n]);
  });

  it('are written by an instance that ends', async () => {
    const caller = await world.caller({ balance: 0 });
    const ending = await world.startInstance({}, false);
    await world.delegate(caller, { receiver_address: receiver, amount: 1 }, {}, ending);
    await world.stopInstance(ending);
    expect(await countsOf(caller)).toEqual({ INSUFFICIENT_BALANCE: 1 });
  });

  it('are forgotten when they are older than RETAIN_REFUSALS, and no sooner', async () => {
    const caller = await world.caller();
    const attempts = world.app.app.get(RefusedAttempts);
    const { id: userId, tokenId } = caller;
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    for (const at of [days(91.5), days(89)]) {
      attempts.note({
        at,
        userId,
        tokenId,
        code: 'PAUSED',
        fields: [],
        receiver: null,
        amount: at.toISOString().slice(0, 4),
        requestId: null,
      });
      await attempts.flush();
    }
    expect(await countsOf(caller)).toEqual({ PAUSED: 2 });
    const working = await world.startInstance();
    await working.app.get(RefusalsSchedule).sweep();
    await until('the old one is gone', async () => (await countsOf(caller))['PAUSED'] === 1);
    expect(await listed(caller)).toHaveLength(1);
    await world.stopInstance(working);
  });
});
