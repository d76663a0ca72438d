import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { verifyPassword } from '../../../src/auth/passwords/password-hash';
import { PasswordService } from '../../../src/auth/passwords/password.service';
import { statement } from '../../../src/database/statement';
import { UserService } from '../../../src/users/user.service';
import { freezeDate } from '../../support/frozen-date';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const PASSWORD = 'four words are enough';

describe('signing in to the panel', () => {
  const date = freezeDate();
  let service: TestApp;

  beforeAll(async () => {
    service = await createTestApp();
  });
  afterAll(() => service.close());
  // Sign-in attempts of all tests come from one address.
  beforeEach(() => date.advance(5 * 60_000));

  const visitor = (headers?: Record<string, string>) => new PanelClient(service.url, headers);
  const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
  const invite = (email: string) => service.app.get(InvitationService).invite(email);

  async function signedIn(row = {}) {
    const user = await insertPanelUser(service, row);
    const client = visitor();
    expect(await client.signIn(user.email, user.password)).toMatchObject({ status: 303, location: '/panel' });
    return { user, client };
  }

  it('rotates the session id, and keeps it from scripts and from other sites', async () => {
    const user = await insertPanelUser(service);
    const client = visitor();
    client.cookies.set('panel_session', 's%3Aplanted.bad');
    const { headers } = await client.signIn(user.email, user.password);
    const cookie = headers.getSetCookie().find((line) => line.startsWith('panel_session='));
    expect(cookie).not.toContain('planted');
    expect(cookie).toMatch(/; Path=\/panel;.*; HttpOnly; SameSite=Lax/);
    const first = client.cookies.get('panel_session');
    await client.submit('/panel/account', '/panel/sign-out');
    expect((await client.get('/panel/account')).location).toBe('/panel/sign-in?next=%2Fpanel%2Faccount');
    client.cookies.set('panel_session', first!);
    expect((await client.get('/panel/account')).status).toBe(303);
  });

  it('stores neither the password nor what the cookie carries', async () => {
    const user = await insertPanelUser(service);
    const passwords = service.app.get(PasswordService);
    const stored = await passwords.hash(PASSWORD, user.id, []);
    await service.sql.transaction((tx) => passwords.store(tx, user.id, stored));
    const client = new PanelClient(service.url);
    expect((await client.signIn(user.email, PASSWORD)).status).toBe(303);
    const rows = await service.sql.rows(
      statement<[userId: string], { hash: string; key: string }>(
        'test_sessions',
        `select u.password_hash as hash, s.key from users u join sessions s on s.user_id = u.id where u.id = $1`,
      ),
      [user.id],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(PASSWORD, rows[0]!.hash)).toBe(true);
    expect(decodeURIComponent(client.cookies.get('panel_session')!)).not.toContain(rows[0]!.key);
  });

  it('says the same of a wrong password, an unknown address, a disabled user and one without a password', async () => {
    const [known, disabled] = [await insertPanelUser(service), await insertPanelUser(service)];
    await service.app.get(UserService).disable(disabled.email);
    await service.app.get(UserService).create('fresh@example.com', { name: 'Fresh' });
    const tries = [
      [known.email, 'wrong'],
      ['nobody@example.com', 'wrong'],
      [disabled.email, disabled.password],
      ['fresh@example.com', ''],
    ] as const;
    const answers = await Promise.all(tries.map(([email, password]) => visitor().signIn(email, password)));
    const anonymous = answers.map(({ status, text }, index) => ({
      status,
      text: text.replaceAll(tries[index]![0], 'ADDRESS').replaceAll(/[0-9a-f]{64}\.[0-9a-f]{64}/g, 'TOKEN'),
    }));
    expect(anonymous[0]!.status).toBe(401);
    expect(anonymous[0]!.text).toContain('E-mail or password is wrong.');
    for (const answer of anonymous) expect(answer).toEqual(anonymous[0]);
  });

  it('is throttled after five wrong passwords, for known and unknown addresses alike, and opens again', async () => {
    const user = await insertPanelUser(service);
    for (const email of [user.email, 'nobody-at-all@example.com']) {
      for (let attempt = 0; attempt < 5; attempt++) {
        expect((await visitor().signIn(email, `guess ${attempt}`)).status).toBe(401);
      }
      const refused = await visitor().signIn(email, user.password);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('300');
    }
    date.advance(5 * 60_000);
    expect((await visitor().signIn(user.email, user.password)).status).toBe(303);
  });

  it('does not count good sign-ins', async () => {
    const user = await insertPanelUser(service);
    for (let attempt = 0; attempt < 7; attempt++) {
      expect((await visitor().signIn(user.email, user.password)).status).toBe(303);
    }
  });

  it('ends everywhere immediately', async () => {
    const { user, client } = await signedIn();
    const elsewhere = visitor();
    await elsewhere.signIn(user.email, user.password);
    expect((await elsewhere.get('/panel/tokens')).status).toBe(200);
    expect((await client.get('/panel/account')).text).toContain('2 times');
    await client.submit('/panel/account', '/panel/sign-out-everywhere');
    expect((await elsewhere.get('/panel/tokens')).status).toBe(303);
    expect((await client.get('/panel/tokens')).status).toBe(303);
  });

  it('holds on every instance of one database, and ends on all of them', async () => {
    const { client } = await signedIn();
    const token = /name="_csrf" value="([^"]+)"/.exec((await client.get('/panel/account')).text)![1]!;
    const second = await createTestApp({ databaseUrl: service.databaseUrl });
    const there = new PanelClient(second.url);
    for (const [name, value] of client.cookies) there.cookies.set(name, value);
    expect((await there.get('/panel/account')).status).toBe(200);
    expect((await there.post('/panel/sign-out-everywhere', { _csrf: token })).location).toBe('/panel/sign-in');
    expect((await client.get('/panel/account')).status).toBe(303);
    await second.close();
  });

  it('ends with the disabling of the user', async () => {
    const { user, client } = await signedIn();
    await service.app.get(UserService).disable(user.email);
    expect((await client.get('/panel/tokens')).status).toBe(303);
  });

  it.each([
    ['//evil.example/panel', '/panel'],
    ['https://evil.example', '/panel'],
    ['/panel/orders?state=failed', '/panel/orders?state=failed'],
    ['/panel/operator/users?email=a%2Bb+c~*', '/panel/operator/users?email=a%2Bb+c~*'],
    ['/api/user/balance', '/panel'],
  ])('leads from next=%s to %s', async (next, location) => {
    const user = await insertPanelUser(service);
    const path = `/panel/sign-in?next=${encodeURIComponent(next)}`;
    const answer = await visitor().submit(path, path, { email: user.email, password: user.password });
    expect(answer.location).toBe(location);
  });

  it('refuses a form without its token, with another session’s, and from nobody’s page', async () => {
    const { client } = await signedIn();
    const { client: other } = await signedIn();
    const token = async (page: Promise<{ text: string }>) =>
      /name="_csrf" value="([^"]+)"/.exec((await page).text)![1]!;
    const fields = { name: 'forged', permissions: 'balance' };
    const forged = [
      fields,
      { ...fields, _csrf: await token(other.get('/panel/tokens/new')) },
      { ...fields, _csrf: await token(visitor().get('/panel/sign-in')) },
    ];
    for (const form of forged) {
      const answer = await client.post('/panel/tokens/new', form);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain('Nothing was changed');
    }
    expect((await client.get('/panel/tokens')).text).not.toContain('forged');
  });

  it('takes a link once, to set a password or a new one, and then ends the sessions there were', async () => {
    const { user, client } = await signedIn();
    const [old, link] = [await invite(user.email), await invite(user.email)];
    expect((await visitor().get(pathOf(old.url))).status).toBe(404);
    const path = pathOf(link.url);
    const guest = visitor();
    expect((await guest.get(path)).text).toContain(user.email);
    expect((await guest.submit(path, path, { password: 'short', again: 'short' })).status).toBe(422);
    expect((await guest.submit(path, path, { password: PASSWORD, again: 'another one, long' })).status).toBe(422);
    expect(await guest.submit(path, path, { password: PASSWORD, again: PASSWORD })).toMatchObject({ status: 303 });
    expect((await guest.get('/panel/account')).text).toContain(user.email);
    expect((await client.get('/panel/account')).status).toBe(303);
    expect((await visitor().get(path)).status).toBe(404);
    expect((await visitor().signIn(user.email, user.password)).status).toBe(401);
    expect((await visitor().signIn(user.email, PASSWORD)).status).toBe(303);
  });

  it('makes the first operator by a link, which is void once there is one', async () => {
    const invitations = service.app.get(InvitationService);
    const [{ url }, second] = [(await invitations.inviteFirstOperator())!, visitor()];
    const path = pathOf(url);
    const fields = { name: 'Olga', email: 'Olga@example.com', password: PASSWORD, again: PASSWORD };
    expect((await second.submit(path, path, { ...fields, email: 'no address' })).status).toBe(422);
    expect((await second.submit(path, path, fields)).location).toBe('/panel');
    expect((await second.get('/panel')).location).toBe('/panel/operator/today');
    expect((await visitor().get(path)).status).toBe(404);
    expect(await invitations.inviteFirstOperator()).toBeNull();
  });

  it('speaks the browser’s language, or the one that was chosen', async () => {
    const chinese = visitor({ 'Accept-Language': 'zh-CN,zh;q=0.9,en;q=0.8' });
    expect((await chinese.get('/panel/sign-in')).text).toContain('<html lang="zh-Hans">');
    const switched = await chinese.get('/panel/sign-in?next=%2Fpanel%2Forders&lang=en');
    expect(switched).toMatchObject({ status: 303, location: '/panel/sign-in?next=%2Fpanel%2Forders' });
    expect((await chinese.get('/panel/sign-in')).text).toContain('<html lang="en">');
    expect((await visitor().get('//evil.example/panel?lang=zh')).location).not.toBe('//evil.example/panel');
  });

  it('allows nothing inline, nothing from elsewhere and no frame around it', async () => {
    const policy = (await visitor().get('/panel/sign-in')).headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('answers what does not exist with a page, and the API with its envelope', async () => {
    const missing = await visitor().get('/panel/no/such/page');
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-type')).toContain('text/html');
    for (const path of ['/PANEL/sign-in', '/Panel']) expect((await visitor().get(path)).status).toBe(404);
    const api = await visitor().get('/no/such/route');
    expect(JSON.parse(api.text)).toEqual({ success: false, error: '请求的资源不存在' });
    expect((await visitor().get('/panel/assets/old/none.css')).status).toBe(404);
  });
});
