import { UserAdminService } from '../../../src/admin/user-admin.service';
import { PriceChangeRepository } from '../../../src/reporting/earnings/price-change.repository';
import { insertUser } from '../../support/factories';
import { createTestApp, type TestApp } from '../../support/test-app';

const dayAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);

describe('what a change of a price did', () => {
  let service: TestApp;
  let ann: string;
  let bob: string;
  const run = (text: string, values: unknown[] = []) => service.sql.execute({ name: '', text }, values as never);
  const read = (from = 30, to = -1) =>
    service.app.get(PriceChangeRepository).read({ from: dayAgo(from), to: dayAgo(to) });
  const change = (userId: string, ago: number, was: string, is: string) =>
    run(
      `insert into audit_log (at, address, action, subject, outcome, before, after)
       values ($1, '', 'user.settings', $2, 'done', $3::jsonb, $4::jsonb)`,
      [
        `${dayAgo(ago)}T15:00:00Z`,
        `user ${userId}`,
        JSON.stringify({ unit_price: was }),
        JSON.stringify({ unit_price: is }),
      ],
    );
  const ordered = (user: string, ago: number, transactions: number, trx: number) =>
    run(
      `insert into order_days (day, user_id, paid_by, orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun)
       values ($1, $2, 'balance', 1, 1, 0, $3, $4, 1, 0, 0)`,
      [dayAgo(ago), user, trx * 1_000_000, transactions * 65_000],
    );

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { BILLING_VARIANT: 'B' } });
    ann = await insertUser(service.orm, { email: 'ann@example.com', balance: 1 });
    bob = await insertUser(service.orm, { email: 'bob@example.com', balance: 1 });
    await run(`update users set created_at = $1 where email = 'ann@example.com'`, [`${dayAgo(40)}T00:00:00Z`]);
    await run(`update users set created_at = $1 where email = 'bob@example.com'`, [`${dayAgo(3)}T00:00:00Z`]);
    await run('insert into closed_order_days (day) select $1::date - n from generate_series(1, 40) n', [dayAgo(0)]);
  });
  afterAll(() => service.close());

  it('is nothing where no price was changed, whatever else was', async () => {
    await run(
      `insert into audit_log (address, action, subject, outcome, before, after)
       values ('', 'user.settings', $1, 'done', '{"name": "a", "unit_price": "2.4"}', '{"name": "b", "unit_price": "2.4"}'),
              ('', 'user.settings', $1, 'refused', '{"unit_price": "2.4"}', '{"unit_price": "2.1"}')`,
      [`user ${ann}`],
    );
    expect(await read()).toEqual([]);
  });

  it('compares equal numbers of whole days: not the day of the change, none of another price, none before the customer was there', async () => {
    await change(ann, 10, 'default', '2.200000');
    await change(ann, 6, '2.200000', '2.300000');
    await change(bob, 2, 'default', '2.100000');
    // Before the first change 4 transactions a day, 8 until the second one, then 6; the days of the changes are busier, as is the fourth before.
    for (const ago of [13, 12, 11]) await ordered(ann, ago, 4, 10);
    for (const ago of [9, 8, 7]) await ordered(ann, ago, 8, 16);
    for (const ago of [5, 4, 3, 2, 1]) await ordered(ann, ago, 6, 13);
    for (const ago of [14, 10, 6]) await ordered(ann, ago, 1_000, 1_000);
    const shown = (await read()).map(({ user, was, is, days, before, after }) => [user, was, is, days, before, after]);
    const sums = (transactions: bigint, trx: bigint) => ({
      energy: transactions * 65_000n,
      chargedSun: trx * 1_000_000n,
    });
    expect(shown).toEqual([
      ['bob@example.com', 'default', '2.100000', 0, sums(0n, 0n), sums(0n, 0n)],
      ['ann@example.com', '2.200000', '2.300000', 3, sums(24n, 48n), sums(18n, 39n)],
      ['ann@example.com', 'default', '2.200000', 3, sums(12n, 30n), sums(24n, 48n)],
    ]);
    expect(await read(30, 10)).toEqual([]);
  });

  it('begins with what an operator has just changed', async () => {
    await service.app
      .get(UserAdminService)
      .update({ id: null, address: 'olga@here' }, 'bob@example.com', { unitPriceSun: 2_250_000n });
    expect((await read())[0]).toMatchObject({ user: 'bob@example.com', was: 'default', is: '2.250000', days: 0 });
  });
});
