import { RestoreAdminService } from '../../../src/admin/restore-admin.service';
import { SignUpService } from '../../../src/auth/sign-ups/sign-up.service';
import { NoticeDispatcher } from '../../../src/notices/notice-dispatcher';
import { WatchTroubles } from '../../../src/notices/watch-troubles';
import { MailWorld, PASSWORD } from '../../mail/mail-world';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';

const CHOSEN = { password: PASSWORD, again: PASSWORD };
const SIGN_UPS = '/panel/operator/sign-ups';

describe('sign-up, where an operator decides', () => {
  let world: MailWorld;
  let operator: PanelUserLogin;
  let n = 0;
  beforeAll(async () => {
    world = await MailWorld.open({ SIGN_UP: 'approval', NOTIFY_EMAIL: 'olga@example.com' });
    operator = await insertPanelUser(world.service, { email: 'olga@example.com', operator: true });
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    await world.clear();
    await world.run('delete from notice_marks');
    await world.run('delete from notice_deliveries');
  });

  /** Somebody new, who has confirmed the address. */
  async function waitingOne(language = 'en'): Promise<string> {
    const email = `new${(n += 1)}@shop.example`;
    const visitor = world.visitor(`203.0.113.${n}`);
    const form = { name: 'Shop', email, language, ...CHOSEN };
    await visitor.submit('/panel/sign-up', '/panel/sign-up', form);
    await world.send();
    const path = world.pathTo(email);
    expect((await visitor.submit(path, path)).location).toBe('/panel/sign-up/waiting');
    return email;
  }
  async function signedIn() {
    const client = world.visitor('192.0.2.5');
    await client.signIn(operator.email, operator.password);
    return client;
  }
  const userOf = (email: string) => world.rows(`select id from users where email = '${email}'`);

  it('makes no account by the link, tells operators, and opens it with one click', async () => {
    const email = await waitingOne();
    expect(await userOf(email)).toEqual([]);
    expect((await world.visitor().signIn(email, PASSWORD)).status).toBe(401);
    await world.service.app.get(WatchTroubles).look();
    await world.second.app.get(WatchTroubles).look();
    await world.service.app.get(NoticeDispatcher).sendDue('email');
    expect(world.mail.to(operator.email)).toHaveLength(1);
    expect(world.mail.to(operator.email)[0]!.text).toContain(`${email} has signed up and is waiting`);
    const client = await signedIn();
    expect((await client.get('/panel/operator')).text).toContain('1 sign-up is waiting');
    expect((await client.get('/panel/operator/users')).text).toContain('1 sign-up is waiting');
    expect((await client.get(SIGN_UPS)).text).toContain(email);
    expect((await client.submit(SIGN_UPS, `${SIGN_UPS}/approve`, { email })).location).toBe(SIGN_UPS);
    expect((await client.get(SIGN_UPS)).text).toContain(`${email} now has an account`);
    await world.send();
    expect(world.mail.to(email).at(-1)!.head).toContain('Welcome to Blitz & Co');
    expect((await world.visitor('203.0.113.77').signIn(email, PASSWORD)).location).toBe('/panel');
  });

  it('makes one account and one mail of two clicks, and says so to the second', async () => {
    const email = await waitingOne();
    const client = await signedIn();
    await client.get(SIGN_UPS);
    const page = await client.get(SIGN_UPS);
    const _csrf = /name="_csrf" value="([^"]+)"/.exec(page.text)![1]!;
    const clicks = await Promise.all([1, 2].map(() => client.post(`${SIGN_UPS}/approve`, { _csrf, email })));
    expect(clicks.map(({ status }) => status)).toEqual([303, 303]);
    await world.send();
    expect(world.mail.to(email).filter(({ head }) => head.includes('Welcome'))).toHaveLength(1);
    expect(await userOf(email)).toHaveLength(1);
  });

  it('opens and refuses none whose address is not confirmed: its password may be a stranger’s', async () => {
    const email = `new${(n += 1)}@shop.example`;
    const visitor = world.visitor(`203.0.113.${n}`);
    await visitor.submit('/panel/sign-up', '/panel/sign-up', { name: 'Shop', email, language: 'en', ...CHOSEN });
    await world.send();
    const path = world.pathTo(email);
    const client = await signedIn();
    for (const [act, fields] of [['approve'], ['refuse', { note: 'no resale' }]] as const) {
      const answer = await client.submit('/panel/account', `${SIGN_UPS}/${act}`, { email, ...fields });
      expect(answer.location).toBe(SIGN_UPS);
      expect((await client.get(SIGN_UPS)).text).toContain(`No sign-up of ${email} is waiting`);
    }
    expect(await userOf(email)).toEqual([]);
    expect((await visitor.submit(path, path)).location).toBe('/panel/sign-up/waiting');
  });

  it('refuses with a note, which the mail has, in the language of its reader', async () => {
    const email = await waitingOne('zh');
    const client = await signedIn();
    const form = `${SIGN_UPS}/refuse?email=${encodeURIComponent(email)}`;
    expect((await client.submit(form, `${SIGN_UPS}/refuse`, { email, note: ' ' })).text).toContain(
      'a note of 1 to 500',
    );
    expect((await client.submit(form, `${SIGN_UPS}/refuse`, { email, note: 'no resale <b>' })).location).toBe(SIGN_UPS);
    await world.send();
    const mail = world.mail.to(email).at(-1)!;
    expect(mail.text).toContain('原因：no resale <b>');
    expect(mail.text).toContain('原因：no resale &lt;b&gt;');
    expect(await userOf(email)).toEqual([]);
    expect(await world.rows('select id from sign_ups')).toEqual([]);
    const log = await world.rows<{ after: { note: string } }>(
      `select after from audit_log where action = 'user.refuse' and outcome = 'done'`,
    );
    expect(log.at(-1)!.after.note).toBe('no resale <b>');
  });

  it('tells somebody who signs up again that the first one waits, and makes no second', async () => {
    const email = await waitingOne();
    const form = { name: 'Again', email: email.toUpperCase(), language: 'en', ...CHOSEN };
    const again = await world.visitor().submit('/panel/sign-up', '/panel/sign-up', form);
    expect(again.location).toBe('/panel/sign-up/sent');
    await world.send();
    expect(world.mail.to(email).at(-1)!.head).toContain('is waiting');
    expect(await world.rows('select id from sign_ups where confirmed_at is not null')).toHaveLength(1);
  });

  it('opens no second account of an address that has got one meanwhile, says so, and keeps the sign-up to be refused', async () => {
    const email = await waitingOne();
    await insertPanelUser(world.service, { email });
    const client = await signedIn();
    expect((await client.submit(SIGN_UPS, `${SIGN_UPS}/approve`, { email })).location).toBe(SIGN_UPS);
    expect((await client.get(SIGN_UPS)).text).toContain('There is already a user with this e-mail address.');
    expect(await userOf(email)).toHaveLength(1);
    await world.send();
    expect(world.mail.to(email).filter(({ head }) => head.includes('Welcome'))).toEqual([]);
    expect(await world.rows(`select id from sign_ups where email = '${email}'`)).toHaveLength(1);
  });

  it('tells of all who wait in one notice, and of further ones an hour later', async () => {
    await world.run('delete from sign_ups');
    const look = async () => {
      await world.service.app.get(WatchTroubles).look();
      await world.service.app.get(NoticeDispatcher).sendDue('email');
      return world.mail.to(operator.email).map(({ text }) => text);
    };
    const emails = [await waitingOne(), await waitingOne(), await waitingOne()];
    expect(await look()).toEqual([expect.stringContaining(`3 sign-ups are waiting, the newest from ${emails[2]}`)]);
    const later = await waitingOne();
    expect(await look()).toHaveLength(1);
    await world.run(`update notice_marks set noticed_at = noticed_at - interval '61 minutes'`);
    expect((await look()).slice(1)).toEqual([
      expect.stringContaining(`4 sign-ups are waiting, the newest from ${later}`),
    ]);
    await world.run(`update notice_marks set noticed_at = noticed_at - interval '61 minutes'`);
    await world.run(`update sign_ups set confirmed_at = confirmed_at - interval '2 hours'`);
    expect(await look()).toHaveLength(2);
  });

  it.each([
    ['five of one network', 5, `'203.0.113.201'`, 'null', '203.0.113.201', '203.0.113.202'],
    [
      'twenty of an IPv6 network of 48 bits',
      20,
      'gen_random_uuid()::text',
      `'2001:db8:9::/48'`,
      '2001:db8:9:1::1',
      '2001:db8:8::1',
    ],
    ['two hundred', 200, 'gen_random_uuid()::text', 'null', '203.0.113.203', null],
  ])('lets %s wait and no more: the link stays good', async (_who, count, network, wide, from, elsewhere) => {
    await world.run('delete from sign_ups');
    await world.run(`insert into sign_ups (id, email, name, password_hash, language, network, wide_network, confirmed_at)
      select gen_random_uuid(), n || '@full.example', 'Full', 'x', 'en', ${network}, ${wide}, now() from generate_series(1, ${count}) n`);
    const email = `full${(n += 1)}@shop.example`;
    const visitor = world.visitor(from);
    await visitor.submit('/panel/sign-up', '/panel/sign-up', { name: 'Shop', email, language: 'en', ...CHOSEN });
    await world.send();
    const path = world.pathTo(email);
    const full = await visitor.submit(path, path);
    expect([full.status, full.text]).toEqual([422, expect.stringContaining('open this link again in a few hours')]);
    if (elsewhere !== null) {
      const other = `other${n}@shop.example`;
      const free = world.visitor(elsewhere);
      await free.submit('/panel/sign-up', '/panel/sign-up', { name: 'Shop', email: other, language: 'en', ...CHOSEN });
      await world.send();
      const otherPath = world.pathTo(other);
      const answer = await free.submit(otherPath, otherPath);
      expect(answer.location).toBe('/panel/sign-up/waiting');
    }
    await world.run(`delete from sign_ups where email like '%@full.example'`);
    const answer = await visitor.submit(path, path);
    expect(answer.location).toBe('/panel/sign-up/waiting');
  });

  it('keeps who waits, however long', async () => {
    await waitingOne();
    await world.run(`update sign_ups set confirmed_at = confirmed_at - interval '400 days'`);
    await world.service.app.get(SignUpService).sweep();
    expect((await (await signedIn()).get(SIGN_UPS)).text).toMatch(/new\d+@shop\.example/);
  });

  it('keeps who waits through a restore, which ends the links of all who have not confirmed', async () => {
    const email = await waitingOne();
    const form = { name: 'Shop', email: 'link@shop.example', language: 'en', ...CHOSEN };
    await world.visitor().submit('/panel/sign-up', '/panel/sign-up', form);
    const waiting = () => world.rows('select email from sign_ups order by email');
    expect(await waiting()).toEqual([{ email: 'link@shop.example' }, { email }]);
    await world.run('update database_identity set database_oid = database_oid + 1');
    await world.service.app.get(RestoreAdminService).confirm({ id: null, address: 'test' }, { revokeTokens: false });
    expect(await waiting()).toEqual([{ email }]);
    const client = await signedIn();
    await client.submit(SIGN_UPS, `${SIGN_UPS}/approve`, { email });
    expect(await userOf(email)).toHaveLength(1);
  });
});
