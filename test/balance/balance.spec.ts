import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { LedgerService } from '../../src/balance/ledger.service';
import { BillingService } from '../../src/billing/billing.service';
import { statement } from '../../src/database/statement';
import { liftPromises } from '../support/lifted-promises';
import { insertUser } from '../support/factories';
import { freezeDate } from '../support/frozen-date';
import { expectLedgerConsistent } from '../support/ledger-consistency';
import { Orders } from '../support/payers';
import { createTestApp, type TestApp } from '../support/test-app';

describe.each(['A', 'B'])('GET /api/user/balance in variant %s', (variant) => {
  const date = freezeDate();
  let service: TestApp;

  beforeAll(async () => {
    service = await createTestApp({
      env: { BILLING_VARIANT: variant },
    });
  });
  afterEach(() => expectLedgerConsistent(service.sql));
  afterAll(() => service.close());

  async function newCaller(balance = 0, permissions = ['balance']) {
    const userId = await insertUser(service.orm, { balance });
    const { token } = await service.app.get(ApiTokenService).create({ userId, name: 'test', permissions });
    return { userId, token };
  }

  async function ask(token?: string) {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${service.url}/api/user/balance`, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  async function askOnce(token: string) {
    date.advance(5_000);
    const { status, text } = await ask(token);
    expect(status).toBe(200);
    return text;
  }

  it('200: answers exactly what can be spent, and when that last changed', async () => {
    const { userId, token } = await newCaller(100);
    const created = await askOnce(token);
    expect(created).toMatch(
      /^\{"success":true,"data":\{"balance":100,"updated_at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"\}\}$/,
    );
    await service.app.get(LedgerService).credit({ userId, amountSun: 1n, note: 'a sun' });
    expect(await askOnce(token)).toContain('"balance":100.000001,');
    const credited = await askOnce(token);
    expect(credited > created).toBe(true);
  });

  it('200: leaves out what is held, and shows the time of the hold', async () => {
    const { userId, token } = await newCaller(10);
    const before = JSON.parse(await askOnce(token)) as { data: { updated_at: string } };
    const orders = new Orders(service.sql, service.app.get(BillingService));
    const { id } = await orders.place(userId, '1', true);
    const held = JSON.parse(await askOnce(token)) as typeof before;
    expect(held.data).toMatchObject({ balance: variant === 'A' ? 5.5 : 6 });
    expect(held.data.updated_at > before.data.updated_at).toBe(true);
    await orders.land(id);
    expect(JSON.parse(await askOnce(token))).toEqual(held);
  });

  it('200: writes an amount that no double can hold to the last digit', async () => {
    const { userId, token } = await newCaller();
    await service.app.get(LedgerService).credit({ userId, amountSun: 9_007_199_254_740_993n, note: '2^53 + 1 sun' });
    expect(await askOnce(token)).toContain('"balance":9007199254.740993,');
  });

  it('200: answers an account without a movement with 0 and the time of its creation', async () => {
    const { userId, token } = await newCaller();
    const { created_at: createdAt } = (await service.sql.row(
      statement<[userId: string], { created_at: Date }>(
        'test_account_created',
        'select updated_at as created_at from accounts where user_id = $1',
      ),
      [userId],
    ))!;
    const { data } = JSON.parse(await askOnce(token)) as { data: { balance: number; updated_at: string } };
    expect(data.balance).toBe(0);
    expect(data.updated_at.slice(0, 23)).toBe(createdAt.toISOString().slice(0, 23));
  });

  it('401: refuses a caller without a live token, and one without the permission', async () => {
    const withoutPermission = await newCaller(1, ['delegate']);
    for (const [token, error] of [
      [undefined, '用户未登录'],
      ['nonsense', '用户未登录'],
      [withoutPermission.token, '令牌权限不足'],
    ] as const) {
      const answer = await ask(token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.text).toBe(JSON.stringify({ success: false, error }));
    }
  });

  it('429: answers one call per user in 5 seconds', async () => {
    const { token } = await newCaller(1);
    await askOnce(token);
    const refused = await ask(token);
    expect(refused.status).toBe(429);
    expect(refused.text).toBe('{"success":false,"error":"请求过于频繁,请5秒后再试"}');
    expect(refused.headers.get('retry-after')).toBe('5');
    await askOnce(token);
  });

  it('500: says so in its own words, and nothing of what went wrong', async () => {
    const { userId, token } = await newCaller();
    await liftPromises((text) => service.sql.execute({ name: '', text }));
    await service.sql.execute({ name: 'test_lose', text: 'delete from accounts where user_id = $1' }, [userId]);
    date.advance(5_000);
    const failed = await ask(token);
    await service.sql.execute({ name: 'test_find', text: 'insert into accounts (user_id) values ($1)' }, [userId]);
    expect(failed.status).toBe(500);
    expect(failed.headers.get('x-error-code')).toBe('INTERNAL');
    expect(failed.text).toBe('{"success":false,"error":"获取余额失败: 服务器内部错误"}');
  });
});
