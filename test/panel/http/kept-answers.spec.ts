import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { SessionService } from '../../../src/auth/sessions/session.service';
import type { Statement } from '../../../src/database/statement';
import { createTestApp, type TestApp } from '../../support/test-app';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';

const TOKENS = '/panel/tokens/new';

describe('the page that answers a form', () => {
  let service: TestApp;
  let operator: PanelUserLogin;
  let user: PanelUserLogin;
  let client: PanelClient;
  let _csrf: string;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    operator = await insertPanelUser(service, { operator: true });
    user = await insertPanelUser(service, { balance: 10 });
    client = await signedIn(operator);
    _csrf = await token(client);
  });

  async function signedIn({ email, password }: PanelUserLogin): Promise<PanelClient> {
    const visitor = new PanelClient(service.url);
    await visitor.signIn(email, password);
    return visitor;
  }

  async function token(visitor: PanelClient): Promise<string> {
    return /name="_csrf" value="([^"]+)"/.exec((await visitor.get(TOKENS)).text)![1]!;
  }

  /** The address of the question before money moves. */
  async function ask(note: string): Promise<string> {
    const fields = { kind: 'credit', amount: '7', note, form_key: uuid(), _csrf };
    const { status, text, location } = await client.postOnly(`/panel/operator/users/${user.id}/movements`, fields);
    expect([status, text]).toEqual([303, '']);
    return location!;
  }

  const rows = (query: string) => {
    const asked: Statement<[], Record<string, unknown>> = { name: '', text: query };
    return service.sql.rows(asked);
  };
  const kept = async () =>
    (await rows(`select answers::text as answers from sessions where user_id = '${operator.id}'`))
      .map(({ answers }) => String(answers))
      .join('');

  it('is shown by a GET as often as it is asked for, with nothing of what was typed in its address', async () => {
    const address = await ask('invoice 2041');
    expect(decodeURIComponent(address)).not.toMatch(/2041|credit|amount/);
    for (let time = 1; time <= 2; time += 1)
      expect(await client.get(address)).toMatchObject({
        status: 200,
        text: expect.stringContaining('Credit this user?') as string,
      });
    expect((await client.get(address)).text).toContain('invoice 2041');
  });

  it('is in the database sealed alone', async () => {
    await ask('invoice 2042');
    expect(await kept()).toContain('sealed');
    expect(await kept()).not.toMatch(/2042|credit/i);
  });

  it('is not there for another session, not even of the same user, nor once the session has ended', async () => {
    const address = await ask('invoice 2043');
    const others = [await signedIn(operator), await signedIn(user), new PanelClient(service.url)];
    for (const other of others) expect(await other.get(address)).toMatchObject({ status: 303 });
    await client.submit('/panel/account', '/panel/sign-out');
    expect((await client.get(address)).location).toContain('/panel/sign-in');
  });

  it('of an operator is not there for who is none any more', async () => {
    const address = await ask('invoice 2044');
    await rows(`update users set operator = false where id = '${operator.id}' returning 1`);
    expect(await client.get(address)).toMatchObject({ status: 303, text: '' });
  });

  it('is kept for half an hour, and is one of the last eight', async () => {
    const addresses: string[] = [];
    for (let at = 0; at < 9; at += 1) addresses.push(await ask(`invoice ${at}`));
    const status = async (address: string) => (await client.get(address)).status;
    expect(await Promise.all(addresses.map(status))).toEqual([303, ...Array.from({ length: 8 }, () => 200)]);
    await rows(`update sessions set answers = (
        select jsonb_agg(a || jsonb_build_object('at', (a ->> 'at')::timestamptz - interval '31 minutes'))
          from jsonb_array_elements(answers) a) where user_id = '${operator.id}' returning 1`);
    expect(await status(addresses[8]!)).toBe(303);
    // What is too old leaves with the next one.
    await ask('the next');
    expect(JSON.parse(await kept())).toHaveLength(1);
  });

  it('is the answer itself where it holds more text than is kept, or the database keeps none: the act is done', async () => {
    const filler = randomBytes(20_000).toString('base64url');
    await rows(`update sessions set password_at = null where user_id = '${operator.id}' returning 1`);
    const form = { name: 'a', permissions: 'delegate', form_key: uuid(), _csrf, filler };
    expect((await client.postOnly(TOKENS, form)).status).toBe(403);
    expect(await kept()).toBe('[]');
    await rows(`update sessions set password_at = now() where user_id = '${operator.id}' returning 1`);
    jest.spyOn(service.app.get(SessionService), 'keepAnswer').mockRejectedValueOnce(new Error('the database is away'));
    const path = `/panel/operator/users/${user.id}/movements`;
    const fields = { kind: 'credit', amount: '7', note: 'short', form_key: uuid(), _csrf };
    const answer = await client.postOnly(path, fields);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Credit this user?')]);
  });

  it('leads to the page of the form once it is not kept, and says so', async () => {
    const from = new PanelClient(service.url, { Referer: `${service.url}/panel/operator/users/${user.id}/money` });
    await from.signIn(operator.email, operator.password);
    const own = await token(from);
    const { location } = await from.postOnly(`/panel/operator/users/${user.id}/movements`, {
      _csrf: own,
      form_key: uuid(),
    });
    await rows(`update sessions set answers = '[]' returning 1`);
    const gone = await from.get(location!);
    expect(gone.location).toBe(`/panel/operator/users/${user.id}/money`);
    expect((await from.get(gone.location!)).text).toContain('The result of this form has expired.');
  });

  it('leads nowhere else', async () => {
    for (const form of ['https://evil.example/', '//evil.example/', '/panel/answer?id=x'])
      expect((await client.get(`/panel/answer?${new URLSearchParams({ id: 'x', form }).toString()}`)).location).toBe(
        '/panel',
      );
  });

  it('shows a secret once, and keeps it no longer', async () => {
    const fields = { name: 'till', permissions: 'balance', form_key: uuid(), _csrf };
    const { location } = await client.postOnly(TOKENS, fields);
    const head = await fetch(`${service.url}${location}`, {
      method: 'HEAD',
      redirect: 'manual',
      headers: { Cookie: [...client.cookies].map((pair) => pair.join('=')).join('; ') },
    });
    expect(head.status).toBe(200);
    expect((await client.get(location!)).text).toMatch(/>eds_[\w-]+</);
    expect(await kept()).toBe('[]');
    expect(await client.get(location!)).toMatchObject({ status: 303, text: '' });
  });

  it('of two forms that are sent together is kept for both', async () => {
    const [one, other] = await Promise.all([ask('the first of two'), ask('the second of two')]);
    expect((await client.get(one)).text).toContain('the first of two');
    expect((await client.get(other)).text).toContain('the second of two');
  });

  it('has no password of those that were typed', async () => {
    const account = '/panel/account';
    const password = 'seven bright umbrellas';
    const typed = { current: 'not it at all', password, again: password };
    const { status, text } = await client.submit(account, account, typed);
    expect(status).toBe(422);
    expect(text).not.toMatch(/umbrellas|not it at all/);
  });
});
