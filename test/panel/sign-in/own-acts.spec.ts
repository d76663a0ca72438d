import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { SessionService } from '../../../src/auth/sessions/session.service';
import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { UserRepository } from '../../../src/users/user.repository';
import { HeldLock } from '../../support/held-lock';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { codeOf } from '../../support/second-factor';
import { createTestApp, type TestApp } from '../../support/test-app';

const FACTOR = '/panel/account/second-factor';
const ACCOUNT = '/panel/account';
const QUESTION = 'Confirm your password';

describe('what users do to their own access', () => {
  let service: TestApp;
  let second: TestApp;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    second = await createTestApp({ backgroundWork: false, databaseUrl: service.databaseUrl });
  });
  afterAll(async () => {
    await second?.close();
    await service?.close();
  });

  async function signedIn() {
    const user = await insertPanelUser(service);
    const client = new PanelClient(service.url);
    expect((await client.signIn(user.email, user.password)).status).toBe(303);
    return { user, client };
  }
  /** The same browser, answered by the other instance. */
  function there(client: PanelClient): PanelClient {
    const other = new PanelClient(second.url);
    for (const [name, value] of client.cookies) other.cookies.set(name, value);
    return other;
  }
  const csrfOf = async (client: PanelClient, path: string) =>
    /name="_csrf" value="([^"]+)"/.exec((await client.get(path)).text)![1]!;
  const run = (text: string, values: unknown[]) => service.sql.execute({ name: '', text }, values);
  const entries = ({ id }: PanelUserLogin, action: string) =>
    service.sql.rows<unknown[], { outcome: string; after: Record<string, unknown> | null }>(
      { name: '', text: 'select outcome, after from audit_log where actor_id = $1 and action = $2 order by id' },
      [id, action],
    );

  it('leaves no more than 30 entries an hour of a second factor, on all instances together, however many codes are wrong', async () => {
    const { user, client } = await signedIn();
    await client.submit(FACTOR, `${FACTOR}/begin`);
    const _csrf = await csrfOf(client, `${FACTOR}/enable`);
    const statuses: number[] = [];
    for (let n = 0; n < 34; n++) {
      const one = n % 2 === 0 ? client : there(client);
      statuses.push((await one.post(`${FACTOR}/enable`, { _csrf, code: '000000' })).status);
    }
    expect(statuses).toEqual([...Array<number>(29).fill(422), ...Array<number>(5).fill(429)]);
    expect(await entries(user, 'second-factor.enable')).toHaveLength(29);
    // Nobody else's are used up by it.
    const other = await signedIn();
    expect((await other.client.submit(FACTOR, `${FACTOR}/begin`)).status).toBe(303);
  });

  it('limits new recovery codes, and counts nothing that the password was missing for', async () => {
    const { user, client } = await signedIn();
    await run(`update sessions set password_at = now() - interval '1 hour' where user_id = $1`, [user.id]);
    const _csrf = await csrfOf(client, FACTOR);
    for (let n = 0; n < 31; n++) {
      const asked = await client.post(`${FACTOR}/recovery-codes`, { _csrf });
      expect([asked.status, asked.text.includes(QUESTION)]).toEqual([403, true]);
    }
    await run('update sessions set password_at = now() where user_id = $1', [user.id]);
    for (let n = 0; n < 30; n++) expect((await client.post(`${FACTOR}/recovery-codes`, { _csrf })).status).toBe(303);
    const refused = await client.post(`${FACTOR}/recovery-codes`, { _csrf });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  });

  it('takes no new password that is made of the name of the user’s company, as a link does not', async () => {
    const { user, client } = await signedIn();
    await run(`update users set name = 'Wallet-Co Ltd' where id = $1`, [user.id]);
    const choose = (password: string) =>
      client.submit(ACCOUNT, ACCOUNT, { current: user.password, password, again: password });
    const refused = await choose('walletco12345');
    expect([refused.status, refused.text.includes('easy to guess')]).toEqual([422, true]);
    expect((await choose('four words are enough')).status).toBe(303);
  });

  it('limits new passwords, behind the one of before', async () => {
    const { user, client } = await signedIn();
    await run(
      `insert into rate_limit_windows (key, calls, ends_at) values ($1, 29, now() + interval '30 minutes')
         on conflict (key) do update set calls = 29`,
      [`acts-password:${user.id}`],
    );
    const change = (current: string, password: string) =>
      client.submit(ACCOUNT, ACCOUNT, { current, password, again: password });
    expect((await change('not the password', 'four words are enough')).status).toBe(422);
    expect((await change(user.password, 'four words are enough')).status).toBe(303);
    expect((await change('four words are enough', 'another four words then')).status).toBe(429);
    expect(await entries(user, 'password.change')).toHaveLength(1);
  });

  describe('a new password', () => {
    const NEW = { password: 'four words are enough', again: 'four words are enough' };
    const bearer = async (token: string) =>
      (await fetch(`${second.url}/api/user/token`, { headers: { Authorization: `Bearer ${token}` } })).status;
    const tokenOf = async ({ id: userId }: PanelUserLogin) =>
      (await service.app.get(ApiTokenService).create({ userId, name: 'shop', permissions: ['delegate'] })).token;

    it('ends the user’s own tokens when that is asked for, on every instance, and those of nobody else', async () => {
      const [{ user, client }, other] = [await signedIn(), await signedIn()];
      const [token, more, theirs] = [await tokenOf(user), await tokenOf(user), await tokenOf(other.user)];
      expect((await client.get(ACCOUNT)).text).toContain('Revoke all my API tokens too');
      await client.submit(ACCOUNT, ACCOUNT, { current: user.password, ...NEW });
      expect([await bearer(token), await bearer(more)]).toEqual([200, 200]);
      const change = { current: NEW.password, password: 'another four words then', again: 'another four words then' };
      expect((await client.submit(ACCOUNT, ACCOUNT, { ...change, tokens: 'revoke' })).location).toBe(ACCOUNT);
      expect((await client.get(ACCOUNT)).text).toContain('all API tokens are revoked');
      expect([await bearer(token), await bearer(more), await bearer(theirs)]).toEqual([401, 401, 200]);
      expect((await entries(user, 'password.change')).map(({ after }) => after)).toEqual([null, { tokens_revoked: 2 }]);
    });

    it('leaves them when the current one was wrong', async () => {
      const { user, client } = await signedIn();
      const token = await tokenOf(user);
      const refused = await client.submit(ACCOUNT, ACCOUNT, { current: 'not the password', ...NEW, tokens: 'revoke' });
      expect([refused.status, await bearer(token)]).toEqual([422, 200]);
    });

    it('by a link ends them too, when that is asked for', async () => {
      const { user } = await signedIn();
      const token = await tokenOf(user);
      const { url } = await service.app.get(InvitationService).invite(user.email);
      const link = `/panel/invitation${new URL(url).search}`;
      const visitor = new PanelClient(service.url);
      expect((await visitor.get(link)).text).toContain('Revoke all my API tokens too');
      expect((await visitor.submit(link, link, { ...NEW, tokens: 'revoke' })).status).toBe(303);
      expect(await bearer(token)).toBe(401);
      expect((await entries(user, 'password.set-by-link')).map(({ after }) => after)).toEqual([{ tokens_revoked: 1 }]);
    });
  });

  it('keeps a password’s ten minutes as they are when the session begins again behind a change of the factor', async () => {
    const { user, client } = await signedIn();
    const older = (by: string) =>
      run(`update sessions set password_at = password_at - $2::interval where user_id = $1`, [user.id, by]);
    await client.submit(FACTOR, `${FACTOR}/begin`);
    await older('9 minutes');
    const secret = /id="key"[^>]*>([A-Z2-7]{32})</.exec((await client.get(`${FACTOR}/enable`)).text)![1]!;
    const enabled = await client.submit(`${FACTOR}/enable`, `${FACTOR}/enable`, { code: codeOf(secret) });
    expect(enabled.location).toBe(`${FACTOR}/recovery-codes`);
    await older('2 minutes');
    const asked = await client.submit(FACTOR, `${FACTOR}/remove`);
    expect([asked.status, asked.text.includes(QUESTION)]).toEqual([403, true]);
    await run(`update sessions set password_at = now() - interval '9 minutes' where user_id = $1`, [user.id]);
    expect((await client.submit(FACTOR, `${FACTOR}/remove`)).location).toBe(FACTOR);
    await older('2 minutes');
    expect((await client.submit(FACTOR, `${FACTOR}/begin`)).status).toBe(403);
  });

  it('ends sessions as often as somebody signs in, and enters the first 60 of an hour', async () => {
    const { user } = await signedIn();
    const sessions = service.app.get(SessionService);
    const by = { id: user.id, address: '192.0.2.1' };
    for (let n = 0; n < 62; n++) expect(await sessions.endOwn(by, user)).toBe(n === 0 ? 1 : 0);
    const kept = await entries(user, 'session.end-all');
    expect(kept).toHaveLength(60);
    expect(kept.at(-1)!.after).toEqual({ sessions_ended: 0, further: 'none of this user for an hour' });
    const { sessionEpoch } = (await service.app.get(UserRepository).findCredentialsById(user.id))!;
    expect(sessionEpoch).toBeGreaterThanOrEqual(62);
  });

  describe('have at most 20 sessions', () => {
    const origin = { network: '192.0.2.1', browser: 'test', secondFactor: false, passwordAt: null };

    async function starting() {
      const user = await insertPanelUser(service);
      const { sessionEpoch } = (await service.app.get(UserRepository).findCredentialsById(user.id))!;
      const identity = { userId: user.id, email: user.email, sessionEpoch };
      const start = (id: string, app = service) =>
        app.app.get(SessionService).start(id, identity, { userId: user.id }, 60_000, origin);
      const live = (id: string) => service.app.get(SessionService).find(id);
      return { user, start, live };
    }

    it('also when many begin at the same moment, on several instances', async () => {
      const { user, start } = await starting();
      // Each waits for the user's row, so each sees those before it.
      const lock = await HeldLock.take(service.databaseUrl, 'select from users where id = $1 for no key update', [
        user.id,
      ]);
      const beginning = Promise.all(
        Array.from({ length: 30 }, (_, n) => start(`${user.id} ${n}`, n % 2 ? service : second)),
      );
      await lock.untilWaiting(4);
      await lock.release();
      expect(await beginning).toEqual(Array(30).fill(true));
      expect(await service.app.get(SessionService).countOf(user.id)).toBe(20);
    });

    it('of which the one that was not seen for longest ends, and nobody else’s', async () => {
      const other = await starting();
      await other.start(`${other.user.id} theirs`);
      const { user, start, live } = await starting();
      for (let n = 0; n < 20; n++) await start(`${user.id} ${n}`);
      // The first to begin was seen just now, the eighth not for a day.
      await run(
        `update sessions set created_at = created_at - interval '2 days', seen_at = now()
          where user_id = $1 and created_at = (select min(created_at) from sessions where user_id = $1)`,
        [user.id],
      );
      const eighth = (await service.app.get(SessionService).listOf(user.id, `${user.id} 7`)).find(
        ({ isThis }) => isThis,
      )!;
      await run(`update sessions set seen_at = now() - interval '1 day' where key = $1`, [eighth.key]);
      await start(`${user.id} new`);
      expect(await live(`${user.id} 7`)).toBeNull();
      for (const id of ['0', '6', '8', 'new']) expect(await live(`${user.id} ${id}`)).not.toBeNull();
      expect(await other.live(`${other.user.id} theirs`)).not.toBeNull();
    });
  });
});
