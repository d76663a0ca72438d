import { SignUpService } from '../../../src/auth/sign-ups/sign-up.service';
import { MailWorld, PASSWORD } from '../../mail/mail-world';
import type { PanelClient } from '../../support/panel-client';

const EMAIL = 'zoe@shop.example';
const SIGN_UP = '/panel/sign-up';
const COOKIE = 'panel_sign_up';
const STRANGERS = 'five words that a stranger knows';
const both = (password: string) => ({ password, again: password });

describe('the password of a sign-up', () => {
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.open();
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    await world.clear();
    await world.run(`update users set email = id::text || '@gone.example' where sign_up_network is not null`);
  });

  const signUp = (visitor: PanelClient, password: string, email = EMAIL) =>
    visitor.submit(SIGN_UP, SIGN_UP, { name: 'Zoe', email, language: 'en', ...both(password) });
  const mailedPath = async () => {
    await world.send();
    return world.pathTo(EMAIL);
  };
  const users = () => world.rows(`select id from users where email = '${EMAIL}'`);
  const opens = async (password: string) =>
    (await world.visitor('192.0.2.202').signIn(EMAIL, password)).location === '/panel';

  it('of a stranger opens nothing once the address’s owner confirms it in another browser, and chooses another', async () => {
    const stranger = world.visitor('203.0.113.66');
    await signUp(stranger, STRANGERS);
    const path = await mailedPath();
    const owner = world.visitor('192.0.2.1');
    expect((await owner.get(path)).text).toContain('type="password"');
    const without = await owner.submit(path, path);
    expect([without.status, without.text]).toEqual([422, expect.stringContaining('A password must have 12 to 200')]);
    expect(await users()).toEqual([]);
    expect((await owner.submit(path, path, both(PASSWORD))).location).toBe('/panel/sign-up/ready');
    expect([await opens(STRANGERS), await opens(PASSWORD)]).toEqual([false, true]);
  });

  it('of a stranger opens nothing either when the owner has signed up too, with a cookie of another sign-up', async () => {
    const stranger = world.visitor('203.0.113.66');
    await signUp(stranger, STRANGERS);
    const ofStranger = await mailedPath();
    const owner = world.visitor('192.0.2.1');
    await signUp(owner, PASSWORD);
    const ofOwner = await mailedPath();
    expect((await owner.get(ofStranger)).text).toContain('type="password"');
    expect((await owner.submit(ofStranger, ofStranger)).status).toBe(422);
    expect((await owner.submit(ofOwner, ofOwner)).location).toBe('/panel/sign-up/ready');
    expect([await opens(STRANGERS), await opens(PASSWORD)]).toEqual([false, true]);
    // The stranger's own sign-up has gone with it.
    expect((await stranger.get(ofStranger)).status).toBe(404);
  });

  it('does not count by a cookie that was made up, nor by the hash that the database has of it', async () => {
    await signUp(world.visitor(), STRANGERS);
    const path = await mailedPath();
    const [row] = await world.rows<{ key: string }>('select browser_key as key from sign_ups');
    for (const value of ['', 'x', row!.key]) {
      const forger = world.visitor('203.0.113.67');
      forger.cookies.set(COOKIE, value);
      expect((await forger.submit(path, path)).status).toBe(422);
    }
    const service = world.service.app.get(SignUpService);
    const key = new URL(world.mail.linkTo(EMAIL)!).searchParams.get('key')!;
    await expect(service.confirm(key, { browser: row!.key }, 'test')).rejects.toMatchObject({
      code: 'invitation.not-valid',
    });
    expect(await users()).toEqual([]);
  });

  it('counts where the same browser confirms, which has only a button to press, by no look', async () => {
    const visitor = world.visitor('192.0.2.1');
    await signUp(visitor, PASSWORD);
    const secret = visitor.cookies.get(COOKIE)!;
    const path = await mailedPath();
    const page = await visitor.get(path);
    expect([page.text.includes('type="password"'), await users()]).toEqual([false, []]);
    expect((await visitor.submit(path, path)).location).toBe('/panel/sign-up/ready');
    expect(await opens(PASSWORD)).toBe(true);
    // Neither the link nor the cookie confirms twice.
    expect(visitor.cookies.has(COOKIE)).toBe(false);
    visitor.cookies.set(COOKIE, secret);
    expect((await visitor.get(path)).status).toBe(404);
    expect((await visitor.submit(SIGN_UP, path)).status).toBe(404);
    expect(await users()).toHaveLength(1);
  });

  it('is the one of the last sign-up: an earlier link of the same browser asks for one', async () => {
    const visitor = world.visitor('192.0.2.1');
    await signUp(visitor, STRANGERS);
    const first = await mailedPath();
    await signUp(visitor, PASSWORD);
    const second = await mailedPath();
    expect((await visitor.submit(first, first)).status).toBe(422);
    expect((await visitor.submit(second, second)).location).toBe('/panel/sign-up/ready');
    expect([await opens(STRANGERS), await opens(PASSWORD)]).toEqual([false, true]);
    expect((await visitor.get(first)).status).toBe(404);
  });

  it('can be chosen again in the same browser, which another person may have used', async () => {
    const visitor = world.visitor('192.0.2.1');
    await signUp(visitor, STRANGERS);
    const path = await mailedPath();
    const other = `${path}&choose=1`;
    expect((await visitor.get(path)).text).toContain(`href="${other.replace('&', '&amp;')}"`);
    expect((await visitor.submit(other, other)).status).toBe(422);
    expect((await visitor.submit(other, other, both(PASSWORD))).location).toBe('/panel/sign-up/ready');
    expect([await opens(STRANGERS), await opens(PASSWORD)]).toEqual([false, true]);
  });

  it('ends with its link after a day, also in the same browser', async () => {
    const visitor = world.visitor();
    await signUp(visitor, PASSWORD);
    const path = await mailedPath();
    await world.run(`update sign_ups set expires_at = now() - interval '1 second'`);
    expect((await visitor.get(path)).status).toBe(404);
    expect((await visitor.submit(SIGN_UP, path)).status).toBe(404);
    expect(await users()).toEqual([]);
  });

  it('is refused by the form where none could have it, and is not written back into the page', async () => {
    const visitor = world.visitor();
    for (const [bad, why] of [
      ['short', 'A password must have 12 to 200 characters'],
      ['password1234', 'easy to guess'],
    ] as const) {
      const page = await signUp(visitor, bad);
      expect([page.status, page.text]).toEqual([422, expect.stringContaining(why)]);
      expect(page.text).not.toContain(`value="${bad}"`);
    }
    const fields = { name: 'Zoe', email: EMAIL, language: 'en', password: PASSWORD, again: STRANGERS };
    expect((await visitor.submit(SIGN_UP, SIGN_UP, fields)).text).toContain('The two passwords differ');
    expect(visitor.cookies.has(COOKIE)).toBe(false);
    expect(await world.mails()).toEqual([]);
  });

  it('is judged 30 times for a network in five minutes', async () => {
    const visitor = world.visitor('198.51.100.31');
    for (let n = 0; n < 30; n += 1) expect((await signUp(visitor, 'password1234')).status).toBe(422);
    expect((await signUp(visitor, PASSWORD)).status).toBe(429);
    expect((await signUp(world.visitor('198.51.100.32'), PASSWORD)).location).toBe('/panel/sign-up/sent');
  });

  it('is in no row but as a hash, nor is what the cookie holds', async () => {
    const visitor = world.visitor();
    await signUp(visitor, PASSWORD);
    const [row] = await world.rows<{ row: string }>('select s::text as row from sign_ups s');
    expect(row!.row).toContain('$argon2id$');
    expect(row!.row).not.toContain(PASSWORD);
    expect(row!.row).not.toContain(visitor.cookies.get(COOKIE)!);
  });
});
