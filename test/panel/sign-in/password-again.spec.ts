import { BalanceService } from '../../../src/balance/balance.service';
import { UserService } from '../../../src/users/user.service';
import { heldIn, PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { giveSecondFactor } from '../../support/second-factor';
import { createTestApp, type TestApp } from '../../support/test-app';

const QUESTION = 'Your password, once more';

describe('what takes more than an open browser', () => {
  let service: TestApp;
  let operator: PanelUserLogin;
  let client: PanelClient;
  let user: PanelUserLogin;
  let page: string;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    operator = await insertPanelUser(service, { operator: true });
    user = await insertPanelUser(service, { balance: 10 });
    page = `/panel/operator/users/${user.id}`;
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
    await age(operator);
  });

  /** The password was given ten minutes ago. */
  const age = ({ id }: PanelUserLogin) =>
    service.sql.execute(
      { name: '', text: `update sessions set password_at = now() - interval '10 minutes' where user_id = $1` },
      [id],
    );
  const record = async () => (await service.app.get(UserService).find({ id: user.id }))!;
  const movement = { kind: 'credit', amount: '5', note: 'invoice "7" & <b>', step: 'book' };

  it('comes back with a field for the password, and goes on from there with all that was in it', async () => {
    const asked = await client.fillIn(`${page}/money`, `${page}/movements`, movement);
    expect(asked.status).toBe(403);
    expect(asked.text).toContain(QUESTION);
    expect((await service.app.get(BalanceService).getBalance(user.id)).balanceSun).toBe(10_000_000n);
    const held = heldIn(asked.text, `${page}/movements`)!;
    expect(held).toMatchObject({ kind: 'credit', amount: '5', step: 'book' });
    const wrong = await client.post(`${page}/movements`, { ...held, note: movement.note, password_again: 'wrong' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('The password is wrong.');
    expect(wrong.text).not.toContain('value="wrong"');
    const right = { ...held, note: movement.note, password_again: operator.password };
    expect((await client.post(`${page}/movements`, right)).location).toBe(`${page}/money`);
    expect((await client.post(`${page}/movements`, right)).location).toBe(`${page}/money`);
    expect((await service.app.get(BalanceService).getBalance(user.id)).balanceSun).toBe(15_000_000n);
    // Once is enough for ten minutes.
    expect((await client.fillIn(`${page}/money`, `${page}/movements`, movement)).location).toBe(`${page}/money`);
  });

  const acts: Record<string, () => Promise<{ status: number; text: string }>> = {
    'a subscription': () =>
      client.fillIn(`${page}/subscriptions`, `${page}/subscriptions`, { transactions: '5', days: '1' }),
    'a reset link': () => client.submit(`${page}/access`, `${page}/invitation`),
    'a promotion': () => client.fillIn(`${page}/access`, page, { operator: 'yes' }),
    'a new operator': () =>
      client.submit('/panel/operator/users/new', '/panel/operator/users/new', {
        email: 'new@example.com',
        name: 'New',
        operator: 'yes',
      }),
    'a new operator, said to be one already': () =>
      client.submit('/panel/operator/users/new', '/panel/operator/users/new', {
        email: 'new@example.com',
        name: 'New',
        operator: 'yes',
        shown_operator: 'yes',
      }),
    'a price': () => client.fillIn(`${page}/access`, page, { unit_price: '0.1' }),
    'the reset of a second factor': async () => {
      await giveSecondFactor(service, user);
      return client.submit(`${page}/second-factor`, `${page}/second-factor`);
    },
    'a second factor of one’s own': () =>
      client.submit('/panel/account/second-factor', '/panel/account/second-factor/begin'),
  };

  it.each(Object.keys(acts))('%s is one of them, and nothing is done before', async (act) => {
    const rows = async () => {
      const text = `select (select count(*) from subscriptions) + (select count(*) from invitations) + (select count(*) from users)
                           + (select count(*) from users where operator) as n`;
      return service.sql.row<{ n: bigint }>({ name: '', text });
    };
    const before = await rows();
    const answer = await acts[act]!();
    expect(answer.status).toBe(403);
    expect(answer.text).toContain(QUESTION);
    expect(await rows()).toEqual(before);
    expect((await record()).operator).toBe(false);
  });

  it('is not asked for what changes nothing of that', async () => {
    expect((await client.fillIn(`${page}/access`, page, { name: 'Another name' })).location).toBe(`${page}/access`);
    expect((await client.fillIn(`${page}/money`, `${page}/movements`, { ...movement, step: '' })).status).toBe(200);
    const made = { email: 'plain@example.com', name: 'Plain' };
    expect((await client.submit('/panel/operator/users/new', '/panel/operator/users/new', made)).status).toBe(303);
  });

  it('is limited like signing in, and each wrong password has its entry', async () => {
    const statuses = [];
    for (let n = 0; n < 6; n++) {
      const form = { ...movement, password_again: 'wrong' };
      statuses.push((await client.fillIn(`${page}/money`, `${page}/movements`, form)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });

  it('is not shown what another site has sent', async () => {
    const foreign = new PanelClient(service.url, { 'Sec-Fetch-Site': 'cross-site' });
    for (const [name, value] of client.cookies) foreign.cookies.set(name, value);
    const answer = await foreign.post(`${page}/movements`, movement);
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain(QUESTION);
  });
});
