import { SignInLog } from '../../../src/auth/sign-in-log';
import { freezeDate } from '../../support/frozen-date';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { codeOf, giveSecondFactor } from '../../support/second-factor';
import { createTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ACCOUNT = '/panel/account';

interface Entry {
  readonly action: string;
  readonly actor_id: string | null;
  readonly service: string | null;
  readonly subject: string;
  readonly outcome: string;
  readonly after: Record<string, unknown> | null;
}

describe('who is signed in, and who tried', () => {
  const date = freezeDate();
  let service: TestApp;
  let network = 0;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => service.close());
  beforeEach(() => date.advance(3_600_000));

  const from = (address: string, browser = 'curl/8.0') =>
    new PanelClient(service.url, { 'X-Forwarded-For': address, 'User-Agent': browser });
  const elsewhere = () => from(`10.9.${network >> 8}.${network++ & 255}`);
  const entries = (where: string) =>
    service.sql.rows<Entry>({
      name: '',
      text: `select action, actor_id, service, subject, outcome, after from audit_log where ${where} order by id`,
    });

  it('is listed with browser, network and when it was last seen, and ended one by one', async () => {
    const user = await insertPanelUser(service);
    const [here, there] = [from('192.0.2.1'), from('2001:db8::1', FIREFOX)];
    for (const client of [here, there]) await client.signIn(user.email, user.password);
    const { text } = await here.get(ACCOUNT);
    expect(text).toContain('Firefox 140 · Linux');
    expect(text).toContain('2001:db8::/64');
    expect(text).toContain('192.0.2.1');
    const buttons = [...text.matchAll(/name="session" value="([^"]+)"/g)].map(([, key]) => key!);
    expect(buttons).toHaveLength(1);
    expect((await here.submit(ACCOUNT, `${ACCOUNT}/sessions`, { session: buttons[0]! })).location).toBe(ACCOUNT);
    expect((await there.get(ACCOUNT)).status).toBe(303);
    expect((await here.get(ACCOUNT)).status).toBe(200);
    expect(await entries(`action = 'session.end' and actor_id = '${user.id}'`)).toMatchObject([
      { outcome: 'done', after: { sessions_ended: 1 } },
    ]);
  });

  it('ends nobody else’s session by its key', async () => {
    const [user, other] = [await insertPanelUser(service), await insertPanelUser(service)];
    const [own, theirs] = [elsewhere(), elsewhere()];
    await own.signIn(user.email, user.password);
    await theirs.signIn(other.email, other.password);
    const row = await service.sql.row<{ key: string }>({
      name: '',
      text: `select key from sessions where user_id = '${other.id}'`,
    });
    await own.submit(ACCOUNT, `${ACCOUNT}/sessions`, { session: row!.key });
    expect((await theirs.get(ACCOUNT)).status).toBe(200);
  });

  it('says nothing of a browser that is markup', async () => {
    const user = await insertPanelUser(service);
    const client = from('192.0.2.3', '<script>alert(1)</script>'.repeat(100));
    await client.signIn(user.email, user.password);
    expect((await client.get(ACCOUNT)).text).not.toContain('<script>alert');
  });

  it('has the sign-ins, the new password and the second factor in the audit log', async () => {
    const user = await insertPanelUser(service);
    const client = elsewhere();
    await client.signIn(user.email, user.password);
    const again = { password: 'four words are enough', again: 'four words are enough' };
    await client.submit(ACCOUNT, ACCOUNT, { current: user.password, ...again });
    const { secret } = await giveSecondFactor(service, user);
    const next = elsewhere();
    await next.signIn(user.email, again.password);
    await next.submit('/panel/sign-in/code', '/panel/sign-in/code', { code: '000000' });
    date.advance(60_000);
    await next.submit('/panel/sign-in/code', '/panel/sign-in/code', { code: codeOf(secret) });
    await next.submit(ACCOUNT, '/panel/sign-out-everywhere');
    const subject = `subject = 'user ${user.id}'`;
    await until('the wrong code is entered', async () => (await entries(subject)).length === 6);
    const done = (await entries(subject)).map(({ action, actor_id, outcome, after }) => [
      action,
      actor_id === user.id,
      outcome,
      after?.['by'] ?? after?.['wrong'] ?? null,
    ]);
    expect(done.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
      ['password.change', true, 'done', null],
      ['second-factor.enable', true, 'done', null],
      ['session.end-all', true, 'done', null],
      ['sign-in', false, 'refused', 'code'],
      ['sign-in', true, 'done', 'code'],
      ['sign-in', true, 'done', 'password'],
    ]);
  });

  it('keeps the first few failures of an hour, and of addresses that nobody has not even the address', async () => {
    const user = await insertPanelUser(service);
    const last = await service.sql.row<{ id: bigint }>({ name: '', text: 'select max(id) as id from audit_log' });
    const typed = 'my password in the wrong field';
    for (let n = 0; n < 15; n++) {
      expect((await elsewhere().signIn(user.email, 'wrong')).status).toBe(401);
      expect((await elsewhere().signIn(typed, 'wrong')).status).toBe(401);
    }
    const refused = () => entries(`id > ${last!.id} and action = 'sign-in' and outcome = 'refused'`);
    await until('all that is kept is there', async () => (await refused()).length === 20);
    // Nothing is under way behind this one.
    await service.app.get(SignInLog).beforeApplicationShutdown();
    const kept = await refused();
    expect(kept).toHaveLength(20);
    expect(kept.every(({ service: by }) => by === 'panel')).toBe(true);
    expect(JSON.stringify(kept)).not.toContain(typed);
    const own = kept.filter(({ subject }) => subject === `user ${user.id}`);
    expect(own).toHaveLength(10);
    expect(own.at(-1)!.after).toEqual({ wrong: 'password', further: 'none of these for an hour' });
    date.advance(3_600_000);
    await elsewhere().signIn(user.email, 'wrong');
    await until('a new hour has begun', async () => (await refused()).length === 21);
  });

  it('keeps a hundred failures of all users in an hour, and sixty sign-ins of each', async () => {
    const log = service.app.get(SignInLog);
    const users = await Promise.all(Array.from({ length: 11 }, () => insertPanelUser(service)));
    const last = await service.sql.row<{ id: bigint }>({
      name: '',
      text: 'select coalesce(max(id), 0) as id from audit_log',
    });
    for (const { email } of users) for (let n = 0; n < 10; n++) log.failed(email, '192.0.2.9', 'password');
    await log.beforeApplicationShutdown();
    const kept = (outcome: string) => entries(`id > ${last!.id} and action = 'sign-in' and outcome = '${outcome}'`);
    expect(await kept('refused')).toHaveLength(100);
    const { id: userId, email } = users[0]!;
    for (let n = 0; n < 62; n++) await log.succeeded({ userId, email }, '192.0.2.9', 'password');
    const done = await kept('done');
    expect(done).toHaveLength(60);
    expect(done.at(-1)!.after).toEqual({ by: 'password', further: 'none of this user for an hour' });
  });
});
