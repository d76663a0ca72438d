import { SignUpAdminService } from '../../../src/admin/sign-up-admin.service';
import { TokenAdminService } from '../../../src/admin/token-admin.service';
import { UserAdminService } from '../../../src/admin/user-admin.service';
import { EmailChangeService } from '../../../src/auth/email-changes/email-change.service';
import { SecondFactorService } from '../../../src/auth/second-factors/second-factor.service';
import { MailWorld } from '../../mail/mail-world';
import { giveSecondFactor } from '../../support/second-factor';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import type { PanelClient } from '../../support/panel-client';

const CLI = { id: null, address: 'test' };

describe('another e-mail address', () => {
  let world: MailWorld;
  let user: PanelUserLogin;
  let client: PanelClient;
  let next: string;
  let n = 0;
  beforeAll(async () => {
    world = await MailWorld.open();
    await insertPanelUser(world.service, { email: 'other@example.com' });
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    await world.clear();
    user = await insertPanelUser(world.service, { email: `ann${(n += 1)}@example.com` });
    next = `new${n}@shop.example`;
    client = world.visitor(`203.0.113.${n}`);
    await client.signIn(user.email, user.password);
  });

  const ask = (email = next) => client.submit('/panel/account', '/panel/account/email', { email });
  const confirm = (path: string, visitor = world.visitor('192.0.2.9')) => visitor.submit('/panel/sign-in', path);
  const addressOf = async () =>
    (await world.rows<{ email: string }>(`select email from users where id = '${user.id}'`))[0]!.email;
  async function mailedPath(): Promise<string> {
    expect((await ask()).location).toBe('/panel/account');
    await world.send();
    return world.pathTo(next);
  }

  it('is the user’s once it is confirmed there, and the old one is told', async () => {
    const path = await mailedPath();
    expect(await addressOf()).toBe(user.email);
    expect((await world.visitor().get(path)).text).toContain(next);
    expect((await confirm(path)).location).toBe('/panel/email/changed');
    expect(await addressOf()).toBe(next);
    await world.send();
    expect(world.mail.to(user.email)).toHaveLength(1);
    expect(world.mail.to(user.email)[0]!.text).toContain(`now has the e-mail address ${next}`);
    expect(world.mail.to(user.email)[0]!.text).toContain('write to energy@example.com at once');
    expect((await world.visitor().signIn(next, user.password)).location).toBe('/panel');
    expect((await world.visitor().signIn(user.email, user.password)).status).toBe(401);
    expect((await client.get('/panel/account')).text).toContain(next);
    const log = await world.rows<{ before: object; after: object; subject: string }>(
      `select before, after, subject from audit_log where action = 'user.email' and subject = 'user ${user.id}'`,
    );
    expect(log).toMatchObject([{ before: { email: user.email }, after: { email: next } }]);
  });

  it('is told to the old one with the contact of the settings, where a reply goes too', async () => {
    const path = await mailedPath();
    await confirm(path);
    await world.send(await world.instance({ CONTACT_EMAIL: 'help@example.com' }));
    const [told] = world.mail.to(user.email);
    expect(told!.text).toContain('write to help@example.com at once');
    expect(told!.head).toMatch(/^Reply-To: help@example\.com\r?$/m);
  });

  it('takes the password again', async () => {
    await world.run(`update sessions set password_at = now() - interval '11 minutes'`);
    expect((await ask()).text).toContain('type="password"');
    expect(await world.mails()).toEqual([]);
  });

  it('takes the link once, in one of two tabs, not by a look and not after a day', async () => {
    const path = await mailedPath();
    await world.visitor().get(path);
    expect(await addressOf()).toBe(user.email);
    const tabs = [world.visitor('192.0.2.1'), world.visitor('192.0.2.2')];
    const answers = await Promise.all(tabs.map((tab) => confirm(path, tab)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
    next = `later${n}@shop.example`;
    const late = await mailedPath();
    await world.run(`update email_changes set expires_at = expires_at - interval '25 hours'`);
    expect((await confirm(late)).status).toBe(404);
  });

  it('is not told whether another user has it: that one is told', async () => {
    const free = await ask();
    const taken = await ask('OTHER+x@example.com');
    expect([taken.status, taken.location]).toEqual([free.status, free.location]);
    await world.send();
    expect(world.mail.to('other@example.com')[0]!.head).toContain('Your e-mail address at Blitz & Co');
    expect(await addressOf()).toBe(user.email);
  });

  it('is refused by the link when another user has taken it meanwhile', async () => {
    const path = await mailedPath();
    await insertPanelUser(world.service, { email: next });
    expect((await confirm(path)).status).toBe(404);
    expect(await addressOf()).toBe(user.email);
  });

  it('takes no link of a user who was disabled meanwhile, nor one from before the password changed', async () => {
    const path = await mailedPath();
    await world.service.app.get(UserAdminService).disable(CLI, user.email);
    expect((await confirm(path)).status).toBe(404);
    await world.service.app.get(UserAdminService).enable(CLI, user.email);
    expect((await confirm(path)).status).toBe(404);
  });

  it('takes no link from before a second factor came or went: a thief of the password may have asked for it', async () => {
    const factors = world.service.app.get(SecondFactorService);
    const owner = { userId: user.id, email: user.email };
    const before = await mailedPath();
    await giveSecondFactor(world.service, user);
    expect((await confirm(before)).status).toBe(404);
    await world.service.app
      .get(EmailChangeService)
      .ask({ ...owner, email: next, language: 'en', network: '203.0.113.9' });
    await world.send();
    const between = world.pathTo(next);
    await factors.remove(CLI, owner);
    expect((await confirm(between)).status).toBe(404);
    expect(await addressOf()).toBe(user.email);
  });

  it('replaces an earlier wish', async () => {
    const first = await mailedPath();
    next = `second${n}@shop.example`;
    const second = await mailedPath();
    expect((await confirm(first)).status).toBe(404);
    expect((await confirm(second)).status).toBe(303);
  });

  it('is set by an operator at once, and ends the links to the old one', async () => {
    const { url } = await world.service.app.get(UserAdminService).invite(CLI, user.email);
    const changed = await world.service.app.get(SignUpAdminService).changeEmail(CLI, user.email, next.toUpperCase());
    expect(changed.email).toBe(next);
    expect((await world.visitor().get(url.replace('https://energy.example', ''))).status).toBe(404);
    await world.send();
    expect(world.mail.to(user.email).map(({ head }) => head)).toEqual([expect.stringContaining('has changed')]);
    const again = world.service.app.get(SignUpAdminService).changeEmail(CLI, next, 'other@example.com');
    await expect(again).rejects.toMatchObject({ code: 'user.email-taken' });
  });

  describe('and then a forgotten password', () => {
    const NEW = 'three new words for ann';
    const tokens = () =>
      world.rows<{ id: string }>(`select id from api_tokens where user_id = '${user.id}' and revoked_at is null`);
    async function resetPath(): Promise<string> {
      await world.service.app
        .get(TokenAdminService)
        .create(CLI, user.email, { name: 'shop', permissions: ['balance'] });
      await confirm(await mailedPath());
      await world.visitor().submit('/panel/forgot', '/panel/forgot', { email: next });
      await world.send();
      return world.pathTo(next);
    }
    const told = () => world.mail.to(next).at(-1)!.text;

    it('revokes its tokens, as the page says before, the next page after, and the mail', async () => {
      const path = await resetPath();
      const visitor = world.visitor();
      expect((await visitor.get(path)).text).toContain(
        'The e-mail address of this account changed after its last password',
      );
      expect((await visitor.fillIn(path, path, { password: NEW, again: NEW })).location).toBe('/panel');
      expect((await visitor.get('/panel/account')).text).toContain(
        'Your password is set, and all API tokens are revoked.',
      );
      expect(await tokens()).toEqual([]);
      await world.send();
      expect(told()).toContain('All its API tokens are revoked');
      // With a password of the new address the tokens are its owner's own.
      await world.visitor().submit('/panel/forgot', '/panel/forgot', { email: next });
      await world.send();
      expect((await visitor.get(world.pathTo(next))).text).not.toContain('changed after its last password');
    });

    it('keeps its tokens for a user who unticks the box, also after a refused password', async () => {
      const path = await resetPath();
      const visitor = world.visitor();
      const refused = await visitor.fillIn(path, path, { password: NEW, again: 'another', tokens: '' });
      expect(refused.text).not.toMatch(/name="tokens"[^>]*checked/);
      expect((await visitor.fillIn(path, path, { password: NEW, again: NEW, tokens: '' })).location).toBe('/panel');
      expect((await visitor.get('/panel/account')).text).not.toContain('tokens are revoked');
      expect(await tokens()).toHaveLength(1);
      await world.send();
      expect(told()).not.toContain('tokens');
    });
  });

  it('is swept when its day is over', async () => {
    await mailedPath();
    await world.run(`update email_changes set expires_at = now() - interval '1 second'`);
    await world.service.app.get(EmailChangeService).sweep();
    expect(await world.rows('select id from email_changes')).toEqual([]);
  });
});
