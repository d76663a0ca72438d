import { Client } from 'pg';
import { groupDigits, shortTrx } from '../../../src/panel/layout/values';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';
import { fillLists } from './filled-lists';

// Rows that were written for how they are ranked.
breaksTheLedger();

const ORDERS = '/panel/operator/orders';
const USERS = '/panel/operator/users';
const WALLETS = '/panel/operator/wallets';
const numbers = Array.from({ length: 48 }, (_, index) => index + 1);

describe('a list opens with what needs an operator', () => {
  let service: TestApp;
  let database: Client;
  let operator: PanelUserLogin;
  let client: PanelClient;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    operator = await insertPanelUser(service, { operator: true, email: 'olga@example.com', balance: 24_000 });
    await fillLists(service.databaseUrl, operator);
    database = new Client({ connectionString: service.databaseUrl });
    await database.connect();
    await database.query('set session_replication_role = replica');
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
  });
  afterAll(async () => {
    await database?.end();
    await service?.close();
  });

  const page = async (path: string) => (await client.get(path)).text;
  const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  /** What the first cell of each row says. */
  const headings = (html: string) =>
    [...html.matchAll(/<th scope="row".*?<\/th>/gs)].map(([cell]) => textOf(cell).trim());
  const customer = (n: number) => `settlement-desk-${n}@payments.customer.example`;
  const setBalance = (n: number, trx: number, disabled = false) =>
    database.query(
      `with changed as (update users set disabled_at = case when $3 then now() end where email = $1 returning id)
       update accounts set balance_sun = $2 from changed where user_id = changed.id`,
      [customer(n), trx * 1_000_000, disabled],
    );

  it('users: who runs dry within three days, the next first, then who spent most; a disabled one needs nothing', async () => {
    await setBalance(7, 12);
    await setBalance(9, 9);
    await setBalance(11, 1, true);
    const html = await page(USERS);
    expect(headings(html).slice(0, 4)).toEqual([customer(9), customer(7), operator.email, customer(47)]);
    expect(html).toMatch(/aria-sort="ascending"><a [^>]*sort=need/);
  });

  it('users: heads of columns sort them, and keep the letters that were searched for', async () => {
    const poorest = await page(`${USERS}?email=settlement&sort=poorest`);
    expect(headings(poorest)[0]).toBe(customer(11));
    expect(poorest).toContain('href="/panel/operator/users?email=settlement&amp;sort=richest"');
    expect(headings(await page(`${USERS}?email=settlement&sort=richest`))[0]).toBe(customer(48));
    expect(headings(await page(`${USERS}?email=settlement&sort=last`))[0]).toBe(customer(1));
  });

  it('users: are counted and their balances summed up', async () => {
    const [sum] = (await database.query('select sum(balance_sun)::text as sun from accounts')).rows as {
      sun: string;
    }[];
    expect(textOf(await page(USERS))).toContain(
      textOf(`49 users · balances ${shortTrx(BigInt(sum!.sun))} TRX, of which 0 TRX held`),
    );
  });

  it('users: more than 10,000 are neither counted nor ranked, until letters narrow them', async () => {
    const rows = 'generate_series(1, 10000) n';
    await database.query(
      `insert into users (id, email, name) select md5('u' || n)::uuid, 'm' || n || '@example.com', 'M' from ${rows}`,
    );
    await database.query(`insert into accounts (user_id) select md5('u' || n)::uuid from ${rows}`);
    const html = await page(USERS);
    expect(textOf(html)).toContain('More than 10 000 users.');
    expect(headings(html)[0]).toBe('m10000@example.com');
    expect(html.match(/<a href="[^"]*sort=\w+/g)).toEqual(['<a href="/panel/operator/users?sort=email']);
    expect(headings(await page(`${USERS}?email=settlement`))[0]).toBe(customer(9));
    await database.query(`delete from accounts where user_id in (select id from users where name = 'M')`);
    await database.query(`delete from users where name = 'M'`);
  });

  it('wallets: those without a key before those that were paused by hand, sums below, sorted by the heads of columns', async () => {
    const html = await page(WALLETS);
    expect(headings(html).slice(0, 1)).toEqual(['treasury-wallet-of-the-asian-region-1']);
    expect(textOf(html)).toMatch(/All 48 wallets/);
    const stakeTrx = numbers.reduce((sum, n) => sum + n * 51_234_567, 0);
    expect(html).toContain(`title="${shortTrx(BigInt(stakeTrx) * 1_000_000n)}"`);
    const places = headings(html).slice(0, 48);
    const isPaused = (name: string) => Number(name.split('-').at(-1)) % 5 === 0;
    expect(places.map(isPaused)).toEqual(places.map(isPaused).toSorted((a, b) => Number(a) - Number(b)));
    expect(headings(await page(`${WALLETS}?sort=stake`))[0]).toBe('treasury-wallet-of-the-asian-region-48');
  });

  const orders = (html: string) => [...html.matchAll(/id="order-0000000d-[\w-]+(\d{3})"/g)].map(([, n]) => Number(n));
  /** The path that the head of a column leads to. */
  const linkOf = (html: string, column: string) => {
    const heads = [...html.matchAll(/<th scope="col"[^>]*><a href="([^"]+)"[^>]*>([^<]*)<\/a>/g)];
    return heads.find(([, , name]) => name === column)?.[1]!.replaceAll('&amp;', '&');
  };

  it('orders: heads of columns sort them, and keep the filter', async () => {
    const html = await page(`${ORDERS}?state=reclaimed`);
    expect(html).toMatch(/aria-sort="descending"><a [^>]*>Ordered</);
    const newest = numbers.filter((n) => n % 4 === 1);
    expect(orders(html)).toEqual(newest);
    const oldest = await page(linkOf(html, 'Ordered')!);
    expect(orders(oldest)).toEqual(newest.toReversed());
    expect(oldest).toMatch(/aria-sort="ascending"><a [^>]*>Ordered</);
    expect(linkOf(oldest, 'Ordered')).toBe(`${ORDERS}?state=reclaimed`);
    const dearest = await page(linkOf(html, 'Price, TRX')!);
    expect(orders(dearest)).toEqual(newest.toReversed());
    expect(dearest).toMatch(/aria-sort="descending"><a [^>]*>Price, TRX</);
    expect(dearest).toContain('<input type="hidden" name="sort" value="price"');
  });

  it('orders: a later page goes on in the same order, also among equal values', async () => {
    const after = async (sort: string, n: number) =>
      orders(await page(`${ORDERS}?sort=${sort}&after=0000000d-0000-7000-8000-${String(n).padStart(12, '0')}`)).slice(
        0,
        3,
      );
    expect(await after('oldest', 20)).toEqual([19, 18, 17]);
    expect(await after('energy', 20)).toEqual([21, 22, 23]);
    // Every fourth has failed and costs nothing.
    expect(await after('price', 5)).toEqual([3, 2, 1]);
    expect(await after('price', 1)).toEqual([4, 8, 12]);
  });

  it('orders: in the order of time, with a link to those that failed or may have', async () => {
    const all = await page(ORDERS);
    expect(
      all
        .match(/order-0000000d-[\w-]+/g)!
        .slice(0, 3)
        .map((id) => Number(id.slice(-12))),
    ).toEqual([1, 2, 3]);
    const [, link] = /href="([^"]*trouble=yes)"/.exec(await page(`${ORDERS}?days=7`))!;
    await database.query(
      `update delegations set answer = 'failure', answer_code = 'OUTCOME_UNKNOWN', state = 'sent' where id = $1`,
      ['0000000d-0000-7000-8000-000000000003'],
    );
    for (const path of [link!.replaceAll('&amp;', '&'), '/panel/orders?trouble=yes']) {
      const troubled = (await page(path)).match(/order-0000000d-[\w-]+/g)!.map((id) => Number(id.slice(-12)));
      const failed = numbers.filter((n) => n % 4 === 0);
      expect(troubled).toEqual(path.startsWith(ORDERS) ? [3, ...failed] : failed);
    }
  });

  it('orders: are counted, with what was charged and delegated, in the range and by the filter', async () => {
    const charged = (wanted: (n: number) => boolean) => {
      const found = numbers.filter((n) => wanted(n) && n % 4 !== 0 && n !== 3);
      const sun = found.reduce((sum, n) => sum + 36_000_000n + BigInt(n), 0n);
      return textOf(`${shortTrx(sun)} TRX charged · ${groupDigits(found.length * 780_000)} energy delegated`);
    };
    expect(textOf(await page(`${ORDERS}?days=7`))).toContain(`48 orders · ${charged(() => true)}`);
    expect(textOf(await page('/panel/orders'))).toContain(`24 orders · ${charged((n) => n % 2 === 0)}`);
    expect(textOf(await page(`${ORDERS}?state=failed`))).toContain('12 orders · 0 TRX charged · 0 energy delegated');
    expect(textOf(await page(`${ORDERS}?from=2020-01-01&to=2020-01-02`))).not.toContain('TRX charged');
  });

  it('orders: more than 10,000 are not counted', async () => {
    await database.query(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun,
         cost_sun, paid_by, answer, created_at, reclaimed_at)
       select md5('o' || n)::uuid, user_id, receiver, transactions, energy, rental_minutes, activate, 'reclaimed', wallet_id, stake_sun,
              cost_sun, paid_by, 'success', now() - interval '20 days' - n * interval '1 second', now()
         from delegations, generate_series(1, 10000) n where id = '0000000d-0000-7000-8000-000000000001'`,
    );
    expect(textOf(await page(ORDERS))).toContain(
      'More than 10 000 orders. Choose a shorter range to see sums and to sort by energy or price.',
    );
    expect(textOf(await page(`${ORDERS}?days=7`))).toContain('48 orders · ');
  });

  it('orders: more than 10,000 are sorted by time alone, and fewer of them by price', async () => {
    const html = await page(`${ORDERS}?sort=price`);
    expect(orders(html).slice(0, 3)).toEqual([1, 2, 3]);
    expect([linkOf(html, 'Price, TRX'), linkOf(html, 'Energy')]).toEqual([undefined, undefined]);
    expect(linkOf(html, 'Ordered')).toBe(`${ORDERS}?sort=oldest`);
    expect(orders(await page(`${ORDERS}?days=7&sort=price`))[0]).toBe(47);
  });
});
