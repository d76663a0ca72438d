import { PendingSignInRepository } from '../../../src/auth/pending-sign-ins/pending-sign-in.repository';
import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { SecondFactorService } from '../../../src/auth/second-factors/second-factor.service';
import { BackgroundJob } from '../../../src/common/background-job';
import { statement } from '../../../src/database/statement';
import { PanelSchedule } from '../../../src/panel/panel.schedule';
import { UserService } from '../../../src/users/user.service';
import { freezeDate } from '../../support/frozen-date';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { codeOf, giveSecondFactor } from '../../support/second-factor';
import { createTestApp, type TestApp } from '../../support/test-app';

const CODE = '/panel/sign-in/code';
const FACTOR = '/panel/account/second-factor';
const STEP_MS = 30_000;
const PASSWORD = 'four words are enough';

describe('the second factor', () => {
  const date = freezeDate();
  let service: TestApp;
  let second: TestApp;

  beforeAll(async () => {
    const env = { TRUST_PROXY: 'loopback', SECRET_KEYS: Buffer.alloc(32, 7).toString('base64') };
    service = await createTestApp({ backgroundWork: false, env });
    second = await createTestApp({ backgroundWork: false, env, databaseUrl: service.databaseUrl });
  });
  afterAll(async () => {
    await second.close();
    await service.close();
  });
  beforeEach(() => date.advance(24 * 3_600_000));

  const visitor = (url = service.url) => new PanelClient(url);
  const factors = () => service.app.get(SecondFactorService);

  async function userWithFactor(row = {}) {
    const user = await insertPanelUser(service, row);
    const factor = await giveSecondFactor(service, user);
    date.advance(2 * STEP_MS);
    return { user, ...factor };
  }

  /** Past the password, before the code. */
  async function halfSignedIn({ email, password }: PanelUserLogin, client = visitor()): Promise<PanelClient> {
    expect(await client.signIn(email, password)).toMatchObject({ status: 303, location: CODE });
    return client;
  }
  const give = (client: PanelClient, code: string) => client.submit(CODE, CODE, { code });

  it('is asked for behind the password, and leads to the page that was wanted', async () => {
    const { user, secret } = await userWithFactor();
    const client = visitor();
    const path = '/panel/sign-in?next=%2Fpanel%2Forders';
    const { email, password } = user;
    const step = await client.submit(path, path, { email, password });
    expect(step.location).toBe(`${CODE}?next=%2Fpanel%2Forders`);
    const wrong = await client.submit(step.location!, step.location!, { code: '000000' });
    expect(wrong.status).toBe(401);
    const right = await client.submit(step.location!, step.location!, { code: codeOf(secret) });
    expect(right).toMatchObject({ status: 303, location: '/panel/orders' });
    expect((await client.get('/panel/account')).text).toContain(email);
  });

  it('stands before everything: who gave the password alone reaches nothing and has no session', async () => {
    const { user } = await userWithFactor({ operator: true });
    const client = await halfSignedIn(user);
    for (const path of ['/panel/tokens', '/panel/account', FACTOR, '/panel/operator', '/panel/operator/users']) {
      expect((await client.get(path)).location).toContain('/panel/sign-in?next=');
    }
    expect((await client.get('/panel')).location).toBe('/panel/sign-in');
    expect((await client.submit(CODE, '/panel/account', { current: user.password })).status).toBe(303);
    const rows = statement<[string], { n: bigint }>(
      'test_factor_sessions',
      'select count(*) as n from sessions where user_id = $1',
    );
    expect(await service.sql.row(rows, [user.id])).toEqual({ n: 0n });
    // What is kept between the steps is good for nothing else.
    const cookie = client.cookies.get('panel_step')!;
    client.cookies.set('panel_session', cookie);
    expect((await client.get('/panel/account')).status).toBe(303);
  });

  it('begins the session behind the code, under an id that nobody knew before', async () => {
    const { user, secret } = await userWithFactor();
    const client = visitor();
    client.cookies.set('panel_session', 's%3Aplanted.bad');
    await halfSignedIn(user, client);
    expect(client.cookies.get('panel_session')).toBe('s%3Aplanted.bad');
    expect((await give(client, codeOf(secret))).status).toBe(303);
    expect(client.cookies.get('panel_session')).not.toContain('planted');
    expect(client.cookies.has('panel_step')).toBe(false);
  });

  it('takes a code once, on whichever instance, and none from before it', async () => {
    const { user, secret } = await userWithFactor();
    const early = codeOf(secret);
    date.advance(STEP_MS);
    const code = codeOf(secret);
    const there = visitor(second.url);
    const clients = [await halfSignedIn(user), await halfSignedIn(user), await halfSignedIn(user, there)];
    const answers = await Promise.all(clients.map((client) => give(client, code)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401, 401]);
    expect((await give(await halfSignedIn(user), early)).status).toBe(401);
    expect((await give(await halfSignedIn(user, visitor(second.url)), code)).status).toBe(401);
    date.advance(STEP_MS);
    expect((await give(await halfSignedIn(user), codeOf(secret))).status).toBe(303);
  });

  it('takes the code of one step ago and of one step ahead, and none that is further off', async () => {
    const { user, secret } = await userWithFactor();
    const taken = async (steps: number) => {
      date.advance(steps * STEP_MS);
      const code = codeOf(secret);
      date.advance(-steps * STEP_MS);
      return factors().use(user.id, code);
    };
    date.advance(10 * STEP_MS);
    for (const steps of [-2, 2]) expect([steps, await taken(steps)]).toEqual([steps, null]);
    for (const steps of [-1, 1]) expect([steps, await taken(steps)]).toEqual([steps, 'code']);
  });

  it('takes a recovery code once, however it is typed, also of two at the same moment', async () => {
    const { user, recoveryCodes } = await userWithFactor();
    const [code, next] = recoveryCodes as [string, string];
    const clients = [await halfSignedIn(user), await halfSignedIn(user, visitor(second.url))];
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `;
    const answers = await Promise.all(clients.map((client) => give(client, typed)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 401]);
    expect(await factors().find(user.id)).toMatchObject({ recoveryCodes: 9 });
    const other = await userWithFactor();
    expect((await give(await halfSignedIn(other.user), next)).status).toBe(401);
  });

  it('is throttled by the day as well, whoever guesses, on whichever instance, but lets in a browser that the user has signed in with', async () => {
    const { user, secret } = await userWithFactor();
    const own = await halfSignedIn(user);
    await give(own, codeOf(secret));
    const statuses: number[] = [];
    for (let network = 0; network < 5; network++) {
      const { url } = network % 2 === 0 ? service : second;
      const client = new PanelClient(url, { 'X-Forwarded-For': `10.2.0.${network}` });
      await halfSignedIn(user, client);
      for (let guess = 0; guess < 5; guess++) statuses.push((await give(client, `00000${guess}`)).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual(Array(5).fill(429));
    date.advance(2 * STEP_MS);
    own.cookies.delete('panel_session');
    await halfSignedIn(user, own);
    expect((await give(own, codeOf(secret))).status).toBe(303);
  });

  it('has to be given within five minutes, and not behind a new password or the disabling of the user', async () => {
    const passFive = async ({ user }: Awaited<ReturnType<typeof userWithFactor>>) => {
      const age = statement<[string]>(
        'test_factor_age_pending',
        `update pending_sign_ins set expires_at = expires_at - interval '5 minutes' where user_id = $1`,
      );
      await service.sql.execute(age, [user.id]);
    };
    const ends: Record<string, typeof passFive> = {
      'five minutes': passFive,
      'a new password': async ({ user }) => {
        const { pathname, search } = new URL((await service.app.get(InvitationService).invite(user.email)).url);
        const again = { password: PASSWORD, again: PASSWORD };
        expect((await visitor().submit(pathname + search, pathname + search, again)).location).toBe(CODE);
      },
      'the disabling of the user': ({ user }) =>
        service.app
          .get(UserService)
          .disable(user.email)
          .then(() => undefined),
    };
    for (const [what, end] of Object.entries(ends)) {
      const owner = await userWithFactor();
      const client = await halfSignedIn(owner.user);
      const _csrf = /name="_csrf" value="([^"]+)"/.exec((await client.get(CODE)).text)![1]!;
      await end(owner);
      const answer = await client.post(CODE, { _csrf, code: codeOf(owner.secret) });
      expect([what, answer.status]).toEqual([what, 401]);
      expect(answer.text).toContain('longer than five minutes, or all your sessions were ended');
      expect((await client.get(CODE)).location).toBe('/panel/sign-in');
      expect((await client.get('/panel/account')).status).toBe(303);
    }
  });

  it('is asked for once by each password, however often and wherever what the browser keeps is used', async () => {
    const { user, recoveryCodes } = await userWithFactor();
    const clients = [await halfSignedIn(user), visitor(second.url)] as const;
    const step = clients[0].cookies.get('panel_step')!;
    clients[1].cookies.set('panel_step', step);
    const forms = await Promise.all(clients.map((client) => client.get(CODE)));
    const tokens = forms.map(({ text }) => /name="_csrf" value="([^"]+)"/.exec(text)![1]!);
    // Both are good, so that nothing but the step itself keeps one of them out.
    await Promise.all(
      clients.map((client, index) => client.post(CODE, { _csrf: tokens[index]!, code: recoveryCodes[index]! })),
    );
    const signedIn = await Promise.all(clients.map((client) => client.get('/panel/account')));
    expect(signedIn.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 303]);
    const late = visitor();
    late.cookies.set('panel_step', step);
    expect((await late.get(CODE)).location).toBe('/panel/sign-in');
  });

  it('is waited for by 20 from a network at most, who push out nobody elsewhere, and by none that the sweep finds late', async () => {
    const { user } = await userWithFactor();
    const own = await halfSignedIn(user);
    const rows = service.app.get(PendingSignInRepository);
    const { sessionEpoch } = await service.sql
      .row(
        statement<[string], { sessionEpoch: number }>(
          'test_factor_epoch',
          'select session_epoch as "sessionEpoch" from users where id = $1',
        ),
        [user.id],
      )
      .then((found) => found!);
    const pending = { userId: user.id, email: user.email, sessionEpoch, by: 'password' } as const;
    for (let i = 0; i < 25; i++) await rows.begin(`${user.id} ${i}`, pending, '10.9.9.9', 60_000 + i);
    const left = async () => {
      const text = `select network <> '10.9.9.9' as own, count(*)::int as n from pending_sign_ins where user_id = $1 group by 1 order by 1`;
      return service.sql.rows(statement<[string], { own: boolean; n: number }>('test_factor_pending', text), [user.id]);
    };
    expect(await left()).toEqual([
      { own: false, n: 20 },
      { own: true, n: 1 },
    ]);
    expect(await rows.find(`${user.id} 4`)).toBeNull();
    expect(await rows.find(`${user.id} 24`)).toEqual(pending);
    await rows.begin(`${user.id} late`, pending, '10.9.9.8', -1);
    // At once, though background work is off here.
    const run = jest.spyOn(service.app.get(BackgroundJob), 'run');
    run.mockImplementationOnce(async (_, work) => void (await work()));
    await service.app.get(PanelSchedule).sweep();
    run.mockRestore();
    expect(await left()).toEqual([
      { own: false, n: 20 },
      { own: true, n: 1 },
    ]);
    expect((await own.get(CODE)).status).toBe(200);
    // As of a password that is none any more.
    expect(await rows.begin(`${user.id} old`, { ...pending, sessionEpoch: sessionEpoch - 1 }, '10.9.9.7', 60_000)).toBe(
      false,
    );
  });

  it('is not got past by a link that sets a new password', async () => {
    const { user, secret } = await userWithFactor();
    const { pathname, search } = new URL((await service.app.get(InvitationService).invite(user.email)).url);
    const client = visitor();
    const path = pathname + search;
    const answer = await client.submit(path, path, { password: PASSWORD, again: PASSWORD });
    expect(answer.location).toBe(CODE);
    expect((await client.get('/panel/account')).location).toContain('/panel/sign-in');
    expect((await give(client, codeOf(secret))).status).toBe(303);
  });

  it('begins no session without it, even when it was enabled behind the look at the password', async () => {
    const user = await insertPanelUser(service);
    const client = visitor();
    const found = jest.spyOn(factors(), 'find').mockImplementationOnce(async () => {
      await giveSecondFactor(service, user);
      return null;
    });
    expect((await client.signIn(user.email, user.password)).status).toBe(401);
    found.mockRestore();
    expect((await client.get('/panel/account')).status).toBe(303);
  });

  it('is set up with a picture and a first code, shows its recovery codes once, and ends all other sessions', async () => {
    const user = await insertPanelUser(service);
    const [client, elsewhere] = [visitor(), visitor()];
    for (const one of [client, elsewhere]) await one.signIn(user.email, user.password);
    expect((await client.submit(FACTOR, `${FACTOR}/begin`)).location).toBe(`${FACTOR}/enable`);
    const scan = await client.get(`${FACTOR}/enable`);
    expect(scan.text).toContain('<svg');
    const secret = /id="key"[^>]*>([A-Z2-7]{32})</.exec(scan.text)![1]!;
    const session = client.cookies.get('panel_session');
    const wrong = await client.submit(`${FACTOR}/enable`, `${FACTOR}/enable`, { code: '000000' });
    expect(wrong.status).toBe(422);
    expect(await factors().find(user.id)).toBeNull();
    const enabled = await client.submit(`${FACTOR}/enable`, `${FACTOR}/enable`, { code: codeOf(secret) });
    expect(enabled.location).toBe(`${FACTOR}/recovery-codes`);
    expect(client.cookies.get('panel_session')).not.toBe(session);
    const codes = (await client.get(`${FACTOR}/recovery-codes`)).text.match(/(?<![\w-])\w{4}(-\w{4}){3}(?![\w-])/g)!;
    expect(codes).toHaveLength(10);
    expect((await client.get(`${FACTOR}/recovery-codes`)).location).toBe(FACTOR);
    expect((await elsewhere.get('/panel/account')).status).toBe(303);
    // The code that enabled it was taken.
    expect((await give(await halfSignedIn(user), codeOf(secret))).status).toBe(401);
    const all =
      'select (select row_to_json(f)::text from second_factors f where user_id = $1) as factor, array(select code_hash from recovery_codes where user_id = $1) as hashes';
    const row = statement<[string], { factor: string; hashes: string[] }>('test_factor_factor', all);
    const kept = JSON.stringify(await service.sql.row(row, [user.id]));
    for (const shown of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(kept).not.toContain(shown);
    await client.submit(FACTOR, `${FACTOR}/recovery-codes`);
    expect((await give(await halfSignedIn(user), codes[0])).status).toBe(401);
    expect((await client.submit(FACTOR, `${FACTOR}/remove`)).location).toBe(FACTOR);
    expect((await visitor().signIn(user.email, user.password)).location).toBe('/panel');
  });

  it('is reset by an operator, with an entry in the audit log, and ends the sessions of the user', async () => {
    const { user, secret } = await userWithFactor();
    const own = await halfSignedIn(user);
    await give(own, codeOf(secret));
    const operator = await insertPanelUser(service, { operator: true });
    const client = visitor();
    await client.signIn(operator.email, operator.password);
    const path = `/panel/operator/users/${user.id}/second-factor`;
    expect((await client.fillIn(path, path)).location).toBe(`/panel/operator/users/${user.id}/access`);
    expect((await own.get('/panel/account')).status).toBe(303);
    expect((await visitor().signIn(user.email, user.password)).location).toBe('/panel');
    const text = `select actor_id, outcome from audit_log where action = 'second-factor.remove' and subject = 'user ${user.id}'`;
    expect(await service.sql.rows({ name: '', text })).toEqual([{ actor_id: operator.id, outcome: 'done' }]);
    expect((await client.get(path)).text).toContain('no second factor');
  });

  it('has its recovery codes still, when the key that sealed its secret is missing', async () => {
    const { user, secret, recoveryCodes } = await userWithFactor();
    const without = await createTestApp({ backgroundWork: false, databaseUrl: service.databaseUrl });
    const client = await halfSignedIn(user, visitor(without.url));
    expect((await give(client, codeOf(secret))).status).toBe(500);
    expect((await give(client, recoveryCodes[0]!)).status).toBe(303);
    await without.close();
  });
});

describe('a second factor that operators need', () => {
  let service: TestApp;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { OPERATOR_SECOND_FACTOR: 'required' } });
  });
  afterAll(() => service.close());

  it('leads one who has none to the page that sets it up, from everywhere, and asks no user for it', async () => {
    const [operator, user] = [await insertPanelUser(service, { operator: true }), await insertPanelUser(service)];
    const [client, plain] = [new PanelClient(service.url), new PanelClient(service.url)];
    await client.signIn(operator.email, operator.password);
    for (const path of ['/panel/operator', '/panel/operator/users', '/panel/tokens', '/panel/account']) {
      expect(await client.get(path)).toMatchObject({ status: 303, location: FACTOR });
    }
    const form = await client.submit(FACTOR, `/panel/operator/users/${user.id}/state`, { state: 'disabled' });
    expect(form.location).toBe(FACTOR);
    expect((await client.get(FACTOR)).text).toContain('Operators need a second factor.');
    await client.submit(FACTOR, `${FACTOR}/begin`);
    const secret = /id="key"[^>]*>([A-Z2-7]{32})</.exec((await client.get(`${FACTOR}/enable`)).text)![1]!;
    await client.submit(`${FACTOR}/enable`, `${FACTOR}/enable`, { code: codeOf(secret) });
    expect((await client.get('/panel/operator/users')).status).toBe(200);
    expect((await client.get(FACTOR)).text).not.toContain('Turn off');
    expect((await client.submit(FACTOR, `${FACTOR}/remove`)).status).toBe(400);
    await plain.signIn(user.email, user.password);
    expect((await plain.get('/panel/tokens')).status).toBe(200);
  });
});
