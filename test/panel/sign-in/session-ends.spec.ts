import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { PasswordService } from '../../../src/auth/passwords/password.service';
import { SecondFactorService, SessionEndedError } from '../../../src/auth/second-factors/second-factor.service';
import { SessionService } from '../../../src/auth/sessions/session.service';
import { ApiTokenService } from '../../../src/auth/tokens/api-token.service';
import { UserRepository } from '../../../src/users/user.repository';
import { UserService } from '../../../src/users/user.service';
import { HeldLock } from '../../support/held-lock';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { codeOf, giveSecondFactor } from '../../support/second-factor';
import { createTestApp, type TestApp } from '../../support/test-app';

const PASSWORD = 'four words are enough';
const FACTOR = '/panel/account/second-factor';
const csrfIn = (text: string) => /name="_csrf" value="([^"]+)"/.exec(text)![1]!;
const NEW_PASSWORD = { password: PASSWORD, again: PASSWORD };

describe('an ended session', () => {
  let service: TestApp;
  let operator: PanelClient;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const { email, password } = await insertPanelUser(service, { operator: true });
    operator = await signedIn(email, password);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service.close());

  async function signedIn(email: string, password: string): Promise<PanelClient> {
    const client = new PanelClient(service.url);
    expect((await client.signIn(email, password)).status).toBe(303);
    return client;
  }

  const operate = async ({ id }: PanelUserLogin, action: string, fields = {}) => {
    const page = `/panel/operator/users/${id}`;
    expect((await operator.submit(page, `${page}/${action}`, fields)).status).toBe(303);
  };

  const endings: Record<string, (user: PanelUserLogin, own: PanelClient) => Promise<unknown>> = {
    'signing out everywhere': (_, own) => own.submit('/panel/account', '/panel/sign-out-everywhere'),
    'a new password': (user, own) =>
      own.submit('/panel/account', '/panel/account', { current: user.password, ...NEW_PASSWORD }),
    'a reset link': async (user) => {
      const { pathname, search } = new URL((await service.app.get(InvitationService).invite(user.email)).url);
      await new PanelClient(service.url).submit(pathname + search, pathname + search, NEW_PASSWORD);
    },
    'an operator': (user) => operate(user, 'sessions'),
    'disabling, even when enabled again': async (user) => {
      await operate(user, 'state', { state: 'disabled' });
      await operate(user, 'state', { state: 'enabled' });
    },
    'disabling on the command line, even when enabled again': async ({ email }) => {
      await service.app.get(UserService).disable(email);
      await service.app.get(UserService).enable(email);
    },
  };

  it.each(Object.keys(endings))('by %s does not come back with a request that was under way', async (ending) => {
    const user = await insertPanelUser(service);
    const [own, thief] = [await signedIn(user.email, user.password), await signedIn(user.email, user.password)];
    const tokens = service.app.get(ApiTokenService);
    const { row } = await tokens.create({ userId: user.id, name: 'x', permissions: ['balance'] });
    const form = `/panel/tokens/${row.id}`;
    const lock = await HeldLock.take(service.databaseUrl, 'select from api_tokens where id = $1 for update', [row.id]);
    const underWay = thief.submit(form, form, { name: 'renamed' });
    await lock.untilWaiting(1);
    await endings[ending]!(user, own);
    await lock.release();
    await underWay;
    expect((await thief.get('/panel/tokens')).status).toBe(303);
  });

  it('is one that was begun while the clock of the database was ahead: it lives no longer than others, nor is its password newer', async () => {
    const { id, email, password } = await insertPanelUser(service, { operator: true });
    const client = await signedIn(email, password);
    const begun = (column: string, time: string) =>
      service.sql.execute(
        {
          name: '',
          text: `update sessions set ${column} = now() + $2::interval, expires_at = now() + interval '1 year' where user_id = $1`,
        },
        [id, time],
      );
    const page = `/panel/operator/users/${id}`;
    await begun('password_at', '1 day');
    const subscription = { transactions: '5', days: '1' };
    const asked = await client.fillIn(`${page}/subscriptions`, `${page}/subscriptions`, subscription);
    expect(asked.text).toContain('Confirm your password');
    await begun('created_at', '5 minutes');
    expect((await client.get('/panel/account')).status).toBe(200);
    await begun('created_at', '1 day');
    expect((await client.get('/panel/account')).status).toBe(303);
  });

  it('does not begin again behind a second factor whose setting up was under way', async () => {
    const user = await insertPanelUser(service);
    const [own, thief] = [await signedIn(user.email, user.password), await signedIn(user.email, user.password)];
    const everywhere = csrfIn((await own.get('/panel/account')).text);
    await thief.submit(FACTOR, `${FACTOR}/begin`);
    const { text } = await thief.get(`${FACTOR}/enable`);
    const code = codeOf(/id="key"[^>]*>([A-Z2-7]{32})</.exec(text)![1]!);
    const lock = await HeldLock.take(service.databaseUrl, 'select from users where id = $1 for no key update', [
      user.id,
    ]);
    const ending = own.post('/panel/sign-out-everywhere', { _csrf: everywhere });
    await lock.untilWaiting(1);
    const underWay = thief.post(`${FACTOR}/enable`, { _csrf: csrfIn(text), code });
    await lock.untilWaiting(2);
    await lock.release();
    expect((await ending).location).toBe('/panel/sign-in');
    await underWay;
    expect((await thief.get('/panel/tokens')).location).toContain('/panel/sign-in');
    // And nothing was done: no factor keeps the user out.
    await signedIn(user.email, user.password);
  });

  it.each(['remove', 'renewRecoveryCodes'] as const)(
    'changes nothing of a second factor by a request that was under way: %s',
    async (act) => {
      const { id: userId, email, password } = await insertPanelUser(service);
      const { recoveryCodes } = await giveSecondFactor(service, { id: userId, email, password });
      const [factors, sessions] = [service.app.get(SecondFactorService), service.app.get(SessionService)];
      const identity = (await service.app.get(UserRepository).findCredentialsById(userId))!;
      const origin = { network: '192.0.2.1', browser: 'test', secondFactor: true, passwordAt: null };
      const session = `of a thief of ${userId}`;
      expect(await sessions.start(session, identity, { userId }, 60_000, origin)).toBe(true);
      const lock = await HeldLock.take(service.databaseUrl, 'select from users where id = $1 for no key update', [
        userId,
      ]);
      const ending = sessions.endAllOf(userId);
      await lock.untilWaiting(1);
      const underWay = factors[act]({ id: userId, address: '192.0.2.1' }, { userId, email, session });
      const refused = expect(underWay).rejects.toThrow(SessionEndedError);
      await lock.untilWaiting(2);
      await lock.release();
      expect(await ending).toBe(1);
      await refused;
      expect(await factors.use(userId, recoveryCodes[0]!)).toBe('recovery-code');
    },
  );

  it('does not begin again behind a new password that was under way, whoever knew the old one', async () => {
    const user = await insertPanelUser(service);
    const [own, thief] = [await signedIn(user.email, user.password), await signedIn(user.email, user.password)];
    const passwords = service.app.get(PasswordService);
    const verify = passwords.verify.bind(passwords);
    jest.spyOn(passwords, 'verify').mockImplementationOnce(async (...asked) => {
      await own.submit('/panel/account', '/panel/sign-out-everywhere');
      return verify(...asked);
    });
    await thief.submit('/panel/account', '/panel/account', { current: user.password, ...NEW_PASSWORD });
    expect((await thief.get('/panel/tokens')).location).toContain('/panel/sign-in');
    await signedIn(user.email, user.password);
  });

  it('does not begin for somebody who was disabled after the password was looked at, even when enabled again', async () => {
    const user = await insertPanelUser(service);
    const passwords = service.app.get(PasswordService);
    const findUser = passwords.findUser.bind(passwords);
    jest.spyOn(passwords, 'findUser').mockImplementationOnce(async (...asked) => {
      const identity = await findUser(...asked);
      await service.app.get(UserService).disable(user.email);
      await service.app.get(UserService).enable(user.email);
      return identity;
    });
    const thief = new PanelClient(service.url);
    await thief.signIn(user.email, user.password);
    expect((await thief.get('/panel/tokens')).location).toContain('/panel/sign-in');
    await signedIn(user.email, user.password);
  });

  it('does not begin with a password that was looked at before two ends: neither takes the other back', async () => {
    const user = await insertPanelUser(service);
    const passwords = service.app.get(PasswordService);
    const findUser = passwords.findUser.bind(passwords);
    jest.spyOn(passwords, 'findUser').mockImplementationOnce(async (...asked) => {
      const identity = await findUser(...asked);
      await operate(user, 'sessions');
      await endings['a reset link']!(user, operator);
      return identity;
    });
    const thief = new PanelClient(service.url);
    await thief.signIn(user.email, user.password);
    expect((await thief.get('/panel/tokens')).location).toContain('/panel/sign-in');
    await signedIn(user.email, PASSWORD);
  });

  it('with the old password does not begin once there is a new one', async () => {
    const user = await insertPanelUser(service);
    const own = await signedIn(user.email, user.password);
    const thief = new PanelClient(service.url);
    const form = /name="_csrf" value="([^"]+)"/.exec((await own.get('/panel/account')).text)![1]!;
    const lock = await HeldLock.take(service.databaseUrl, 'lock table sessions in exclusive mode');
    const signingIn = thief.signIn(user.email, user.password);
    await lock.untilWaiting(1);
    const changing = own.post('/panel/account', { _csrf: form, current: user.password, ...NEW_PASSWORD });
    await lock.untilWaiting(2);
    await lock.release();
    await Promise.all([signingIn, changing]);
    expect((await thief.get('/panel/tokens')).status).toBe(303);
    expect((await own.get('/panel/tokens')).status).toBe(200);
    await signedIn(user.email, PASSWORD);
  });

  it('is one that was not used for twelve hours: the sweep removes it, and leaves those that go on', async () => {
    const user = await insertPanelUser(service);
    const [idle, other] = [await signedIn(user.email, user.password), await signedIn(user.email, user.password)];
    const run = (text: string) => service.sql.execute({ name: '', text }, [user.id]);
    const oldest = 'key = (select key from sessions where user_id = $1 order by created_at limit 1)';
    const unusedFor = (time: string) =>
      run(`update sessions set expires_at = now() + interval '12 hours' - interval '${time}' where ${oldest}`);
    await unusedFor('11 hours 59 minutes');
    expect((await idle.get('/panel/tokens')).status).toBe(200);
    await unusedFor('12 hours 1 second');
    expect((await idle.get('/panel/tokens')).status).toBe(303);
    await service.app.get(SessionService).sweep();
    expect(await run('update sessions set seen_at = seen_at where user_id = $1')).toBe(1);
    expect((await other.get('/panel/tokens')).status).toBe(200);
  });

  it('keeps its first hour: what is saved later does not prolong the seven days', async () => {
    const user = await insertPanelUser(service);
    const client = await signedIn(user.email, user.password);
    const age = (text: string) => service.sql.execute({ name: '', text }, [user.id]);
    await age(`update sessions set created_at = now() - interval '7 days' + interval '1 minute' where user_id = $1`);
    await client.submit('/panel/tokens/new', '/panel/tokens/new', { name: 'x', permissions: 'balance' });
    await age(`update sessions set created_at = created_at - interval '1 minute' where user_id = $1`);
    expect((await client.get('/panel/tokens')).status).toBe(303);
  });

  it.each([-13, 13])(
    'is a matter of the database: an instance whose clock is %i hours off changes nothing',
    async (hours) => {
      const user = await insertPanelUser(service);
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + hours * 3_600_000);
      const client = await signedIn(user.email, user.password);
      await client.submit('/panel/tokens/new', '/panel/tokens/new', { name: 'x', permissions: 'balance' });
      jest.restoreAllMocks();
      const left = `select round(extract(epoch from expires_at - now()) / 3600)::integer as hours from sessions where user_id = $1`;
      expect(await service.sql.rows({ name: '', text: left }, [user.id])).toEqual([{ hours: 12 }]);
      expect((await client.get('/panel/tokens')).status).toBe(200);
    },
  );
});
