import { v7 as uuid } from 'uuid';
import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { type CommitEnd, DatabaseProxy } from '../../support/database-proxy';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';

const LOOKED_UP = {
  en: 'The connection to the database broke, but the change was made, once.',
  zh: '与数据库的连接一度中断。已查证：操作已执行，且只执行了一次。',
};
type Language = keyof typeof LOOKED_UP;
const LANGUAGES = [['en'], ['zh']] as const;

describe('an operator who gives money or quota in the panel', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let service: TestApp;
  let clients: Record<Language, PanelClient>;
  let user: PanelUserLogin;
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = new DatabaseProxy(database.url);
    service = await createTestApp({ backgroundWork: false, databaseUrl: await proxy.open() });
    // No node answers here.
    jest.spyOn(service.app.get(ReferenceBlocks), 'finalTimeMs').mockImplementation(() => Promise.resolve(Date.now()));
    const signedIn = async (language: Language) => {
      const { email, password } = await insertPanelUser(service, { operator: true });
      const client = new PanelClient(service.url, { 'Accept-Language': language });
      await client.signIn(email, password);
      return client;
    };
    clients = { en: await signedIn('en'), zh: await signedIn('zh') };
  });
  afterAll(async () => {
    await service.close();
    await proxy.close();
    await database.drop();
  });
  beforeEach(async () => {
    proxy.endOfCommit = () => 'passes';
    user = await insertPanelUser(service, { balance: 10 });
  });

  /** Of the next commit of an act, which has its entry in the audit log, once. */
  const end = (how: CommitEnd) => {
    let left = 1;
    proxy.endOfCommit = (statements) => (statements.includes('audit_log_insert') && left-- > 0 ? how : 'passes');
  };
  /** The notice on the page after the form. */
  const send = async (language: Language, tab: string, action: string, fields: Record<string, string>) => {
    const path = `/panel/operator/users/${user.id}`;
    const client = clients[language];
    const answer = await client.submit(`${path}/${tab}`, `${path}/${action}`, fields);
    expect(answer).toMatchObject({ status: 303, location: `${path}/${tab}` });
    const [, kind, text] = /<p class="notice (\w+)" role="status">(.*?)<\/p>/s.exec(
      (await client.get(answer.location!)).text,
    )!;
    return { kind, text: text!.replaceAll('&quot;', '"') };
  };
  const credit = (more: Record<string, string> = {}) => ({
    step: 'book',
    kind: 'credit',
    amount: '5.5',
    note: 'invoice',
    form_key: uuid(),
    ...more,
  });
  const quota = () => ({ transactions: '10', days: '5', form_key: uuid() });
  const booked = async () =>
    (await service.sql.row<{ balance: string; subscriptions: number }>({
      name: '',
      text: `select (select a.balance_sun::text from accounts a where a.user_id = u.id) as balance,
                    (select count(*)::integer from subscriptions s where s.user_id = u.id) as subscriptions
               from users u where u.id = '${user.id}'`,
    }))!;

  it.each(LANGUAGES)('reads that what was not acknowledged was looked up and is done, once (%s)', async (language) => {
    const form = credit();
    end('is not acknowledged');
    const moved = await send(language, 'money', 'movements', form);
    expect(moved).toEqual({ kind: 'attention', text: expect.stringContaining(LOOKED_UP[language]) as string });
    expect(moved.text).toContain('15.500000');
    end('is not acknowledged');
    const added = await send(language, 'subscriptions', 'subscriptions', quota());
    expect(added).toEqual({ kind: 'attention', text: expect.stringContaining(LOOKED_UP[language]) as string });
    expect(await booked()).toEqual({ balance: '15500000', subscriptions: 1 });
    // Nothing was done that could be looked up.
    end('is not acknowledged');
    const again = await send(language, 'money', 'movements', form);
    expect(again).toEqual({ kind: 'refused', text: expect.not.stringContaining(LOOKED_UP[language]) as string });
    expect(await booked()).toEqual({ balance: '15500000', subscriptions: 1 });
  });

  it('sells quota from the balance once, whatever the form is sent, and never for more than there is', async () => {
    const sold = { ...quota(), price: '4', paid_by: 'balance' };
    expect(await send('en', 'subscriptions', 'subscriptions', sold)).toMatchObject({ kind: 'done' });
    expect(await send('en', 'subscriptions', 'subscriptions', sold)).toMatchObject({ kind: 'refused' });
    expect(await booked()).toEqual({ balance: '6000000', subscriptions: 1 });
    const path = `/panel/operator/users/${user.id}`;
    const tooMuch = { ...quota(), price: '6.000001', paid_by: 'balance' };
    const answer = await clients.en.submit(`${path}/subscriptions`, `${path}/subscriptions`, tooMuch);
    expect([answer.status, answer.text.includes('Insufficient balance for the price')]).toEqual([422, true]);
    const paid = { ...quota(), price: '50', paid_by: 'reference', reference: 'inv-9' };
    expect(await send('zh', 'subscriptions', 'subscriptions', paid)).toMatchObject({ kind: 'done' });
    expect(await booked()).toEqual({ balance: '6000000', subscriptions: 2 });
  });

  it.each(LANGUAGES)(
    'reads which other customer has the reference too, also of what is booked already (%s)',
    async (language) => {
      const reference = `inv-${uuid()}`;
      const first = user.email;
      expect(await send(language, 'money', 'movements', credit({ reference }))).toMatchObject({ kind: 'done' });
      user = await insertPanelUser(service, { balance: 10 });
      const warning = {
        en: `Another customer also has the reference "${reference}": ${first}.`,
        zh: `另一位客户也使用了参考号 "${reference}"：${first}。`,
      }[language];
      for (const kind of ['attention', 'refused'])
        expect(await send(language, 'money', 'movements', credit({ reference }))).toEqual({
          kind,
          text: expect.stringContaining(warning) as string,
        });
      expect(await booked()).toMatchObject({ balance: '15500000' });
    },
  );

  it('reads that nothing was done when the commit never arrives, and the same form does it', async () => {
    const path = `/panel/operator/users/${user.id}`;
    for (const [tab, action, form] of [
      ['money', 'movements', credit()],
      ['subscriptions', 'subscriptions', quota()],
    ] as const) {
      end('is lost');
      const { status, text } = await clients.en.submit(`${path}/${tab}`, `${path}/${action}`, form);
      expect([status, text]).toEqual([422, expect.stringContaining('broke and nothing was done') as string]);
      expect(await send('en', tab, action, form)).toMatchObject({ kind: 'done' });
    }
    expect(await booked()).toEqual({ balance: '15500000', subscriptions: 1 });
  });

  it('reads no warning where there is none', async () => {
    expect(await send('en', 'money', 'movements', credit())).toEqual({
      kind: 'done',
      text: 'Done. The balance is now 15.500000 TRX.',
    });
    expect(await send('en', 'subscriptions', 'subscriptions', quota())).toEqual({
      kind: 'done',
      text: 'The subscription was added.',
    });
  });
});
