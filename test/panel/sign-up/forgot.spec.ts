import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { SecondFactorService } from '../../../src/auth/second-factors/second-factor.service';
import { SignUpAdminService } from '../../../src/admin/sign-up-admin.service';
import { UserAdminService } from '../../../src/admin/user-admin.service';
import { MailWorld } from '../../mail/mail-world';
import type { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { giveSecondFactor } from '../../support/second-factor';

const NEW = 'three new words for ann';
const CLI = { id: null, address: 'test' };

describe('a forgotten password', () => {
  let world: MailWorld;
  let user: PanelUserLogin;
  let n = 0;
  beforeAll(async () => {
    world = await MailWorld.open({ SIGN_UP: 'off' });
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    user = await insertPanelUser(world.service, { email: `ann${(n += 1)}@example.com` });
    await world.clear();
  });

  const forgot = (email = user.email, visitor = world.visitor()) =>
    visitor.submit('/panel/forgot', '/panel/forgot', { email });
  const set = (path: string, visitor: PanelClient = world.visitor('192.0.2.9')) =>
    visitor.submit('/panel/forgot', path, { password: NEW, again: NEW });
  async function mailedPath(): Promise<string> {
    await forgot();
    await world.send();
    return world.pathTo(user.email);
  }

  it('is set by a link from the sign-in page, which ends every session and says so by mail', async () => {
    const other = world.visitor('192.0.2.3');
    await other.signIn(user.email, user.password);
    expect((await world.visitor().get('/panel/sign-in')).text).toContain('href="/panel/forgot"');
    const path = await mailedPath();
    expect((await set(path)).location).toBe('/panel');
    expect((await other.get('/panel/tokens')).location).toContain('/panel/sign-in');
    expect((await world.visitor().signIn(user.email, user.password)).status).toBe(401);
    expect((await world.visitor('192.0.2.8').signIn(user.email, NEW)).location).toBe('/panel');
    await world.send();
    expect(world.mail.to(user.email).at(-1)!.head).toContain('Your password at Blitz & Co has changed');
  });

  it('keeps the second factor', async () => {
    await giveSecondFactor(world.service, user);
    const visitor = world.visitor('192.0.2.10');
    const path = await mailedPath();
    expect((await set(path, visitor)).location).toBe('/panel/sign-in/code');
    expect((await visitor.get('/panel/tokens')).location).toContain('/panel/sign-in');
    expect(await world.service.app.get(SecondFactorService).find(user.id)).not.toBeNull();
  });

  it('signs in no operator without the second factor: not by the link, not by the new password, not by another page', async () => {
    const operator = await insertPanelUser(world.service, { operator: true });
    const { recoveryCodes } = await giveSecondFactor(world.service, operator);
    await forgot(operator.email);
    await world.send();
    const visitor = world.visitor('192.0.2.11');
    expect((await set(world.pathTo(operator.email), visitor)).location).toBe('/panel/sign-in/code');
    const isOut = async () => {
      for (const path of ['/panel/operator', '/panel/account', '/panel/account/second-factor', '/panel/tokens']) {
        expect((await visitor.get(path)).location).toContain('/panel/sign-in');
      }
    };
    await isOut();
    const wrong = await visitor.submit('/panel/sign-in/code', '/panel/sign-in/code', { code: '000000' });
    expect(wrong.status).toBe(401);
    await isOut();
    expect((await visitor.signIn(operator.email, NEW)).location).toContain('/panel/sign-in/code');
    await isOut();
    expect(await world.rows(`select from sessions where user_id = '${operator.id}'`)).toEqual([]);
    const code = { code: [...recoveryCodes][0]! };
    expect((await visitor.submit('/panel/sign-in/code', '/panel/sign-in/code', code)).location).toBe('/panel');
    expect((await visitor.get('/panel/operator/users')).status).toBe(200);
  });

  it('is answered the same for an address without an account, after the same rows', async () => {
    const [known, unknown] = [await forgot(), await forgot('stranger@example.com')];
    expect([known.status, known.location, known.text]).toEqual([unknown.status, unknown.location, unknown.text]);
    expect(await world.mails()).toMatchObject([
      { state: 'pending' },
      { address: 'stranger@example.com', state: 'void' },
    ]);
    await world.send();
    expect(world.mail.received).toHaveLength(1);
  });

  it('takes the link once, in one of two tabs, and not by a look', async () => {
    const path = await mailedPath();
    expect((await world.visitor().get(path)).status).toBe(200);
    const tabs = await Promise.all([set(path, world.visitor('192.0.2.20')), set(path, world.visitor('192.0.2.21'))]);
    expect(tabs.map(({ location }) => location ?? 'refused').toSorted()).toEqual(['/panel', 'refused']);
    expect((await world.visitor().get(path)).status).toBe(404);
  });

  it('takes no link after an hour', async () => {
    const path = await mailedPath();
    await world.run(`update invitations set expires_at = expires_at - interval '59 minutes'`);
    expect((await world.visitor().get(path)).status).toBe(200);
    await world.run(`update invitations set expires_at = expires_at - interval '2 minutes'`);
    expect((await set(path)).status).toBe(404);
  });

  it('takes no link of a user who was disabled meanwhile, and sends none', async () => {
    const path = await mailedPath();
    await forgot();
    await world.service.app.get(UserAdminService).disable(CLI, user.email);
    expect((await set(path)).status).toBe(404);
    world.mail.received.splice(0);
    await world.send();
    await forgot();
    await world.send();
    expect(world.mail.received).toEqual([]);
  });

  it('sends none that was asked for before the password changed', async () => {
    const path = await mailedPath();
    await forgot();
    await set(path);
    world.mail.received.splice(0);
    await world.send();
    expect(world.mail.received.map(({ head }) => /^Subject: (.*)$/m.exec(head)![1])).toEqual([
      'Your password at Blitz & Co has changed',
    ]);
  });

  it('sends no link to an address that the account had when it was asked for', async () => {
    await forgot();
    await world.service.app.get(SignUpAdminService).changeEmail(CLI, user.email, `moved${n}@example.com`);
    await world.send();
    expect(await world.mails()).toMatchObject([
      { kind: 'password_reset', address: user.email, state: 'void' },
      { kind: 'email_changed', address: user.email, state: 'sent' },
    ]);
    expect(world.mail.received.map(({ text: said }) => said.includes('key='))).toEqual([false]);
  });

  it('does not end an operator’s link, whoever asks', async () => {
    const invited = await world.service.app.get(UserAdminService).invite(CLI, user.email);
    await mailedPath();
    const own = invited.url.replace('https://energy.example', '');
    expect((await world.visitor().get(own)).status).toBe(200);
  });

  it.each([
    ['in capitals', () => user.email.toUpperCase()],
    ['in another normal form', () => user.email.replace('a', 'ａ')],
  ])('is found by an address %s, and mailed to the one that is kept', async (_how, typed) => {
    await forgot(typed());
    await world.send();
    expect(world.mail.received.map(({ to }) => to)).toEqual([[user.email]]);
  });

  describe('of an account whose address has a tag', () => {
    const received = async () => {
      await world.send();
      return world.mail.received.map(({ to }) => to).flat();
    };

    it.each(['', '+other'])('is mailed to the stored address, typed with the tag "%s"', async (tag) => {
      const { email } = await insertPanelUser(world.service, { email: `tagged${n}+shop@example.com` });
      await forgot(email.replace('+shop', tag));
      expect(await received()).toEqual([email]);
      expect((await set(world.pathTo(email))).location).toBe('/panel');
    });

    it('is mailed to the account of the typed address, where the mailbox has several, and to none of those for another tag', async () => {
      const [one, other] = [`both${n}+one@example.com`, `both${n}+other@example.com`];
      for (const email of [one, other]) await insertPanelUser(world.service, { email });
      await forgot(other);
      expect(await received()).toEqual([other]);
      await forgot(`both${n}@example.com`);
      expect(await received()).toEqual([other]);
      await world.service.app.get(UserAdminService).disable(CLI, other);
      await forgot(`both${n}@example.com`);
      expect(await received()).toEqual([other, one]);
    });
  });

  it.each(['with PUBLIC_URL', 'without'])(
    'is mailed with a link to this service, whatever host the form names, %s',
    async (how) => {
      const instance = await world.instance(how === 'without' ? { PUBLIC_URL: '' } : {});
      const lie = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
      const ask = (method: string, headers: Record<string, string>, body = '') =>
        new Promise<{ text: string; cookie: string; status: number }>((resolve, reject) => {
          const sent = request(
            `${instance.url}/panel/forgot`,
            { method, headers: { ...lie, ...headers } },
            (response) => {
              const cookie = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
              text(response).then((read) => resolve({ text: read, cookie, status: response.statusCode! }), reject);
            },
          );
          sent.on('error', reject).end(body);
        });
      const page = await ask('GET', {});
      const fields = { _csrf: /name="_csrf" value="([^"]+)"/.exec(page.text)![1]!, email: user.email };
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = await ask('POST', { ...type, cookie: page.cookie }, new URLSearchParams(fields).toString());
      expect(sent.status).toBe(303);
      await world.send(instance);
      const [mail] = world.mail.to(user.email);
      expect(mail!.text).not.toContain('evil.example');
      const begins = how === 'without' ? instance.url : 'https://energy.example';
      expect(world.mail.linkTo(user.email)).toContain(`${begins}/panel/invitation?key=`);
    },
  );

  it('refuses what is not an address', async () => {
    const page = await forgot('not an address');
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('is not an e-mail address')]);
  });

  it('is asked of an operator where no mail is set up', async () => {
    const without = await world.instance({ SMTP_URL: '', MAIL_FROM: '' });
    expect((await fetch(`${without.url}/panel/forgot`)).status).toBe(404);
    expect(await (await fetch(`${without.url}/panel/sign-in`)).text()).toContain('Ask an operator for a link');
  });
});

describe('an operator’s invitation', () => {
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.open({ SIGN_UP: 'off' });
  });
  afterAll(() => world?.close());

  it('is mailed too, with a link of its own that ends with the printed one', async () => {
    const user = await insertPanelUser(world.service);
    const { url } = await world.service.app.get(UserAdminService).invite(CLI, user.email);
    await world.send();
    const [printed, mailed] = [url.replace('https://energy.example', ''), world.pathTo(user.email)];
    expect(mailed).not.toBe(printed);
    for (const path of [printed, mailed]) expect((await world.visitor().get(path)).status).toBe(200);
    await world.visitor().submit(mailed, mailed, { password: NEW, again: NEW });
    for (const path of [printed, mailed]) expect((await world.visitor().get(path)).status).toBe(404);
  });

  it('is not mailed once it was withdrawn', async () => {
    const user = await insertPanelUser(world.service);
    const admin = world.service.app.get(UserAdminService);
    await admin.invite(CLI, user.email);
    await admin.withdrawLink(CLI, user.email);
    await world.send();
    expect(world.mail.to(user.email)).toEqual([]);
  });
});
