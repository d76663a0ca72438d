import { BillingService } from '../../../src/billing/billing.service';
import { ERROR_CODES } from '../../../src/common/errors/error-codes';
import { RefusedAttempts } from '../../../src/reporting/refusals/refused-attempts';
import { liftPromises } from '../../support/lifted-promises';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { Orders } from '../../support/payers';
import { createTestApp, type TestApp } from '../../support/test-app';

// Rows of other days are written one by one.
breaksTheLedger();

const DAY_MS = 86_400_000;
const dayAgo = (count: number) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);

describe('ranges of dates, and the files of a range', () => {
  let service: TestApp;
  let user: PanelUserLogin;
  let client: PanelClient;
  let operator: PanelClient;
  let old: string;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const orders = new Orders(service.sql, service.app.get(BillingService));
    user = await insertPanelUser(service, { balance: 100 });
    client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
    const olga = await insertPanelUser(service, { operator: true, email: 'olga@example.com' });
    operator = new PanelClient(service.url);
    await operator.signIn(olga.email, olga.password);
    await orders.place(user.id);
    ({ id: old } = await orders.place(user.id));
    await run(`update delegations set created_at = $2::timestamptz where id = $1`, [
      old,
      `${dayAgo(40)}T23:59:59.999999Z`,
    ]);
    await run(
      `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data, expiration_ms, ref_block_number)
       select repeat('ab', 32), 'delegation', 'order', id, wallet_id, receiver, 1, '', 0, 0 from delegations where id = $1`,
      [old],
    );
    await liftPromises((text) => run(text, []));
    // Numbers and times of entries go together, as they do in a ledger.
    await run(
      `insert into ledger_entries (user_id, at, kind, amount_sun, balance_sun, delegation_id)
       select $1, t.at::timestamptz, 'charge', -1, 1, t.order_id::uuid
         from (values ($2::text, $3::text), ($4, null)) t (at, order_id)`,
      [user.id, `${dayAgo(41)}T00:00:00Z`, old, `${dayAgo(40)}T00:00:00Z`],
    );
  });
  afterAll(() => service?.close());

  async function run(text: string, values: unknown[]): Promise<void> {
    await service.sql.execute({ name: '', text }, values as never);
  }

  const rowsOf = (html: string) => (/<tbody[ >].*?<\/tbody>/s.exec(html)?.[0].match(/<tr[ >]/g) ?? []).length;
  const lines = (csv: string) => csv.trimEnd().split('\r\n').slice(1);

  it.each([
    ['no range', '', 2],
    ['the last seven days', '?days=7', 1],
    ['a day, both ends of it', `?from=${dayAgo(40)}&to=${dayAgo(40)}`, 1],
    ['the day before', `?from=${dayAgo(41)}&to=${dayAgo(41)}`, 0],
    ['an open end', `?from=${dayAgo(40)}`, 2],
    ['an open beginning', `?to=${dayAgo(40)}`, 1],
  ])('orders: %s shows and writes what is in it', async (_, query, count) => {
    expect(rowsOf((await client.get(`/panel/orders${query}`)).text)).toBe(count);
    expect(lines((await client.get(`/panel/orders/orders.csv${query}`)).text)).toHaveLength(count);
    expect(lines((await operator.get(`/panel/operator/orders/orders.csv${query}`)).text)).toHaveLength(count);
  });

  it('orders: the file has receiver and txid, and customer and wallet for operators alone', async () => {
    const query = `?from=${dayAgo(40)}&to=${dayAgo(40)}`;
    const { text, headers } = await client.get(`/panel/orders/orders.csv${query}`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="orders-${dayAgo(40)}-${dayAgo(40)}.csv"`);
    const named = (csv: string) => {
      const [heading, row] = csv.split('\r\n').map((line) => line.replace('\uFEFF', '').split(','));
      return Object.fromEntries(heading!.map((name, index) => [name, row![index]]));
    };
    expect(named(text)).toMatchObject({ id: old, receiver: 'T', txid: 'ab'.repeat(32), energy: '65000' });
    expect(text).not.toContain('wallet');
    const forOperators = named((await operator.get(`/panel/operator/orders/orders.csv${query}`)).text);
    expect(forOperators).toMatchObject({ id: old, customer: `"${user.email}"` });
  });

  it('ledger: a range has its entries, with receiver and txid in the file, for the user and for operators', async () => {
    const query = `?from=${dayAgo(41)}&to=${dayAgo(41)}`;
    const page = (await client.get(`/panel/balance${query}`)).text;
    expect(/id="ledger".*/s.exec(page)![0].match(/<tr[ >]/g)).toHaveLength(2);
    for (const file of [
      await client.get(`/panel/balance/ledger.csv${query}`),
      await operator.get(`/panel/operator/users/${user.id}/money/ledger.csv${query}`),
    ]) {
      expect(lines(file.text)).toHaveLength(1);
      expect(lines(file.text)[0]).toContain(`${old},,,T,${'ab'.repeat(32)}`);
    }
    expect(lines((await client.get('/panel/balance/ledger.csv?days=1')).text)).toHaveLength(1);
    expect(lines((await client.get('/panel/balance/ledger.csv')).text)).toHaveLength(3);
  });

  it('ledger: another range, typed or chosen, keeps the chosen kind', async () => {
    const { text } = await client.get('/panel/balance?kind=charge&days=7&ledger=9');
    const form = /<form method="get" action="\/panel\/balance#ledger".*?<\/form>/s.exec(text)![0];
    expect(form.match(/name="[^"]*"/g)).toEqual(['name="kind"', 'name="from"', 'name="to"']);
    expect(form).toContain('<input type="hidden" name="kind" value="charge"');
    expect(text).toContain('href="/panel/balance?kind=charge&amp;days=30#ledger"');
  });

  it('says of a range without details of refused attempts that only the newest are kept', async () => {
    for (const page of [
      await client.get(`/panel/orders/refused?from=${dayAgo(40)}&to=${dayAgo(40)}`),
      await operator.get(`/panel/operator/users/${user.id}?from=${dayAgo(40)}&to=${dayAgo(40)}`),
    ]) {
      expect(page.text).toContain(
        'Details are kept only for the newest 200 attempts, and none of them are in this range.',
      );
    }
  });

  it("takes the days of the reader's zone, and says so", async () => {
    // One microsecond before the UTC day ends: in Shanghai it is the next day already.
    await run('update users set time_zone = $2 where id = $1', [user.id, 'Asia/Shanghai']);
    try {
      for (const [day, count] of [
        [dayAgo(40), 0],
        [dayAgo(39), 1],
      ] as const) {
        const query = `?from=${day}&to=${day}`;
        const page = (await client.get(`/panel/orders${query}`)).text;
        expect(rowsOf(page)).toBe(count);
        expect(page).toContain('From (Asia/Shanghai)');
        expect(lines((await client.get(`/panel/orders/orders.csv${query}`)).text)).toHaveLength(count);
      }
      expect(lines((await client.get(`/panel/balance/ledger.csv?to=${dayAgo(41)}`)).text)).toHaveLength(1);
      expect((await operator.get('/panel/operator/orders')).text).toContain('From (UTC)');
    } finally {
      await run('update users set time_zone = null where id = $1', [user.id]);
    }
  });

  it("Business and a user's usage count by the days of the reader's zone, and say so", async () => {
    const of = (day: string) => `?from=${day}&to=${day}`;
    const paths = ['/panel/operator/business', `/panel/operator/users/${user.id}`];
    // A microsecond before half past five of the day after.
    const hour = `${dayAgo(39)}T05:00+05:30`;
    await run(`update users set time_zone = 'Asia/Calcutta' where email = 'olga@example.com'`, []);
    try {
      for (const path of paths) {
        const page = (await operator.get(path + of(dayAgo(39)))).text;
        expect(page).toContain('From (Asia/Calcutta)');
        expect(page).toContain('placed (Asia/Calcutta)');
        expect(page).toContain(`these are from ${dayAgo(40)} to ${dayAgo(39)} (UTC), both days included`);
        expect(page).toContain('Time (Asia/Calcutta)');
        expect(page).toContain(hour);
        const days = (await operator.get(`${path}?from=${dayAgo(39)}&to=${dayAgo(38)}`)).text;
        expect(days).toContain('Time (Asia/Calcutta)');
        // A bar of each of the reader's days, where nothing is said of refused attempts.
        expect(days.match(/<title>[^<]*: succeeded 0, failed 0<\/title>/g)).toHaveLength(4);
        expect(days).toContain(`<title>${dayAgo(39)}: succeeded 0, failed 0</title>`);
        expect(days).not.toContain('The bars are UTC days too');
        expect((await operator.get(path + of(dayAgo(40)))).text).toContain('No orders in this range');
      }
      const file = (day: string) => operator.get(`/panel/operator/business/orders.csv${of(day)}`);
      expect(lines((await file(dayAgo(40))).text)).toEqual([]);
      const [line, ...more] = lines((await file(dayAgo(39))).text);
      expect(more).toEqual([]);
      expect(line).toMatch(new RegExp(`^${dayAgo(39)},"${user.email}",balance,1,.*,Asia/Calcutta$`));
      const refused = await operator.get(`/panel/operator/business/refused.csv${of(dayAgo(39))}`);
      expect(refused.headers.get('content-disposition')).toContain(`"refused-${dayAgo(40)}-${dayAgo(39)}.csv"`);
    } finally {
      await run(`update users set time_zone = null where email = 'olga@example.com'`, []);
    }
    for (const path of paths) {
      const page = (await operator.get(path + of(dayAgo(40)))).text;
      expect(page).toContain('placed (UTC)');
      expect(page).toContain(`${dayAgo(40)}T23:00Z`);
      expect(page).not.toContain('kept by the UTC day');
    }
  });

  it('audit log: a range has its entries, in the file too', async () => {
    await run(
      `insert into audit_log (at, address, action, subject, outcome) values ($1::timestamptz, '', 'long.ago', '=1+1', 'done')`,
      [`${dayAgo(20)}T12:00:00Z`],
    );
    const list = '/panel/operator/audit-log';
    expect((await operator.get(`${list}?from=${dayAgo(20)}&to=${dayAgo(20)}`)).text).toContain('long.ago');
    expect((await operator.get(`${list}?days=7`)).text).not.toContain('long.ago');
    const file = await operator.get(`${list}/audit-log.csv?from=${dayAgo(20)}&to=${dayAgo(20)}`);
    expect(file.headers.get('content-disposition')).toContain(`"audit-log-${dayAgo(20)}-${dayAgo(20)}.csv"`);
    expect(lines(file.text)).toEqual([
      expect.stringMatching(/^\d+,[\dT:.-]+Z,,,"","long\.ago","'=1\+1",done,,,"'=1\+1"$/) as string,
    ]);
    expect(lines((await operator.get(`${list}/audit-log.csv?subject=nothing`)).text)).toEqual([]);
    expect((await operator.get(`${list}/audit-log.csv?who=nobody@example.com`)).status).toBe(404);
    expect((await operator.get(`${list}/audit-log.csv?from=2026-02-30`)).status).toBe(404);
    expect((await client.get(`${list}/audit-log.csv`)).status).toBe(404);
  });

  it.each(['2026-02-30', 'yesterday', '1999-01-01', '2026-1-1'])('no list takes %s for a date', async (date) => {
    const pages = ['/panel/orders', '/panel/balance', '/panel/orders/refused', '/panel/operator/business'];
    for (const path of [...pages, '/panel/operator/audit-log', `/panel/operator/users/${user.id}`]) {
      const { status, text } = await operator.get(`${path}?from=${date}`);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(text).toContain('Enter a date such as 2026-01-31.');
      expect(text).toMatch(/id="field-from"[^>]*aria-invalid="true"/);
    }
    expect((await client.get(`/panel/orders/orders.csv?from=${date}`)).status).toBe(404);
    expect((await client.get(`/panel/balance/ledger.csv?from=${date}`)).status).toBe(404);
  });

  it('a refused attempt is shown to its customer alone, with what it cost and what to do', async () => {
    const attempts = service.app.get(RefusedAttempts);
    const receiver = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
    const one = { at: new Date(), userId: user.id, tokenId: null, fields: [], amount: '2', requestId: 'r-1' };
    attempts.note({ ...one, code: 'INSUFFICIENT_BALANCE', receiver });
    await attempts.flush();
    const { text } = await client.get('/panel/orders/refused');
    for (const part of [
      'INSUFFICIENT_BALANCE',
      'You were not charged.',
      'Ask an operator to credit',
      receiver,
      'r-1',
    ]) {
      expect(text).toContain(part);
    }
    expect((await client.get('/panel/orders')).text).toContain('1 attempt was refused in the last 7 days');
    const stranger = await insertPanelUser(service);
    const other = new PanelClient(service.url);
    await other.signIn(stranger.email, stranger.password);
    expect((await other.get('/panel/orders/refused')).text).not.toContain(receiver);
    expect((await other.get('/panel/orders')).text).not.toContain('refused in the last');
    expect((await operator.get('/panel/operator/business')).text).toContain(`/panel/operator/users/${user.id}#lost`);
    expect((await operator.get(`/panel/operator/users/${user.id}`)).text).toContain(receiver);
    expect(lines((await operator.get('/panel/operator/business/refused.csv')).text)).toEqual([
      `${dayAgo(0)},"${user.email}",INSUFFICIENT_BALANCE,1,UTC`,
    ]);
  });

  it('every failure is explained, in both languages', async () => {
    for (const [language, advice] of [
      ['en', 'Order again in about ten minutes'],
      ['zh', '请十分钟后重新下单'],
    ] as const) {
      // The choice is kept in a cookie, and leads back.
      await client.get(`/panel/orders/failures?lang=${language}`);
      const { text } = await client.get('/panel/orders/failures');
      expect(rowsOf(text)).toBe(ERROR_CODES.length);
      expect(text).toContain(advice);
    }
  });
});
