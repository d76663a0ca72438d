import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { KnownNetworkRepository } from '../../../src/auth/known-networks/known-network.repository';
import { PasswordService } from '../../../src/auth/passwords/password.service';
import type { PanelRequest } from '../../../src/panel/http/visit';
import { SignInThrottle } from '../../../src/panel/sign-in/sign-in.throttle';
import { freezeDate } from '../../support/frozen-date';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const WRONG = 'not the password of anybody';

describe('the throttle of sign-in', () => {
  const date = freezeDate();
  let service: TestApp;
  let network = 0;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => service.close());
  beforeEach(() => date.advance(5 * 60_000));

  const from = (address: string) => new PanelClient(service.url, { 'X-Forwarded-For': address });
  const elsewhere = () => from(`10.1.${network >> 8}.${network++ & 255}`);
  const statusOf = async (client: PanelClient, email: string, password = WRONG) =>
    (await client.signIn(email, password)).status;

  /** The same browser somewhere else: what it was given to keep, without the session. */
  function movedTo(address: string, client: PanelClient): PanelClient {
    const moved = from(address);
    for (const [name, value] of client.cookies) if (name === 'panel_browser') moved.cookies.set(name, value);
    return moved;
  }

  async function signedIn(login?: PanelUserLogin, client = elsewhere()) {
    const user = login ?? (await insertPanelUser(service));
    expect(await statusOf(client, user.email, user.password)).toBe(303);
    return { user, client };
  }

  /** So many guesses, each from a place of its own. */
  async function guess(email: string, times: number): Promise<number[]> {
    const statuses = [];
    for (let n = 0; n < times; n += 5) {
      statuses.push(...(await Promise.all(Array.from({ length: 5 }, () => statusOf(elsewhere(), email)))));
    }
    return statuses;
  }

  it('takes one IPv6 network for one client', async () => {
    const { email, password } = await insertPanelUser(service);
    for (let host = 1; host <= 5; host++) expect(await statusOf(from(`2001:db8:0:1::${host}`), email)).toBe(401);
    expect(await statusOf(from('2001:db8:0:1:ffff::9'), email, password)).toBe(429);
    expect(await statusOf(from('2001:db8:0:2::1'), email, password)).toBe(303);
  });

  it('looks at 120 guesses of an IPv6 network of 48 bits, however many smaller ones it has', async () => {
    for (let part = 1; part <= 6; part++) {
      const guesses = Array.from({ length: 20 }, (_, n) =>
        statusOf(from(`2001:db8:7:${part}::${n}`), `g${part}x${n}@example.com`),
      );
      expect(await Promise.all(guesses)).toEqual(Array(20).fill(401));
    }
    const { email, password } = await insertPanelUser(service);
    expect(await statusOf(from('2001:db8:7:ffff::1'), email, password)).toBe(429);
    expect(await statusOf(from('2001:db8:8::1'), email, password)).toBe(303);
  });

  it('takes an address for one client whatever port a proxy writes behind it', async () => {
    const { email, password } = await insertPanelUser(service);
    for (let port = 1; port <= 5; port++) expect(await statusOf(from(`198.51.100.44:5000${port}`), email)).toBe(401);
    expect(await statusOf(from('[::ffff:198.51.100.44]:50006'), email, password)).toBe(429);
    expect(await statusOf(from('198.51.100.45:50007'), email, password)).toBe(303);
  });

  it('lets nobody lock a user out of a browser or a network of theirs', async () => {
    const { user, client } = await signedIn();
    await signedIn(user, from('192.0.2.7'));
    expect(await guess(user.email, 50)).toEqual(Array(50).fill(401));
    expect(await statusOf(elsewhere(), user.email, user.password)).toBe(429);
    expect(await statusOf(movedTo('198.51.100.1', client), user.email, user.password)).toBe(303);
    expect(await statusOf(from('192.0.2.7'), user.email, user.password)).toBe(303);
  });

  it('knows a network for 30 days after the last sign-in from there, and the sweep forgets no other', async () => {
    const { user } = await signedIn(undefined, from('192.0.2.31'));
    await signedIn(user, from('192.0.2.32'));
    const passDays = (days: number) =>
      service.sql.execute(
        {
          name: '',
          text: `update known_places set last_at = last_at - $2::integer * interval '1 day' where user_id = $1`,
        },
        [user.id, days],
      );
    await passDays(20);
    await signedIn(user, from('192.0.2.31'));
    await passDays(11);
    await guess(user.email, 50);
    expect(await statusOf(from('192.0.2.32'), user.email, user.password)).toBe(429);
    expect(await statusOf(from('192.0.2.31'), user.email, user.password)).toBe(303);
    await passDays(29);
    await service.app.get(KnownNetworkRepository).sweep();
    const known = { name: '', text: 'select network from known_places where user_id = $1' };
    expect(await service.sql.rows(known, [user.id])).toEqual([{ network: '192.0.2.31' }]);
  });

  it('lets nobody lock a user out of their own browser from the same network', async () => {
    const { user, client } = await signedIn(undefined, from('192.0.2.8'));
    for (let n = 0; n < 5; n++) await statusOf(from('192.0.2.8'), user.email);
    expect(await statusOf(from('192.0.2.8'), user.email, user.password)).toBe(429);
    expect(await statusOf(movedTo('192.0.2.8', client), user.email, user.password)).toBe(303);
  });

  it('gives a known browser and a known network five guesses, wherever the browser goes', async () => {
    const { user, client } = await signedIn();
    await signedIn(user, from('192.0.2.9'));
    await guess(user.email, 50);
    for (let n = 0; n < 5; n++) {
      expect(await statusOf(movedTo(`198.51.100.${n}`, client), user.email)).toBe(401);
      expect(await statusOf(from('192.0.2.9'), user.email)).toBe(401);
    }
    expect(await statusOf(movedTo('198.51.100.9', client), user.email, user.password)).toBe(429);
    expect(await statusOf(from('192.0.2.9'), user.email, user.password)).toBe(429);
  });

  it('gives all known browsers of a user together no more than fifty guesses', async () => {
    const user = await insertPanelUser(service);
    const browsers = [];
    for (let n = 0; n < 12; n++) browsers.push((await signedIn(user)).client);
    let looked = 0;
    for (const browser of browsers) {
      for (let n = 0; n < 5; n++) {
        if ((await statusOf(movedTo(`198.51.100.${n}`, browser), user.email)) === 401) looked += 1;
      }
    }
    expect(looked).toBe(50);
  });

  it('knows a browser by its own user only, and by nothing made up', async () => {
    const [{ user }, { client: another }] = [await signedIn(), await signedIn()];
    await guess(user.email, 50);
    expect(await statusOf(movedTo('198.51.100.20', another), user.email)).toBe(429);
    const made = from('198.51.100.21');
    made.cookies.set('panel_browser', another.cookies.get('panel_browser')!.replace(/^./, 'x'));
    expect(await statusOf(made, user.email)).toBe(429);
  });

  it('keeps a browser it knows from minting more of itself', async () => {
    const { user, client } = await signedIn();
    const id = () => client.cookies.get('panel_browser')!.split('.')[0];
    const first = id();
    client.cookies.delete('panel_session');
    await signedIn(user, client);
    expect(id()).toBe(first);
  });

  it('counts in no limit of a user what the limit of the network has refused', async () => {
    const { email, password } = await insertPanelUser(service);
    const here = () => from('192.0.2.51');
    for (let n = 0; n < 30; n++) expect(await statusOf(here(), `other${n}@example.com`)).toBe(401);
    date.advance(4 * 60_000);
    for (let n = 0; n < 5; n++) expect(await statusOf(here(), email, password)).toBe(429);
    // A new window of the network begins; what was refused above would still be in those of the user.
    date.advance(60_000);
    expect(await statusOf(here(), email, password)).toBe(303);
  });

  it('gives nobody a guess back that an earlier window has counted', async () => {
    const user = await insertPanelUser(service);
    const client = elsewhere();
    expect(await statusOf(client, user.email)).toBe(401);
    date.advance(5 * 60_000 - 1_000);
    const passwords = service.app.get(PasswordService);
    const findUser = passwords.findUser.bind(passwords);
    const look = jest.spyOn(passwords, 'findUser').mockImplementationOnce(async (...asked) => {
      // While this one waits for its turn a new window begins, and somebody guesses in it.
      date.advance(2_000);
      expect(await statusOf(client, user.email)).toBe(401);
      return findUser(...asked);
    });
    expect(await statusOf(client, user.email, user.password)).toBe(303);
    look.mockRestore();
    for (const name of client.cookies.keys()) client.cookies.delete(name);
    for (let n = 0; n < 4; n++) expect(await statusOf(client, user.email)).toBe(401);
    expect(await statusOf(client, user.email)).toBe(429);
  });

  it('keeps nobody from a link because others on the same network try links that nobody has made', async () => {
    const tried = from('192.0.2.77');
    const _csrf = /name="_csrf" value="([^"]+)"/.exec((await tried.get('/panel/sign-in')).text)![1]!;
    const redeem = (n: number) =>
      tried.post(`/panel/invitation?key=made-up-${n}`, { _csrf, password: WRONG, again: WRONG });
    for (let n = 0; n < 40; n++) expect((await redeem(n)).status).toBe(404);
    const user = await insertPanelUser(service);
    const { pathname, search } = new URL((await service.app.get(InvitationService).invite(user.email)).url);
    const chosen = { password: 'four words are enough', again: 'four words are enough' };
    expect((await from('192.0.2.77').submit(pathname + search, pathname + search, chosen)).status).toBe(303);
  });

  it('limits what is tried with one link, from wherever: a password that is refused counts, for judging it is work', async () => {
    const user = await insertPanelUser(service);
    const { pathname, search } = new URL((await service.app.get(InvitationService).invite(user.email)).url);
    const redeem = (password: string) =>
      elsewhere().submit(pathname + search, pathname + search, { password, again: password });
    for (let n = 0; n < 10; n++) expect((await redeem('password1234')).status).toBe(422);
    expect((await redeem('password1234')).status).toBe(429);
    expect((await redeem('four words are enough')).status).toBe(429);
    date.advance(5 * 60_000);
    expect((await redeem('four words are enough')).status).toBe(303);
  });

  it('judges 120 passwords of links and sign-ups from an IPv6 network of 48 bits, however many smaller ones it has', async () => {
    const throttle = service.app.get(SignInThrottle);
    const at = (ip: string) => ({ ip, socket: {} }) as PanelRequest;
    const ways = [
      (ip: string, key: string) => throttle.link(at(ip), key, async () => 'judged'),
      (ip: string) => throttle.signUp(at(ip), async () => 'judged'),
    ];
    for (let n = 0; n < 120; n++) {
      const request = at(`2001:db8:20:${n.toString(16)}::1`);
      await (n % 2 === 0
        ? throttle.link(request, `key ${n}`, async () => null)
        : throttle.signUp(request, async () => null));
    }
    for (const judge of ways) {
      await expect(judge('2001:db8:20:ffff::1', 'another key')).rejects.toMatchObject({ kind: 'throttled' });
      expect(await judge('2001:db8:21::1', 'another key')).toBe('judged');
    }
  });

  it('does not keep somebody who is signed in from changing the password', async () => {
    const { user, client } = await signedIn();
    await guess(user.email, 50);
    const again = { password: 'four words are enough', again: 'four words are enough' };
    const change = (current: string) => client.submit('/panel/account', '/panel/account', { current, ...again });
    for (let n = 0; n < 4; n++) expect((await change(WRONG)).status).toBe(422);
    expect((await change(user.password)).status).toBe(303);
    expect((await change(user.password)).status).toBe(422);
  });

  it('limits who guesses the password of somebody who is signed in', async () => {
    const { client } = await signedIn();
    const again = { password: 'four words are enough', again: 'four words are enough' };
    const change = () => client.submit('/panel/account', '/panel/account', { current: WRONG, ...again });
    for (let n = 0; n < 5; n++) expect((await change()).status).toBe(422);
    expect((await change()).status).toBe(429);
  });

  it('knows a browser for 180 days after its last sign-in', async () => {
    const { user, client } = await signedIn();
    date.advance(180 * 86_400_000 - 60_000);
    await guess(user.email, 50);
    expect(await statusOf(movedTo('198.51.100.31', client), user.email, user.password)).toBe(303);
    date.advance(2 * 60_000);
    expect(await statusOf(movedTo('198.51.100.32', client), user.email, user.password)).toBe(429);
  });
});
