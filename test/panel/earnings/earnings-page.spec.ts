import { v7 as uuid } from 'uuid';
import { UserAdminService } from '../../../src/admin/user-admin.service';
import { CloseOrderDays } from '../../../src/reporting/reports/close-order-days';
import { insertUser } from '../../support/factories';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { insertPastOrders } from '../../support/past-orders';
import { createTestApp, type TestApp } from '../../support/test-app';

// Orders for their figures alone, without holds.
breaksTheLedger();

const PAGE = '/panel/operator/earnings';
const dayAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
const RANGE = `from=${dayAgo(10)}&to=${dayAgo(1)}`;

describe('the page about what the stake earns', () => {
  let service: TestApp;
  let panel: PanelClient;
  let user: string;
  const run = (text: string, values: unknown[] = []) => service.sql.execute({ name: '', text }, values as never);
  const page = async (query = RANGE) => (await panel.get(`${PAGE}?${query}`)).text.replaceAll('\u202f', ' ');
  const rowOf = (text: string, name: string) => {
    const row = text.match(/<tr role="row".*?<\/tr>/gs)!.find((one) => one.includes(name))!;
    return [...row.matchAll(/<div class="cell">(.*?)<\/div>/gs)].map(([, cell]) =>
      cell!.replace(/<[^>]*>/g, '').trim(),
    );
  };

  async function open(variant: 'A' | 'B'): Promise<void> {
    service = await createTestApp({ backgroundWork: false, env: { BILLING_VARIANT: variant } });
    const operator = await insertPanelUser(service, { operator: true });
    user = await insertUser(service.orm, { email: 'ann@example.com', balance: 1 });
    panel = new PanelClient(service.url);
    await panel.signIn(operator.email, operator.password);
  }
  afterEach(() => service.close());

  async function wallet(name: string, stakeTrx: number, state = 'active'): Promise<string> {
    const id = uuid();
    await run(
      `insert into pool_wallets (id, name, address, role, key_source, stake_sun, state, created_at)
       values ($1, $2, $2, 'delegate', 'env:NONE', $3, $4, $5)`,
      [id, name, BigInt(stakeTrx) * 1_000_000n, state, `${dayAgo(40)}T00:00:00Z`],
    );
    return id;
  }

  it('says what to do before there is a wallet, an order or a changed price', async () => {
    await open('B');
    const text = await page('');
    expect(text).toContain('No wallet delegates yet. Add one to see what its stake earns.');
    expect(text).toContain('action="/panel/operator/wallets/new"');
    expect(text).toContain('No orders in this range.');
    expect(text).toContain('No customer’s price was changed in this range.');
    expect(text).not.toContain('class="heat"');
    await wallet('bare', 0);
    expect(rowOf(await page(''), 'bare').slice(1)).toEqual(['0', '0.000000', '0.000000', '–', '–', '–', '–', '–']);
    const wrong = await panel.get(`${PAGE}?from=2026-02-30`);
    expect(wrong.text).not.toContain('class="tiles');
    expect((await panel.get(`${PAGE}/wallets.csv?from=2026-02-30`)).status).toBe(404);
  });

  it('shows yields, what was sold and what is idle by wallet and in all, and demand as a table, also as files', async () => {
    await open('A');
    const main = await wallet('main', 1_000_000);
    await wallet('resting', 500_000, 'paused');
    for (let order = 0; order < 5; order += 1)
      await run(
        `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
           paid_by, answer, created_at)
         values ($1, $2, 'T', '100', 6500000, 10, false, 'reclaimed', $3, 200000000000, 200000000, 'balance', 'success', $4)`,
        [uuid(), user, main, `${dayAgo(2)}T06:30:00Z`],
      );
    await run(`insert into stake_rewards (wallet_id, day, claimed_sun) values ($1, $2, 500000000)`, [main, dayAgo(3)]);
    const text = await page();
    // 1,000 and 500 TRX of 10,000,000 for a day, or 15,000,000 with the paused wallet's.
    expect(rowOf(text, '>main<')).toEqual([
      'main',
      '1 000 000',
      '1 000.000000',
      '500.000000',
      '3.65 %',
      '1.82 %',
      '5.47 %',
      '10.0 %',
      '16 380',
    ]);
    expect(rowOf(text, '>resting<')).toEqual([
      'resting paused',
      '500 000',
      '0.000000',
      '0.000000',
      '0.00 %',
      '0.00 %',
      '0.00 %',
      '0.0 %',
      '6 050',
    ]);
    expect(rowOf(text, 'All wallets').slice(1, 7)).toEqual([
      '1 500 000',
      '1 000.000000',
      '500.000000',
      '2.43 %',
      '1.21 %',
      '3.65 %',
    ]);
    expect(text).toMatch(
      /Yearly yield<\/span><strong>3\.65 %<\/strong><small>2\.43 % from orders, 1\.21 % from rewards/,
    );
    // 1,400,000 TRX idle, at 1.21 %.
    expect(text).toContain('brings 16 940 TRX a year by voting alone');
    const weekday = (new Date(`${dayAgo(2)}T00:00:00Z`).getUTCDay() + 6) % 7;
    const name = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][weekday]!;
    expect(text).toContain(`Busiest: ${name} at 06:00, with 500 transactions an hour.`);
    expect(text.match(/<td role="cell" class="number heat-5">/g)).toHaveLength(1);
    expect(text.match(/<td role="cell" class="number heat-0">/g)).toHaveLength(167);
    // Customers have no prices of their own.
    expect(text).not.toContain('Price changes');
    const lines = async (file: string) =>
      (await panel.get(`${PAGE}/${file}?${RANGE}`)).text.replace('\uFEFF', '').trim().split('\r\n');
    expect((await lines('wallets.csv'))[1]).toBe(
      `"main",main,active,${dayAgo(10)},${dayAgo(1)},1000000.000000,5,1000.000000,500.000000,3.65,1.82,5.47,10.00,900000.000000,16380.000000`,
    );
    const demand = await lines('demand.csv');
    expect(demand).toHaveLength(169);
    expect(demand).toContain(`${weekday + 1},06:00,500,UTC`);
  });

  it('shows what a new price did, where customers have prices of their own', async () => {
    await open('B');
    await run(`update users set created_at = $1 where id = $2`, [`${dayAgo(40)}T00:00:00Z`, user]);
    await run('insert into closed_order_days (day) select $1::date - n from generate_series(1, 40) n', [dayAgo(0)]);
    await run(
      `insert into audit_log (at, address, action, subject, outcome, before, after)
       values ($1, '', 'user.settings', $2, 'done', '{"unit_price": "default"}', '{"unit_price": "2.200000"}')`,
      [`${dayAgo(3)}T15:00:00Z`, `user ${user}`],
    );
    for (const [ago, transactions, trx] of [
      [5, 4, 10],
      [4, 4, 10],
      [2, 5, 11],
      [1, 5, 11],
    ])
      await run(
        `insert into order_days (day, user_id, paid_by, orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun)
         values ($1, $2, 'balance', 1, 1, 0, $3, $4, 1, 0, 0)`,
        [dayAgo(ago!), user, trx! * 1_000_000, transactions! * 65_000],
      );
    await service.app
      .get(UserAdminService)
      .update({ id: null, address: 'here' }, 'ann@example.com', { unitPriceSun: 2_300_000n });
    const text = (await page('')).match(/<h2>Price changes.*/s)![0];
    const rows = text
      .match(/<tr role="row".*?<\/tr>/gs)!
      .slice(1)
      .map((row) => rowOf(row, 'ann@'));
    expect(rows.map((cells) => cells.filter((_, at) => at !== 1))).toEqual([
      ['ann@example.com', 'default → 2.3', 'too few to compare', '–', '–'],
      ['ann@example.com', 'default → 2.2', '2 days on each side', '8 → 10+25.0 %', '20 → 22+10.0 %'],
    ]);
  });

  it('is made of the sums of closed days, however many orders they have', async () => {
    await open('A');
    const main = await wallet('main', 1_000_000);
    await insertPastOrders(service.sql, 20_000, user, main);
    await service.app.get(CloseOrderDays).run(Date.now());
    const query = `from=${dayAgo(9)}&to=${dayAgo(0)}`;
    const before = await page(query);
    expect(before).toContain('Yield from orders');
    // An order that is looked at is missed now; the first of all says since when averages count.
    await run('alter table delegations rename to moved_away');
    await run(
      `create view delegations as select * from moved_away
        where created_at >= '${dayAgo(0)}' or created_at = (select min(created_at) from moved_away)`,
    );
    const cells = (text: string) => text.match(/<(?:td|strong).*?<\/(?:td|strong)>/gs);
    expect(cells(await page(query))).toEqual(cells(before));
  });
});
