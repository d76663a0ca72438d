import { BalanceService } from '../../src/balance/balance.service';
import { OrderWorld } from '../support/order-world';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';

const TOP_UP = 'Send TRX to T123 <at> 1:1.\nName your e-mail address.';

describe('what a new service and a new customer see first', () => {
  let world: OrderWorld;
  let operator: PanelClient;
  let customer: PanelClient;
  let user: PanelUserLogin;

  beforeAll(async () => {
    world = await OrderWorld.open({ env: { TOP_UP_TEXT: TOP_UP } });
    const login = await insertPanelUser(world.app, { operator: true });
    operator = new PanelClient(world.app.url);
    await operator.signIn(login.email, login.password);
  });
  afterAll(() => world?.close());

  /** The names of the steps that are done, and those that are not. */
  async function steps(client: PanelClient, path: string): Promise<{ done: string[]; open: string[] } | null> {
    const [list] = /<section class="checklist".*?<\/section>/s.exec((await client.get(path)).text) ?? [];
    if (list === undefined) return null;
    const found = [...list.matchAll(/<li( class="done")?.*?<(?:strong|a|button)[^>]*>([^<]*)</gs)];
    const named = (isDone: boolean) =>
      found.filter(([, done]) => (done !== undefined) === isDone).map(([, , name]) => name!);
    return { done: named(true), open: named(false) };
  }

  it('an operator sees what is left to do, until the first order', async () => {
    const first = await steps(operator, '/panel/operator');
    expect(first!.done).toEqual([
      'Add a wallet that delegates',
      'Give the service access to its key',
      'Check the wallet, then resume it',
    ]);
    expect(first!.open).toEqual(['Create a user', 'Credit the user', 'Create an API token', 'Place the first order']);
    // The page that an operator's sign-in leads to.
    expect(await steps(operator, '/panel/operator/today')).toEqual(first);
    // Nothing is counted before there is anything.
    expect((await operator.get('/panel/operator/today')).text).not.toContain('class="tiles');
    const form = '/panel/operator/users/new';
    const created = await operator.submit(form, form, { email: 'ann@example.com', name: 'Ann' });
    expect((await operator.get(created.location!)).text).toMatch(/<code class="secret" id="link">http/);
    expect((await steps(operator, '/panel/operator'))!.open).toEqual([
      'Credit the user',
      'Create an API token',
      'Place the first order',
    ]);
    // The next step is the one button, and leads to the new user's own page.
    const { text } = await operator.get('/panel/operator');
    const [, action] = /aria-current="step".*?<form method="get" action="([^"]*)" class="compact"/s.exec(text)!;
    expect(action).toMatch(/^\/panel\/operator\/users\/[0-9a-f-]{36}\/money$/);
    expect((await operator.get(action!)).text).toContain('ann@example.com');
    // A button keeps the query of the page that it leads to.
    const setState = (state: string) =>
      world.query(`update pool_wallets set state = $1 where role = 'delegate' returning 1`, [state]);
    await setState('paused');
    const check =
      /aria-current="step".*?<form method="get" action="([^"]*)"[^>]*><input type="hidden" name="check" value="yes"/s;
    expect(check.exec((await operator.get('/panel/operator')).text)![1]).toMatch(
      /^\/panel\/operator\/wallets\/[0-9a-f-]{36}$/,
    );
    await setState('active');
    await world.tokenOf((await insertPanelUser(world.app, { email: 'cid@example.com' })).id);
    expect((await steps(operator, '/panel/operator'))!.done).toContain('Create an API token');
  });

  it('a customer sees what is left to do, until the first order', async () => {
    user = await insertPanelUser(world.app, { email: 'bob@example.com' });
    customer = new PanelClient(world.app.url);
    await customer.signIn(user.email, user.password);
    const first = await customer.get('/panel/home');
    // Without deposits: a customer is asked for nothing else.
    expect(first.text).toContain('The operators say how:');
    expect(first.text).not.toContain('deposit');
    expect(first.text).toContain('<p>Send TRX to T123 &lt;at> 1:1.</p><p>Name your e-mail address.</p>');
    expect(first.text).toMatch(/<code id="first-order">curl http[^<]*\/api\/chain\/delegate-resource/);
    const balance = (await customer.get('/panel/balance')).text;
    expect(balance).toContain('How to top up');
    expect(balance).toContain('We show a warning here and send a webhook.');
    const failures = (await customer.get('/panel/orders/failures')).text;
    expect(failures).toContain('<a href="/panel/balance#top-up">Top up, then order again.</a>');
    const left = async () => (await steps(customer, '/panel/home'))?.open ?? null;
    expect(await left()).toEqual(['Create an API token', 'Top up your balance', 'Place your first order']);
    const path = `/panel/operator/users/${user.id}`;
    const money = { step: 'book', kind: 'credit', amount: '50', note: 'a start' };
    await operator.fillIn(`${path}/money`, `${path}/movements`, money);
    expect((await world.app.app.get(BalanceService).getBalance(user.id)).availableSun).toBe(50_000_000n);
    const caller = await world.tokenOf(user.id);
    expect(await left()).toEqual(['Place your first order']);
    const order = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(order.status).toBe(200);
    expect(await left()).toBeNull();
    for (const page of ['/panel/operator', '/panel/operator/today']) expect(await steps(operator, page)).toBeNull();
    expect((await operator.get('/panel/operator/today')).text).toContain('class="tiles');
  });

  it('a quote on its page says what the API says, and what is wrong with what was typed', async () => {
    const receiver = await world.receiver();
    const { text } = await customer.get(`/panel/quote?receiver_address=%20${receiver}%20&amount=2`);
    const caller = await world.tokenOf(user.id);
    const { body } = await world.get(caller, `/api/chain/quote?receiver_address=${receiver}&amount=2`);
    const quoted = body['data'] as { cost: number; burn_cost: number };
    expect(text).toContain(`<strong>${quoted.cost.toFixed(6)}</strong>`);
    expect(text).toContain(`<strong>${quoted.burn_cost.toFixed(6)}</strong>`);
    expect(text).toContain('available');
    const wrong = await customer.get(`/panel/quote?receiver_address=${receiver}&amount=0.5`);
    expect([wrong.status, wrong.text.includes('href="#field-amount"')]).toEqual([422, true]);
    expect((await customer.get('/panel/quote')).status).toBe(200);
  });

  it("settings are shown without a secret: of a node's address its host alone", async () => {
    const { text } = await operator.get('/panel/operator/settings');
    expect(text).toContain('A: 3 TRX a transaction');
    expect(text).toMatch(/<code>http:\/\/127\.0\.0\.1:\d+<\/code>/);
    expect(text).toMatch(/Version<\/dt><dd>\d+\.\d+\.\d+</);
    expect((await customer.get('/panel/operator/settings')).status).toBe(404);
  });
});
