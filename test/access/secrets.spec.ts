import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { record } from '../support/bar';
import { runOnServer } from '../support/database-server';
import { OrderWorld, type TokenCaller } from '../support/order-world';
import { ServiceChild } from '../support/service-child';
import { until } from '../support/until';
import { everyRow } from './every-row';
import { runFailing } from './failing-commands';
import { KeyGateway } from './key-gateway';
import { KnownSecrets } from './known-secrets';
import { PanelOfSecrets } from './panel-of-secrets';
import { random, SecretSettings } from './secret-settings';

const ORDERS = '/api/chain/delegate-resource';
/** A statement of ours. */
const SQL = /\b(?:select\s.+\sfrom|insert\s+into|update\s+\S+\s+set|delete\s+from)\s/i;
/** What PostgreSQL shows of a row that it takes not. */
const ROW = /Failing row contains/;
const STACK = /\bat\s+\S+\s*\(?[^\s)]+:\d+:\d+/;
/** What only an operator is told. */
const INSIDES = /node_modules|ECONNREFUSED/;

const SERVER = process.env['TEST_DATABASE_SERVER_URL']!;

/** Everything that leaves the process, from a start to its end, with as much going wrong as can be arranged. */
describe('secrets', () => {
  const known = new KnownSecrets();
  const password = random();
  const role = `app_${randomBytes(4).toString('hex')}`;
  let settings: SecretSettings;
  let world: OrderWorld;
  let gateway: KeyGateway;
  let service: ServiceChild;
  let caller: TokenCaller;
  let url: string;
  const bodies: { what: string; text: string; isError: boolean }[] = [];

  beforeAll(async () => {
    settings = await SecretSettings.open(known);
    known.add('the password of the database', password);
    world = await OrderWorld.open({ block: 200, backgroundWork: false, env: settings.env });
    await runOnServer(SERVER, `create role ${role} login superuser password '${password}'`);
    url = Object.assign(new URL(world.database.url), { username: role, password }).href;
    caller = await world.caller({ balance: 100 });
    known.add('an API token', caller.token.slice(12));
    for (const { role: wallet, private_key: key } of world.chain.accounts) known.add(`the key of ${wallet}`, key);
    gateway = await KeyGateway.open(world.chain.url, known);
    service = new ServiceChild({
      ...settings.env,
      DATABASE_URL: url,
      TRON_FULL_NODE_URLS: gateway.url,
      LOG_LEVEL: 'trace',
      ANSWER_TIMEOUT: '1s',
      RATE_LIMIT_PER_MINUTE: '10000',
    });
    await service.ready();
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    gateway.close();
    await world.close();
    await runOnServer(SERVER, `drop role ${role}`);
    await settings.close();
  });

  function tell(what: string, status: number, text: string): void {
    bodies.push({ what, text, isError: status >= 400 });
  }

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
    tell(`${method} ${path} ${answer.status}`, answer.status, said);
    return answer;
  }
  const order = async () => ({ receiver_address: await world.receiver(), amount: 1 });
  const place = async (token = caller.token) =>
    call('POST', ORDERS, { authorization: `Bearer ${token}` }, await order());

  it('are in no answer, page, webhook, notice, log line, metric, trace or row, whatever goes wrong', async () => {
    const panel = new PanelOfSecrets({ world, settings, known, caller, url: service.url, place, tell });
    await panel.enter();
    const [signing] = await world.query('select secret from session_secret');
    expect((await place()).status).toBe(200);
    await withBadRequests();
    await withBadNodes();
    await withAKeyThatIsNone();
    await panel.openAll();
    await withAGatewayThatFails(panel);
    await panel.withWrongTables();
    await panel.withNotices();
    await withoutTheDatabase();
    const metrics = await fetch(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${settings.env['METRICS_TOKEN']}` },
    });
    expect(metrics.status).toBe(200);
    bodies.push({ what: 'metrics', text: await metrics.text(), isError: false });
    await until('a webhook', async () => settings.receiver.at('/x').length > 0);
    await service.stop('SIGTERM');

    const rows = await everyRow(world);
    expect(rows.split('\n').length).toBeGreaterThan(40);
    const log = service.stdout + service.stderr;
    expect(log.split('\n').length).toBeGreaterThan(20);
    // What may be there is: the search would find the rest as well.
    expect(rows).toContain(caller.token.slice(0, 8));
    expect(log).toContain('"path":"/api/user/token"');
    expect(log).toContain('holds no private key');
    expect(bodies.at(-1)!.text).toContain('energy_http_failures_total');
    expect(bodies.at(-1)!.text).toContain(`energy_node_faults_total{node="${gateway.host}`);
    expect(log).toContain(`The node ${gateway.host} fails`);
    const pages = bodies.filter(({ what, isError }) => what.startsWith('GET /panel/') && !isError);
    expect(pages.find(({ what }) => what.includes('/operator/settings'))!.text).toContain(gateway.host);
    const traces = settings.traces;
    for (const name of [`POST ${ORDERS}`, 'POST /panel/sign-in', 'wallet/broadcasttransaction', 'order until final'])
      expect(traces).toContain(`"name":"${name}"`);
    const places = [
      ...bodies,
      { what: 'the log', text: log },
      { what: 'the database', text: rows },
      { what: 'the traces', text: traces },
      { what: 'what was sent', text: settings.sent.join('\n') },
    ];
    expect(places.flatMap(({ what, text }) => known.shownBy(text).map((name) => `${what} shows ${name}`))).toEqual([]);
    // What signs cookies is a row, and nowhere else; copied-database.spec shows that it alone signs no user in.
    expect(places.filter(({ text }) => text.includes(String(signing!['secret']))).map(({ what }) => what)).toEqual([
      'the database',
    ]);
    // Stacks and what PostgreSQL says are for the operator; statements and rows are not.
    for (const line of log.split('\n')) expect((SQL.exec(line) ?? ROW.exec(line))?.[0]).toBeUndefined();
    expect(log).toContain('violates check constraint');
    const errors = bodies.filter(({ isError }) => isError);
    expect(errors.length).toBeGreaterThan(20);
    for (const { what, text } of errors)
      expect([what, (SQL.exec(text) ?? STACK.exec(text) ?? INSIDES.exec(text))?.[0]]).toEqual([what, undefined]);
    const seen = `${errors.length} answers that refuse or fail, ${pages.length} pages, ${log.split('\n').length} log lines, ${rows.split('\n').length} rows, ${traces.split('"traceId"').length - 1} spans; ${known.size} secrets looked for, none found`;
    record(21, 'answers', bodies.length, bodies.length, seen);
  });

  it('are in nothing that a command or a start says that fails', async () => {
    const failed = await runFailing(known, {
      settings,
      databaseUrl: url,
      nodeUrl: world.chain.url,
      keyFile: world.keyFile('pool'),
      address: await world.receiver(),
    });
    for (const { what, code, stdout, stderr } of failed) {
      const said = stdout + stderr;
      // A wallet without its key is added with a warning.
      expect([what, code, said.length > 20]).toEqual([what, what.startsWith('pool:add') ? 0 : 1, true]);
      expect([what, known.shownBy(said)]).toEqual([what, []]);
      expect([what, (SQL.exec(said) ?? ROW.exec(said) ?? STACK.exec(said))?.[0]]).toEqual([what, undefined]);
    }
    record(21, 'commands and starts that fail', failed.length, failed.length, 'no secret, SQL or stack');
  });

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

  /** It says its key and its password back. */
  async function withAGatewayThatFails(panel: PanelOfSecrets): Promise<void> {
    gateway.isFailing = true;
    await place();
    await until('it is not ready', async () => (await call('GET', '/health/ready', {})).status === 503);
    await call('GET', `/api/chain/quote?receiver_address=${await world.receiver()}`, {});
    await panel.openAll();
    gateway.isFailing = false;
    await until('it is ready', async () => (await call('GET', '/health/ready', {})).status === 200);
    await until('an order goes through', async () => (await place()).status === 200);
    expect(gateway.refused).toEqual([]);
  }

  /** A key file that holds something else: what it holds may be the key of something else. */
  async function withAKeyThatIsNone(): Promise<void> {
    const held = random();
    known.add('what a key file holds', held);
    const key = world.chain.accounts.find((account) => account.role === 'pool')!.private_key;
    writeFileSync(world.keyFile('pool'), held);
    expect((await place()).status).toBeGreaterThanOrEqual(500);
    writeFileSync(world.keyFile('pool'), key);
    await until('an order goes through', async () => (await place()).status === 200);
  }

  async function withoutTheDatabase(): Promise<void> {
    const server = SERVER;
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
});
