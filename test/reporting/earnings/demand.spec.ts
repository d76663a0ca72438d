import { v7 as uuid } from 'uuid';
import { DemandRepository } from '../../../src/reporting/earnings/demand.repository';
import { CloseOrderDays } from '../../../src/reporting/reports/close-order-days';
import { insertUser } from '../../support/factories';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { createTestApp, type TestApp } from '../../support/test-app';

// Orders for their figures alone, without holds.
breaksTheLedger();

const WALLET = uuid();
const dayAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);

describe('what was ordered by the hour', () => {
  let service: TestApp;
  let user: string;
  const run = (text: string, values: unknown[] = []) => service.sql.execute({ name: '', text }, values as never);
  const repository = () => service.app.get(DemandRepository);
  const read = async () =>
    (await repository().read({ from: dayAgo(5), to: dayAgo(2) })).map(({ at, orders, energy }) => [
      at.toISOString(),
      orders,
      energy,
    ]);
  const order = (at: string, energy: number, state = 'reclaimed', answer = 'success') =>
    run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
         paid_by, answer, created_at)
       values ($1, $2, 'T', '1', $3, 10, false, $4, $5, 1, 1, 'balance', $6, $7)`,
      [uuid(), user, energy, state, WALLET, answer, at],
    );

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    user = await insertUser(service.orm, { email: 'ann@example.com', balance: 1 });
    await run(
      `insert into pool_wallets (id, name, address, role, key_source) values ($1, 'w', 'w', 'delegate', 'env:NONE')`,
      [WALLET],
    );
  });
  afterAll(() => service.close());

  it('is nothing before the first order', async () => {
    expect(await repository().first()).toBeNull();
    expect(await read()).toEqual([]);
  });

  it('counts orders whatever became of them, before their days are closed as after it, and late ones once', async () => {
    await order(`${dayAgo(6)}T23:59:59.999999Z`, 1);
    await order(`${dayAgo(5)}T00:00:00Z`, 65_000);
    await order(`${dayAgo(5)}T00:59:59.999999Z`, 130_000, 'failed', 'failure');
    await order(`${dayAgo(5)}T01:00:00Z`, 65_000);
    await order(`${dayAgo(3)}T12:30:00Z`, 65_000, 'sent');
    await order(`${dayAgo(3)}T12:40:00Z`, 65_000);
    await order(`${dayAgo(2)}T00:00:00Z`, 1);
    const expected = [
      [`${dayAgo(5)}T00:00:00.000Z`, 2n, 195_000n],
      [`${dayAgo(5)}T01:00:00.000Z`, 1n, 65_000n],
      [`${dayAgo(3)}T12:00:00.000Z`, 2n, 130_000n],
    ];
    expect(await read()).toEqual(expected);
    const close = () => service.app.get(CloseOrderDays).run(Date.now());
    expect(await close()).toBeGreaterThan(4);
    expect(await read()).toEqual(expected);
    await run(`update delegations set state = 'reclaimed' where state = 'sent'`);
    await close();
    expect(await read()).toEqual(expected);
    expect(await repository().first()).toEqual(new Date(`${dayAgo(6)}T23:00:00Z`));
  });
});
