import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { record } from '../support/bar';
import { runOnServer } from '../support/database-server';
import { OrderWorld, type TokenCaller } from '../support/order-world';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { ServiceChild } from '../support/service-child';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';

const random = () => randomBytes(24).toString('hex');
/** A statement of ours, or what a stack looks like. */
const INSIDES =
  /\b(?:select\s.+\sfrom|insert\s+into|update\s+\w+\s+set|delete\s+from)\s|\bat\s+\S+\s*\(?[^\s)]+:\d+:\d+|node_modules|ECONNREFUSED/i;

/** Everything that leaves the process, from a start to its end, with as much going wrong as can be arranged. */
describe('secrets', () => {
  const secrets = {
    METRICS_TOKEN: random(),
    TRON_API_KEY: random(),
    SECRET_KEYS: randomBytes(32).toString('base64'),
  };
  const password = random();
  const role = `app_${randomBytes(4).toString('hex')}`;
  let world: OrderWorld;
  let service: ServiceChild;
  let receiver: WebhookReceiver;
  let caller: TokenCaller;
  const bodies: { what: string; text: string; isError: boolean }[] = [];
  /** By name, what must be nowhere. */
  const known: Record<string, string> = { ...secrets, 'the password of the database': password };

  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    world = await OrderWorld.open({
      block: 200,
      backgroundWork: false,
      env: { WEBHOOK_ALLOW_PRIVATE: 'on', ...secrets },
    });
    const server = process.env['TEST_DATABASE_SERVER_URL']!;
    await runOnServer(server, `create role ${role} login superuser password '${password}'`);
    const url = Object.assign(new URL(world.database.url), { username: role, password });
    caller = await world.caller({ balance: 100 });
    known['an API token'] = caller.token.slice(12);
    for (const { role: wallet, private_key: key } of world.chain.accounts) known[`the key of ${wallet}`] = key;
    service = new ServiceChild({
      DATABASE_URL: url.href,
      TRON_FULL_NODE_URLS: world.chain.url,
      LOG_LEVEL: 'trace',
      WEBHOOK_ALLOW_PRIVATE: 'on',
      ANSWER_TIMEOUT: '1s',
      RATE_LIMIT_PER_MINUTE: '10000',
      ...secrets,
    });
    await service.ready();
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    await world.close();
    await runOnServer(process.env['TEST_DATABASE_SERVER_URL']!, `drop role ${role}`);
    receiver.close();
  });

  async function call(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json', ...headers },
      body: method === 'POST' ? text : undefined,
    });
    const said = `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
    bodies.push({ what: `${method} ${path} ${answer.status}`, text: said, isError: answer.status >= 400 });
    return answer;
  }
  const order = async () => ({ receiver_address: await world.receiver(), amount: 1 });
  const place = async () => call('POST', '/api/chain/delegate-resource', {}, await order());

  it('are in no answer, log line, metric or row, whatever goes wrong', async () => {
    expect((await place()).status).toBe(200);
    await throughThePanel();
    await withBadRequests();
    await withBadNodes();
    await withAKeyThatIsNone();
    await withoutTheDatabase();
    const metrics = await fetch(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${secrets.METRICS_TOKEN}` },
    });
    expect(metrics.status).toBe(200);
    bodies.push({ what: 'metrics', text: await metrics.text(), isError: false });
    await service.stop('SIGTERM');

    const rows = await dump();
    expect(rows.split('\n').length).toBeGreaterThan(40);
    const log = service.stdout + service.stderr;
    expect(log.split('\n').length).toBeGreaterThan(20);
    // What may be there is: the search would find the rest as well.
    expect(rows).toContain(caller.token.slice(0, 8));
    expect(log).toContain('"path":"/api/user/token"');
    expect(log).toContain('holds no private key');
    expect(bodies.at(-1)!.text).toContain('energy_http_failures_total');
    const places = [...bodies, { what: 'the log', text: log }, { what: 'the database', text: rows }];
    for (const { what, text } of places) {
      // Not with what it is, or the report of this test would show it.
      for (const [name, secret] of Object.entries(known))
        if (text.includes(secret)) throw new Error(`${what} shows ${name}`);
    }
    const errors = bodies.filter(({ isError }) => isError);
    expect(errors.length).toBeGreaterThan(20);
    for (const { what, text } of errors) expect([what, INSIDES.exec(text)?.[0]]).toEqual([what, undefined]);
    const seen = `${errors.length} answers that refuse or fail, ${log.split('\n').length} log lines, ${rows.split('\n').length} rows; ${Object.keys(known).length} secrets looked for, none found`;
    record(21, 'answers', bodies.length, bodies.length, seen);
  });

  /** Signs in, wrongly and rightly, and makes what is shown once: a token, a webhook and an invitation. */
  async function throughThePanel(): Promise<void> {
    const login = await insertPanelUser(world.app, { operator: true, balance: 5 });
    known['a password'] = login.password;
    const wrong = new PanelClient(service.url);
    known['a wrong password'] = random();
    await wrong.signIn(login.email, known['a wrong password']);
    const client = new PanelClient(service.url);
    expect((await client.signIn(login.email, login.password)).status).toBe(303);
    known['a session'] = decodeURIComponent(client.cookies.get('panel_session')!).slice(2).split('.')[0]!;
    const made = await client.submit('/panel/tokens/new', '/panel/tokens/new', {
      name: 'till',
      permissions: 'balance',
    });
    known['a new API token'] = /id="token"[^>]*>([^<]+)</.exec(made.text)![1]!.slice(12);
    const hook = await client.submit('/panel/webhooks/new', '/panel/webhooks/new', { url: receiver.url('/x') });
    known['the secret of a webhook'] = /whsec_([\w+/=]{20,})/.exec(hook.text)![1]!;
    const invited = `/panel/operator/users/${caller.id}`;
    const link = await client.submit(invited, `${invited}/invitation`);
    const page = link.location ? await client.get(new URL(link.location, service.url).pathname) : link;
    known['an invitation'] = /key=([\w-]{16,})/.exec(page.text)![1]!;
    for (const path of ['/panel/nothing', '/panel/tokens/nothing', '/panel/operator/users/nothing']) {
      const { status, text } = await client.get(path);
      bodies.push({ what: `GET ${path} ${status}`, text, isError: true });
    }
  }

  async function withBadRequests(): Promise<void> {
    const path = '/api/chain/delegate-resource';
    for (const body of ['{', '[]', '"x"', '{"amount":"\\u0000"}', `{"amount":${'9'.repeat(400)}}`, 'x'.repeat(20_000)])
      await call('POST', path, {}, body);
    for (const token of ['nonsense', `${caller.token}x`])
      await call('GET', '/api/user/balance', { authorization: `Bearer ${token}` });
    await call('GET', '/api/chain/delegations/%00', {});
    await call('GET', "/api/chain/delegations/'; select 1 --", {});
    await call('GET', '/api/chain/delegations?before=x&limit=-1', {});
    await call('DELETE', path, {});
    await call('GET', '/nothing', {});
    await call('POST', path, { 'idempotency-key': 'ü' }, await order()).catch(() => undefined);
    await call('POST', path, {}, { ...(await order()), amount: 1e9 });
  }

  async function withBadNodes(): Promise<void> {
    const route = 'wallet/broadcasttransaction';
    for (const kind of ['500', 'html', 'reset', 'cut', 'SIGERROR', 'OTHER_ERROR', 'TAPOS_ERROR', 'SERVER_BUSY']) {
      await world.query('update pool_wallets set refusals = 0, resting_until = null returning 1');
      await world.control('fault', { route, kind, count: 100 });
      await place();
      await world.control('fault', { route, kind: 'none' });
    }
    await world.query('update pool_wallets set refusals = 0, resting_until = null returning 1');
  }

  /** A key file that holds something else: what it holds may be the key of something else. */
  async function withAKeyThatIsNone(): Promise<void> {
    known['what a key file holds'] = random();
    const key = world.chain.accounts.find((account) => account.role === 'pool')!.private_key;
    writeFileSync(world.keyFile('pool'), known['what a key file holds']);
    expect((await place()).status).toBeGreaterThanOrEqual(500);
    writeFileSync(world.keyFile('pool'), key);
    await until('an order goes through', async () => (await place()).status === 200);
  }

  async function withoutTheDatabase(): Promise<void> {
    const server = process.env['TEST_DATABASE_SERVER_URL']!;
    const name = new URL(world.database.url).pathname.slice(1);
    await runOnServer(server, `alter role ${role} nologin`);
    await runOnServer(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}' and datname = '${name}'`,
    );
    for (const path of [
      '/api/user/balance',
      '/api/user/token',
      '/api/chain/delegations',
      '/health/ready',
      '/panel/sign-in',
    ])
      await call('GET', path, {});
    await place();
    await runOnServer(server, `alter role ${role} login`);
    await until('the database is there', async () => (await call('GET', '/health/ready', {})).status === 200);
  }

  /** Every row of every table, as a dump has it. */
  async function dump(): Promise<string> {
    const tables = await world.query(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      // It signs the panel's cookies, and is of use only with the database itself.
      if (name === 'session_secret') continue;
      for (const { row } of await world.query(`select r::text as row from "${String(name)}" r`))
        texts.push(String(row));
    }
    return texts.join('\n');
  }
});
