import { UserAdminService } from '../../../src/admin/user-admin.service';
import { SignUpService } from '../../../src/auth/sign-ups/sign-up.service';
import { MOST_FORMS } from '../../../src/panel/sign-up/form-limit';
import { HOLD } from '../../../src/users/mailboxes';
import { ASKED, MailWorld, PASSWORD } from '../../mail/mail-world';
import { insertPanelUser } from '../../support/panel-user';
import { until } from '../../support/until';

const EMAIL = 'zoe@shop.example';
const CHOSEN = { password: PASSWORD, again: PASSWORD };
const FORM = { name: 'Zoe', email: EMAIL, language: 'en', ...CHOSEN };

describe('sign-up, where it is open', () => {
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.open();
    await insertPanelUser(world.service, { email: 'ann@example.com' });
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    await world.clear();
    // Users stay for ever: with another address they are out of the way.
    await world.run(`update users set email = id::text || '@gone.example' where sign_up_network is not null`);
  });

  const signUp = (fields: Record<string, string> = {}, visitor = world.visitor()) =>
    visitor.submit('/panel/sign-up', '/panel/sign-up', { ...FORM, ...fields });
  const userOf = (email = EMAIL) =>
    world.rows<{ name: string; language: string; network: string }>(
      `select name, language, sign_up_network as network from users where email = '${email}'`,
    );
  const labelsOf = (html: string) => [...html.matchAll(/<label for="[^"]*">([^<]*)</g)].map(([, label]) => label);
  const confirm = (path: string, visitor = world.visitor('192.0.2.200'), chosen = CHOSEN) =>
    visitor.submit(path, path, chosen);

  it('leads from the sign-in page to an account, which is there only once the address is confirmed', async () => {
    const visitor = world.visitor('203.0.113.9');
    expect((await visitor.get('/panel/sign-in')).text).toContain('href="/panel/sign-up"');
    const sent = await signUp({}, visitor);
    expect([sent.status, sent.location]).toEqual([303, '/panel/sign-up/sent']);
    expect((await visitor.get('/panel/sign-up/sent')).text).toContain('Open the link in it within 24 hours');
    await world.send();
    expect(await userOf()).toEqual([]);
    const path = world.pathTo(EMAIL);
    const elsewhere = await world.visitor('192.0.2.200').get(path);
    for (const { text } of [await visitor.get('/panel/sign-up'), elsewhere]) {
      expect(labelsOf(text)).toEqual(expect.arrayContaining(['Password', 'Password, again']));
    }
    expect((await visitor.get(path)).text).toContain(EMAIL);
    expect((await confirm(path)).location).toBe('/panel/sign-up/ready');
    expect(await userOf()).toEqual([{ name: 'Zoe', language: 'en', network: '203.0.113.9' }]);
    expect((await visitor.signIn(EMAIL, PASSWORD)).location).toBe('/panel');
    expect(await world.rows('select id from sign_ups')).toEqual([]);
    expect(await world.rows(`select subject from audit_log where action = 'user.sign-up'`)).not.toEqual([]);
  });

  it('refuses a bad password by the link, which goes on working', async () => {
    await signUp();
    await world.send();
    const path = world.pathTo(EMAIL);
    const visitor = world.visitor('192.0.2.203');
    const short = await confirm(path, visitor, { password: 'short', again: 'short' });
    expect([short.status, short.text]).toEqual([
      422,
      expect.stringContaining('A password must have 12 to 200 characters'),
    ]);
    const other = await confirm(path, visitor, { password: PASSWORD, again: 'another one than that' });
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('The two passwords differ')]);
    const own = await confirm(path, visitor, { password: `${EMAIL}1`, again: `${EMAIL}1` });
    expect([own.status, own.text]).toEqual([422, expect.stringContaining('easy to guess')]);
    expect(await userOf()).toEqual([]);
    expect((await confirm(path, visitor)).location).toBe('/panel/sign-up/ready');
  });

  it('looks at 30 passwords of a network, over all its links, also at those that it refuses', async () => {
    const links = ['a', 'b', 'c', 'd'].map((name) => `${name}@shop.example`);
    for (const email of links) await signUp({ email });
    await world.send();
    const visitor = world.visitor('198.51.100.31');
    const refused = { password: 'password1234', again: 'password1234' };
    for (const email of links.slice(0, 3)) {
      for (let n = 0; n < 10; n += 1) expect((await confirm(world.pathTo(email), visitor, refused)).status).toBe(422);
    }
    expect((await confirm(world.pathTo(links[3]!), visitor)).status).toBe(429);
    expect(await userOf(links[3])).toEqual([]);
    expect((await confirm(world.pathTo(links[3]!))).location).toBe('/panel/sign-up/ready');
  });

  it('counts every form of a network before it asks the database, and answers those beyond it the same', async () => {
    const visitor = world.visitor('198.51.100.32');
    for (let n = 0; n < MOST_FORMS; n += 1) {
      if (n % 10 === 0) await world.run('delete from mails');
      const name = n % 2 === 0 ? ' ' : 'Zoe';
      expect((await signUp({ name, email: `f${n}@shop.example` }, visitor)).status).toBe(n % 2 === 0 ? 422 : 303);
    }
    await world.run('delete from mails');
    expect((await signUp({}, visitor)).location).toBe('/panel/sign-up/sent');
    const forgot = await visitor.submit('/panel/forgot', '/panel/forgot', { email: 'ann@example.com' });
    expect(forgot.location).toBe('/panel/forgot/sent');
    expect(await world.mails()).toEqual([]);
    await signUp();
    expect(await world.mails()).toHaveLength(1);
  });

  it('changes nothing by a look, a head request, or a form of another site: a scanner opens each link', async () => {
    await signUp();
    await world.send();
    const path = world.pathTo(EMAIL);
    const scanner = world.visitor('198.51.100.77');
    for (let n = 0; n < 3; n += 1) expect((await scanner.get(path)).status).toBe(200);
    await fetch(`${world.service.url}${path}`, { method: 'HEAD' });
    expect((await fetch(`${world.service.url}${path}`, { method: 'POST' })).status).toBe(403);
    expect(await userOf()).toEqual([]);
    expect((await confirm(path)).location).toBe('/panel/sign-up/ready');
  });

  it('takes a link once, also in two tabs at the same moment', async () => {
    await signUp();
    await world.send();
    const path = world.pathTo(EMAIL);
    const tabs = [world.visitor('192.0.2.1'), world.visitor('192.0.2.2')];
    const answers = await Promise.all(tabs.map((tab) => tab.submit('/panel/sign-up', path, CHOSEN)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
    const late = await tabs[0]!.get(path);
    expect([late.status, late.text]).toEqual([404, expect.stringContaining('This link is no longer valid')]);
    expect(await userOf()).toHaveLength(1);
  });

  it('takes no link after a day, none of another row, and none with another secret', async () => {
    await signUp();
    await world.send();
    const path = world.pathTo(EMAIL);
    expect((await world.visitor().get(`${path}x`)).status).toBe(404);
    expect((await world.visitor().get('/panel/sign-up/confirm?key=nonsense')).status).toBe(404);
    await world.run(`update sign_ups set expires_at = expires_at - interval '23 hours 59 minutes'`);
    expect((await world.visitor().get(path)).status).toBe(200);
    await world.run(`update sign_ups set expires_at = expires_at - interval '2 minutes'`);
    expect((await world.visitor().get(path)).status).toBe(404);
    const page = await world.visitor().submit('/panel/sign-up', path, CHOSEN);
    expect(page.status).toBe(404);
    expect(await userOf()).toEqual([]);
    await world.service.app.get(SignUpService).sweep();
    expect(await world.rows('select id from sign_ups')).toEqual([]);
  });

  it('answers a known address the same, makes nothing, and says so in a mail', async () => {
    const known = await signUp({ email: 'ann@example.com' });
    const unknown = await signUp();
    expect([known.status, known.location, known.text]).toEqual([unknown.status, unknown.location, unknown.text]);
    await world.send();
    expect(world.mail.to('ann@example.com')[0]!.text).toContain('You already have an account with Blitz & Co');
    expect(world.mail.linkTo('ann@example.com')).toBe('https://energy.example/panel/sign-in');
    expect(await userOf('ann@example.com')).toHaveLength(1);
  });

  it.each([
    ['in capitals', 'ANN@Example.COM'],
    ['with a tag', 'ann+shop@example.com'],
    ['in wide letters', 'ａｎｎ@example.com'],
    ['with blanks around it', '  ann@example.com '],
  ])('knows an address %s', async (_how, email) => {
    await signUp({ email });
    await world.send();
    expect(world.mail.received.map(({ to }) => to)).toEqual([['ann@example.com']]);
    expect(world.mail.received[0]!.text).toContain('You already have an account');
  });

  it('makes no second account of a user who is disabled: the address is known, and stays shut out', async () => {
    const dan = await insertPanelUser(world.service, { email: 'dan@example.com' });
    await world.service.app.get(UserAdminService).disable({ id: null, address: 'test' }, dan.email);
    const [known, unknown] = [await signUp({ email: 'Dan+2@example.com' }), await signUp()];
    expect([known.status, known.location]).toEqual([unknown.status, unknown.location]);
    await world.send();
    expect(world.mail.to(dan.email).map(({ head }) => head)).toEqual([expect.stringContaining('already have')]);
    expect(await world.rows(`select id from users where email like 'dan%'`)).toHaveLength(1);
    for (const password of [PASSWORD, dan.password])
      expect((await world.visitor('192.0.2.77').signIn(dan.email, password)).status).toBe(401);
  });

  it.each([
    ['bücher@shop.example', 'bu\u0308cher@shop.example'],
    ['zoe@bücher-shop.example', 'zoe@xn--bcher-shop-9db.example'],
    ['zoe@shop.example', 'zoe+a@shop.example'],
  ])('makes one account of %s and %s', async (one, other) => {
    for (const email of [one, other]) await signUp({ email });
    await world.send();
    const links = world.mail.received.map(({ to }) => world.pathTo(to[0]!));
    const statuses: number[] = [];
    for (const path of links) statuses.push((await confirm(path).catch(() => ({ status: 404 }))).status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  });

  it.each([
    ['a list', 'zoe@shop.example,eve@evil.example'],
    ['a second line', 'zoe@shop.example\r\nBcc: eve@evil.example'],
    ['a name', '"Zoe <eve@evil.example>" <zoe@shop.example>'],
    ['quotes', '"zoe eve@evil.example"@shop.example'],
    ['an unseen letter', 'zoe\u200b@shop.example'],
  ])('sends nothing to an address with %s', async (_what, email) => {
    const { status } = await signUp({ email });
    expect([400, 422]).toContain(status);
    await world.send();
    expect(world.mail.received).toEqual([]);
  });

  it('sends no word of what was typed: no stranger is written to in the words of another', async () => {
    await signUp({ name: 'WIN at https://evil.example' });
    await world.send();
    expect(world.mail.to(EMAIL)[0]!.text).not.toMatch(/evil\.example|WIN/);
  });

  it('refuses a bad form for a known address as for another, and keeps what was typed', async () => {
    for (const email of ['ann@example.com', EMAIL]) {
      const nameless = await signUp({ email, name: ' ' });
      expect([nameless.status, nameless.text]).toEqual([422, expect.stringContaining(`value="${email}"`)]);
    }
    expect(await world.mails()).toEqual([]);
  });

  it('writes its mails in the language that was chosen', async () => {
    await signUp({ language: 'zh' });
    await world.send();
    expect(world.mail.to(EMAIL)[0]!.head).toContain('请验证您在 Blitz & Co 的注册邮箱');
    await confirm(world.pathTo(EMAIL));
    expect(await userOf()).toMatchObject([{ language: 'zh' }]);
  });

  it('answers a thousand from one network alike, and sends 20 mails', async () => {
    const service = world.service.app.get(SignUpService);
    for (let n = 0; n < 1000; n += 1) {
      await service.ask({ ...ASKED, email: `a${n}@shop.example`, network: '198.51.100.200' });
    }
    expect(await world.rows('select id from sign_ups')).toHaveLength(20);
    const answer = await signUp({ email: 'last@shop.example' }, world.visitor('198.51.100.200'));
    expect(answer.location).toBe('/panel/sign-up/sent');
    await world.send();
    expect(world.mail.received).toHaveLength(20);
  });

  it('takes an IPv6 network of 64 bits for one', async () => {
    const service = world.service.app.get(SignUpService);
    expect((await signUp({}, world.visitor('2001:db8:1:2::1'))).status).toBe(303);
    const [row] = await world.rows<{ network: string }>('select network from mails');
    for (let n = 0; n < 30; n += 1) {
      await service.ask({ ...ASKED, email: `b${n}@shop.example`, network: row!.network });
    }
    await signUp({ email: 'last@shop.example' }, world.visitor('2001:db8:1:2:ffff::9'));
    expect(await world.mails()).toHaveLength(20);
    await signUp({ email: 'last@shop.example' }, world.visitor('2001:db8:1:3::9'));
    expect(await world.mails()).toHaveLength(21);
  });

  it('takes a thousand of as many networks for one address: four mails, for the fifth is a new password’s, and one account', async () => {
    const service = world.service.app.get(SignUpService);
    for (let n = 0; n < 1000; n += 1) {
      await service.ask({ ...ASKED, email: EMAIL, network: `10.${n >> 8}.${n & 255}.1` });
    }
    await world.send();
    expect(world.mail.to(EMAIL)).toHaveLength(4);
    const first = world.pathTo(EMAIL);
    expect((await confirm(first)).location).toBe('/panel/sign-up/ready');
    expect(await world.rows('select id from sign_ups')).toEqual([]);
    expect(await userOf()).toHaveLength(1);
  });

  it('makes one user when two sign-ups of a mailbox are confirmed at the same moment on two instances', async () => {
    await signUp();
    await signUp({ email: 'zoe+x@shop.example' });
    await world.send();
    const keys = [EMAIL, 'zoe+x@shop.example'].map((email) =>
      new URL(world.mail.linkTo(email)!).searchParams.get('key')!,
    );
    const services = [world.service, world.second].map(({ app }) => app.get(SignUpService));
    const outcomes = await Promise.allSettled(
      keys.map((key, n) => services[n]!.confirm(key, { password: PASSWORD }, 'test')),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    // Not a deadlock: each waits for its turn, and the second finds the first one's user.
    const refused = outcomes.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'invitation.not-valid' } });
    expect(await world.rows(`select id from users where email like 'zoe%'`)).toHaveLength(1);
  });

  it('waits with a confirmation while another of the same mailbox is under way', async () => {
    await signUp({ email: 'zoe+y@shop.example' });
    await world.send();
    const key = new URL(world.mail.linkTo('zoe+y@shop.example')!).searchParams.get('key')!;
    const isWaiting = async () =>
      (
        await world.rows(`select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`)
      ).length > 0;
    const { confirmation } = await world.service.sql.transaction(async (tx) => {
      await tx.execute(HOLD, [EMAIL]);
      const under = world.second.app.get(SignUpService).confirm(key, { password: PASSWORD }, 'test');
      await until('it waits', isWaiting);
      return { confirmation: under };
    });
    expect(await confirmation).toBe('ready');
  });

  it('is not there while it is off, nor are its links', async () => {
    await signUp();
    await world.send();
    const path = world.pathTo(EMAIL);
    const closed = await world.instance({ SIGN_UP: 'off' });
    for (const page of ['/panel/sign-up', '/panel/sign-up/sent', path]) {
      expect((await fetch(`${closed.url}${page}`)).status).toBe(404);
    }
    const signIn = await (await fetch(`${closed.url}/panel/sign-in`)).text();
    expect(signIn).not.toContain('/panel/sign-up');
    expect(signIn).toContain('/panel/forgot');
  });
});
