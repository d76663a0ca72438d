import { LedgerService } from '../../../src/balance/ledger.service';
import { addMonths, monthOf } from '../../../src/reporting/books/book-range';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const TRX = 1_000_000n;
const NOW = monthOf(new Date());

describe('the books in the panel', () => {
  let service: TestApp;
  let user: PanelUserLogin;
  let client: PanelClient;
  let operator: PanelClient;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    user = await insertPanelUser(service, { email: 'ann@example.com' });
    const olga = await insertPanelUser(service, { operator: true, email: 'olga@example.com' });
    [client, operator] = [new PanelClient(service.url), new PanelClient(service.url)];
    await client.signIn(user.email, user.password);
    await operator.signIn(olga.email, olga.password);
    const ledger = service.app.get(LedgerService);
    await ledger.credit({ userId: user.id, amountSun: 12n * TRX + 1n, note: '=top-up', reference: 'inv-1' });
    await ledger.debit({ userId: user.id, amountSun: 2n * TRX, note: 'paid out' });
    await ledger.credit({ userId: olga.id, amountSun: 5n * TRX, note: 'of the other' });
  });
  afterAll(() => service?.close());

  const lines = (csv: string) => csv.replace('\uFEFF', '').trimEnd().split('\r\n');
  const cells = (html: string) =>
    [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) => cell!.replace(/<[^>]+>/g, ''));

  it('are not there for customers, whose statement is their own alone', async () => {
    for (const path of ['books', 'books/ledger.csv', `users/${user.id}/statement`, `users/${user.id}/statement.csv`])
      expect((await client.get(`/panel/operator/${path}`)).status).toBe(404);
    const { text } = await client.get('/panel/balance/statement.csv');
    expect(text).not.toContain('of the other');
    const anyone = new PanelClient(service.url);
    for (const path of ['balance/statement', 'balance/statement.csv', 'operator/books'])
      expect((await anyone.get(`/panel/${path}`)).text).not.toContain('paid out');
  });

  it.each(['2026-13', '2026', '2026-1', 'x', '2017-12', '2200-01'])(
    'say that %s is no month, and have no file of it',
    async (month) => {
      for (const path of ['operator/books', `operator/users/${user.id}/statement`]) {
        const { status, text } = await operator.get(`/panel/${path}?month=${month}`);
        expect([status, text.includes('Enter a month such as 2026-11.')]).toEqual([200, true]);
      }
      for (const path of ['operator/books/ledger.csv', `operator/users/${user.id}/statement.csv`])
        expect((await operator.get(`/panel/${path}?month=${month}`)).status).toBe(404);
    },
  );

  it('show the trial balance of this month, and what was before it', async () => {
    const { text } = await operator.get('/panel/operator/books');
    expect(cells(text).slice(0, 8)).toEqual([
      '0.000000',
      '+17.000001',
      '\u22122.000000',
      '0.000000',
      '0.000000',
      '0.000000',
      '0.000000',
      '15.000001',
    ]);
    expect(text).toContain('Current balance');
    const next = await operator.get(`/panel/operator/books?month=${addMonths(NOW, 1)}`);
    expect(cells(next.text)[0]).toBe('15.000001');
    const before = await operator.get(`/panel/operator/books?month=${addMonths(NOW, -1)}`);
    expect(before.text).toContain('Closing balance');
    expect(cells(before.text)[6]).toBe('0.000000');
  });

  it('have every movement of the month in a file that no spreadsheet takes for formulas', async () => {
    const { text, headers } = await operator.get(`/panel/operator/books/ledger.csv?month=${NOW}`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="ledger-${NOW}.csv"`);
    const [heading, ...rows] = lines(text);
    expect(heading).toBe('id,at,user_id,user,kind,amount,balance,delegation_id,subscription_id,reference,note');
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/,"ann@example.com",credit,12.000001,12.000001,,,"inv-1","'=top-up"$/);
    expect(
      lines((await operator.get(`/panel/operator/books/ledger.csv?month=${addMonths(NOW, -1)}`)).text),
    ).toHaveLength(1);
  });

  it('have a statement that adds up, for the customer and for operators, on a page and in a file', async () => {
    const path = `/panel/operator/users/${user.id}/statement`;
    for (const [reader, at] of [
      [client, '/panel/balance/statement'],
      [operator, path],
    ] as const) {
      const { text } = await reader.get(`${at}?month=${NOW}`);
      expect(text).toContain('ann@example.com');
      expect(cells(text)).toEqual(expect.arrayContaining(['+12.000001', '\u22122.000000', 'paid out']));
      const file = lines((await reader.get(`${at}.csv?month=${NOW}`)).text);
      expect(file).toHaveLength(5);
      expect(file[1]).toBe(`,${NOW}-01T00:00:00.000Z,opening,,0.000000,,,`);
      expect(file[3]).toMatch(/,debit,-2.000000,10.000001,,,"paid out"$/);
      expect(file[4]).toBe(`,${addMonths(NOW, 1)}-01T00:00:00.000Z,closing,,10.000001,,,`);
    }
    for (const page of ['/panel/balance', `/panel/operator/users/${user.id}/money`])
      expect((await (page.includes('operator') ? operator : client).get(page)).text).toContain('Statement of a month');
  });

  it('have the times of a statement in UTC, as its days and its file, whatever zone its reader has', async () => {
    const month = `month=${NOW}`;
    const zone = (name: string | null) =>
      service.orm.em.execute('update users set time_zone = ? where id = ?', [name, user.id]);
    await zone('Asia/Shanghai');
    try {
      const file = lines((await client.get(`/panel/balance/statement.csv?${month}`)).text);
      const [, day, time] = /^\d+,([\d-]{10})T([\d:]{8})\.\d+Z,credit,/.exec(file[2]!)!;
      const { text } = await client.get(`/panel/balance/statement?${month}`);
      expect(cells(text)).toContain(`${day} ${time}`);
      expect(text).not.toContain('<time');
    } finally {
      await zone(null);
    }
  });

  it('show of a ledger one kind, which its file has alone too, and what a range begins and ends with', async () => {
    for (const [reader, at] of [
      [client, '/panel/balance'],
      [operator, `/panel/operator/users/${user.id}/money`],
    ] as const) {
      const today = await reader.get(`${at}?days=1&kind=debit`);
      const [facts] = /Opening balance.*?Closing balance.*?<\/dd>/s.exec(today.text)!;
      expect([...facts.matchAll(/[+\u2212]?\d+\.\d{6}/g)].map(([sun]) => sun).toSorted()).toEqual(
        ['0.000000', '+12.000001', '\u22122.000000', '10.000001'].toSorted(),
      );
      expect(facts).toContain('debit × 1');
      expect(today.text).toContain('paid out');
      expect(today.text).not.toContain('=top-up');
      const all = await reader.get(at);
      expect(all.text).not.toContain('Opening balance');
      expect(all.text).toContain('=top-up');
      const file = lines((await reader.get(`${at}/ledger.csv?kind=debit`)).text);
      expect(file).toHaveLength(2);
      expect(file[1]).toContain('debit,-2.000000');
    }
  });

  it('are in Chinese too', async () => {
    await operator.get('/panel/operator/books?lang=zh');
    expect((await operator.get('/panel/operator/books')).text).toContain('试算平衡表');
    expect((await operator.get(`/panel/operator/users/${user.id}/statement`)).text).toContain('期初余额');
    await operator.get('/panel/operator/books?lang=en');
  });

  it('write a large ledger while it is read, one file at a time for each user', async () => {
    const movements = 30_000;
    await service.sql.execute({
      name: '',
      text: `
        with made as (
          insert into users (id, email, name) select gen_random_uuid(), gen_random_uuid() || '@example.com', 'u' from generate_series(1, ${movements})
          returning id
        ), account as (
          insert into accounts (user_id, balance_sun) select id, 1 from made
        )
        insert into ledger_entries (user_id, kind, amount_sun, balance_sun) select id, 'credit', 1, 1 from made`,
    });
    const { text } = await operator.get(`/panel/operator/books/ledger.csv?month=${NOW}`);
    expect(lines(text)).toHaveLength(1 + 3 + movements);
    expect(new Set(lines(text).map((line) => line.split(',')[0])).size).toBe(1 + 3 + movements);
    const { text: after } = await operator.get('/panel/operator/books');
    expect(cells(after)[7]).toBe('15.030001');
  });
});
