import { v7 as uuid } from 'uuid';
import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import { SessionLimit } from '../../src/panel/http/session-limit';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { SessionService } from '../../src/auth/sessions/session.service';
import { insertSubscription } from '../support/factories';
import { DepositAddresses } from '../../src/deposits/deposit-addresses';
import { XPUB } from '../deposits/deposit-world';
import { OrderWorld, type TokenCaller } from '../support/order-world';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { mountedMiddleware } from '../support/route-table';
import { fingerprint } from '../support/table-fingerprint';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { type Fields, fieldsByHand, fieldsOfColumns } from './extra-fields';
import type { Named } from './route-classes';
import { insertSmallDeposit } from './small-deposit';
import { markVictim, SESSIONS, told } from './victim-marks';
import { WatchedClient } from './watched-client';

export type Ids = Partial<Record<Named, string>>;
export type Headers = Record<string, string>;
export type Who = 'victim' | 'attacker' | 'operator';

/** Written by any user who opens a page. */
const OF_SESSIONS = ['sessions', 'known_places', 'job_runs'];
/** Written by the service as it reads the chain, whatever anybody asks. */
const OF_THE_CHAIN = ['chain_identity', 'pool_wallets', 'wallet_views', 'outages', 'service_beat'];
const READ_OF_CHAIN = (
  'observed_at observed_block delegable_sun stake_sun balance_sun bandwidth free_bandwidth ' +
  'reserved_sun transactions_due'
).split(' ');
export const KEY = 'the key of somebody else';
/** A form that says something to each route. */
const FILLED =
  `name=changed&permissions=balance&events=delegation.failed&amount=7&direction=credit&kind=credit&step=book&note=x
  &reason=x&reference=x&orders=pause&transactions=5&days=30&daily_limit=1&max_cost=1&low_balance=5&amount_sun=5
  &current=not+it&password=another+password&repeated=another+password&threshold=5&shown_name=x&kinds=shortage&state=paused`.replaceAll(
    /\s/g,
    '',
  );

/** The token of the form on this page. */
export async function hiddenToken(client: PanelClient, path = '/panel/account'): Promise<string | undefined> {
  return /name="_csrf" value="([^"]+)"/.exec((await client.get(path)).text)?.[1];
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A service at rest, two users with one of each thing that has an id, and an operator. */
export class RouteWorld {
  victim!: TokenCaller;
  login!: Record<Who, PanelUserLogin>;
  clients!: Record<Who, PanelClient>;
  ids!: Record<'victim' | 'attacker', Ids>;
  txId!: string;
  /** By table, what no attacker has sent. */
  marks!: Readonly<Record<string, readonly string[]>>;
  /** Middleware of an instance that has all of it: background work, and metrics on the port of the API. */
  middleware!: string[];
  private readonly found: string[] = [];
  private calls = 0;

  private constructor(
    readonly world: OrderWorld,
    private readonly receiver: WebhookReceiver,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<RouteWorld> {
    const receiver = await WebhookReceiver.open();
    const world = await OrderWorld.open({
      env: {
        TRUST_PROXY: 'loopback',
        WEBHOOK_ALLOW_PRIVATE: 'on',
        METRICS_TOKEN: 'a-token-of-metrics',
        // Pages for strangers are there, and no mail is taken.
        SMTP_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'energy@example.com',
        SIGN_UP: 'approval',
        STATUS_PAGE: 'on',
        DEPOSIT_XPUB: XPUB,
        ...env,
      },
    });
    // Every route in one session is more than anybody asks for in a minute; that limit has tests of its own.
    Object.assign(SessionLimit.prototype, { take: async () => undefined });
    const routes = new RouteWorld(world, receiver);
    try {
      await routes.fill();
      return routes;
    } catch (error) {
      await routes.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.world.close();
    this.receiver.close();
  }

  private async fill(): Promise<void> {
    const { app } = this.world;
    this.login = {
      victim: await insertPanelUser(app, { balance: 7_654_321 }),
      attacker: await insertPanelUser(app, { balance: 100 }),
      operator: await insertPanelUser(app, { operator: true }),
    };
    this.victim = await this.world.tokenOf(this.login.victim.id);
    const attacker = await this.world.tokenOf(this.login.attacker.id);
    this.ids = { victim: await this.own(this.victim), attacker: await this.own(attacker) };
    this.txId = (await this.world.show(this.ids.victim.order!))!.txid!;
    // A customer's deposit address is made when it is asked for first: from then on a look at it changes nothing.
    await this.world.untilRow(`select 1 from followed_blocks where subscriber = 'deposits'`);
    for (const who of ['victim', 'attacker'] as const) {
      const { id } = this.login[who];
      await app.app.get(DepositAddresses).of(id);
      this.ids[who].deposit = await insertSmallDeposit(this.world, id);
    }
    this.middleware = mountedMiddleware(app.app);
    // From here on nothing changes by itself.
    await this.world.startInstance({}, false);
    await this.world.stopInstance(app);
    this.marks = await markVictim(this.world, this.victim, this.ids.victim, this.receiver.url('/of-Vera'));
    this.clients = {
      victim: await this.signIn('victim'),
      attacker: await this.signIn('attacker'),
      operator: await this.signIn('operator'),
    };
  }

  /** One of each thing that has an id. */
  private async own(caller: TokenCaller): Promise<Ids> {
    const { world } = this;
    const body = { receiver_address: await world.receiver(), amount: 1 };
    // On a busy machine blocks can come faster than wallets are read.
    const placed = await until('an order', async () => {
      const answer = await world.delegate(caller, body, { 'idempotency-key': KEY });
      return answer.status === 200 && answer;
    });
    const order = placed.headers.get('x-delegation-id')!;
    await world.untilState(order, 'delegated');
    const { webhook } = await world.app.app
      .get(WebhookService)
      .create({ userId: caller.id, url: this.receiver.url('/x') });
    await world.app.app.get(WebhookDeliveries).test(webhook.id);
    const delivered = await world.untilRow(
      `select id from webhook_deliveries where webhook_id = $1 and state = 'delivered'`,
      [webhook.id],
    );
    const [finding] = await world.query(
      `insert into findings (kind, subject, subject_type, subject_id, reason, next_step, amount_sun)
       values ('shortage', $1, 'order', $1, 'stake is missing', 'look', 5) returning id`,
      [order],
    );
    const [wallet] = await world.query(`select id from pool_wallets where name = 'pool'`);
    return {
      order,
      token: caller.tokenId,
      webhook: webhook.id,
      delivery: String(delivered['id']),
      user: caller.id,
      wallet: String(wallet!['id']),
      subscription: await insertSubscription(world.app.orm, caller.id, 3),
      finding: String(finding!['id']),
      channel: 'email',
    };
  }

  /** An address of its own for each call, so that no limit of an address is met. */
  address(): Headers {
    const call = this.calls++;
    return { 'x-forwarded-for': `10.${(call >> 16) & 255}.${(call >> 8) & 255}.${call & 255}` };
  }

  visitor(headers: Headers = {}): PanelClient {
    return new PanelClient(this.world.app.url, { ...this.address(), ...headers });
  }

  /** What answers have told of the victim to an attacker since this was last asked for. */
  takeFound(): string[] {
    return this.found.splice(0);
  }

  get ofTheVictimAlone(): string[] {
    return Object.values(this.marks).flat();
  }

  /** The browser of an attacker who is not signed in there. */
  attackersBrowser(): PanelClient {
    return new WatchedClient(this.world.app.url, this.address(), this.ofTheVictimAlone, this.found);
  }

  private async signIn(who: Who): Promise<PanelClient> {
    return this.enter(this.login[who], who === 'attacker' ? this.attackersBrowser() : this.visitor());
  }

  private async enter({ email, password }: PanelUserLogin, client = this.visitor()): Promise<PanelClient> {
    expect((await client.signIn(email, password)).status).toBe(303);
    return client;
  }

  /** Operators who were signed in, with a form of that time; since then they were disabled, signed out everywhere, or are none. */
  async formerOperators(): Promise<Record<'disabled' | 'ended' | 'demoted', { client: PanelClient; _csrf: string }>> {
    const operator = async () => {
      const login = await insertPanelUser(this.world.app, { operator: true });
      const client = await this.enter(login);
      return { id: login.id, client, _csrf: (await hiddenToken(client))! };
    };
    const [disabled, ended, demoted] = [await operator(), await operator(), await operator()];
    await this.world.query('update users set disabled_at = now() where id = $1 returning 1', [disabled.id]);
    await this.world.app.app.get(SessionService).endAllOf(ended.id);
    await this.world.query('update users set operator = false where id = $1 returning 1', [demoted.id]);
    return { disabled, ended, demoted };
  }

  /** An operator of an instance that asks operators for a second factor, who has none. */
  async operatorWithoutFactor(): Promise<{ client: PanelClient; _csrf: string }> {
    const { url } = await this.world.startInstance({ OPERATOR_SECOND_FACTOR: 'required' }, false);
    const client = await this.enter(this.login.operator, new PanelClient(url, this.address()));
    return { client, _csrf: (await hiddenToken(client, '/panel/account/second-factor'))! };
  }

  /** With these headers in each request, and the cookies that there are now. */
  sameBrowser(who: Who, headers: Headers): PanelClient {
    const client = this.visitor(headers);
    for (const [name, value] of this.clients[who].cookies) client.cookies.set(name, value);
    return client;
  }

  /** A form's token; signs in again where the last route has ended the session. */
  async formToken(who: Who): Promise<string> {
    const found = await hiddenToken(this.clients[who]);
    if (found !== undefined) return found;
    this.clients[who] = await this.signIn(who);
    return (await hiddenToken(this.clients[who]))!;
  }

  cookies(who: Who): string {
    return [...this.clients[who].cookies].map((pair) => pair.join('=')).join('; ');
  }

  /** Ids of nothing. */
  random(): Ids {
    return Object.fromEntries([
      ...Object.keys(this.ids.victim).map((name) => [name, uuid()]),
      ['finding', '999999'],
    ]) as Ids;
  }

  /** Every table but `except`, without what the service read of the chain meanwhile. */
  async all(except: readonly string[] = []): Promise<Record<string, unknown>> {
    return {
      ...(await fingerprint(this.world.app.sql, { except: [...except, ...OF_SESSIONS, ...OF_THE_CHAIN] })),
      pool_wallets: await this.without('pool_wallets', READ_OF_CHAIN),
      wallet_views: await this.without('wallet_views', ['newest', 'newest_block', 'newest_until', 'newest_at']),
    };
  }

  async ofVictim() {
    const tables = await fingerprint(this.world.app.sql, { userId: this.login.victim.id, except: OF_SESSIONS });
    const sessions = await this.world.query('select key, user_id from sessions where key = any($1)', [
      Object.values(SESSIONS),
    ]);
    return { ...tables, sessions: sessions.length };
  }

  /** As `all`, without when a token, a session or a network was seen last. */
  async allButVisits(): Promise<Record<string, unknown>> {
    return {
      ...(await this.all(['api_tokens'])),
      api_tokens: await this.without('api_tokens', ['last_used_at']),
      sessions: await this.without('sessions', ['seen_at', 'expires_at', 'data']),
    };
  }

  private without(table: string, columns: readonly string[]) {
    return this.world.query(
      `select md5(string_agg(kept, '|' order by kept)) as hash
         from ${table} r, lateral (select (to_jsonb(r) - $1::text[])::text as kept) of_row`,
      [columns],
    );
  }

  async call(method: string, path: string, headers: Headers, body?: unknown) {
    const answer = await fetch(`${this.world.app.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...this.address(), 'content-type': 'application/json', ...headers },
      body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** As `call`, of somebody to whom nothing of the victim is told. */
  async attack(method: string, path: string, headers: Headers, body?: unknown) {
    const answer = await this.call(method, path, headers, body);
    const sent = encodeURIComponent(JSON.stringify([decodeURIComponent(path), body ?? null]));
    expect([path, told(this.ofTheVictimAlone, sent, answer.text)]).toEqual([path, []]);
    return answer;
  }

  byHand(): Fields {
    return fieldsByHand(this.ids.victim, this.login.victim.email);
  }

  /** `ofUsers`: of columns, those of what belongs to a user. */
  extraFields({ ofUsers = false } = {}): Fields {
    return { ...fieldsOfColumns(this.world.app.orm, this.ids.victim, ofUsers), ...this.byHand() };
  }

  filledForm(): Record<string, string> {
    return { url: this.receiver.url('/y'), form_key: uuid(), ...Object.fromEntries(new URLSearchParams(FILLED)) };
  }
}
