import { v7 as uuid } from 'uuid';
import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertSubscription } from '../support/factories';
import { OrderWorld, type TokenCaller } from '../support/order-world';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { fingerprint } from '../support/table-fingerprint';
import { WebhookReceiver } from '../support/webhook-receiver';
import type { Named } from './route-classes';

export type Ids = Partial<Record<Named, string>>;
export type Headers = Record<string, string>;
export type Who = 'victim' | 'attacker' | 'operator';

/** Written by whoever opens a page. */
const OF_SESSIONS = ['sessions', 'known_places', 'job_runs'];
export const KEY = 'the key of somebody else';
/** A form that says something to each route. */
const FILLED =
  `name=changed&permissions=balance&events=delegation.failed&amount=7&direction=credit&kind=credit&step=book&note=x
  &reason=x&reference=x&orders=pause&transactions=5&days=30&daily_limit=1&max_cost=1&low_balance=5&amount_sun=5
  &current=not+it&password=another+password&repeated=another+password&threshold=5&shown_name=x&kinds=shortage&state=paused`.replaceAll(
    /\s/g,
    '',
  );

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A service at rest, two users with one of each thing that has an id, and an operator. */
export class RouteWorld {
  victim!: TokenCaller;
  login!: Record<Who, PanelUserLogin>;
  clients!: Record<Who, PanelClient>;
  ids!: Record<'victim' | 'attacker', Ids>;
  txId!: string;
  /** What nobody who attacks has sent. */
  ofTheVictimAlone!: string[];
  private calls = 0;

  private constructor(
    readonly world: OrderWorld,
    private readonly receiver: WebhookReceiver,
  ) {}

  static async open(): Promise<RouteWorld> {
    const receiver = await WebhookReceiver.open();
    const world = await OrderWorld.open({ env: { TRUST_PROXY: 'loopback', WEBHOOK_ALLOW_PRIVATE: 'on' } });
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
      victim: await insertPanelUser(app, { balance: 100 }),
      attacker: await insertPanelUser(app, { balance: 100 }),
      operator: await insertPanelUser(app, { operator: true }),
    };
    this.victim = await this.world.tokenOf(this.login.victim.id);
    const attacker = await this.world.tokenOf(this.login.attacker.id);
    this.ids = { victim: await this.own(this.victim), attacker: await this.own(attacker) };
    const order = (await this.world.show(this.ids.victim.order!))!;
    this.txId = order.txid!;
    this.ofTheVictimAlone = [this.txId, order.receiver, this.victim.token.slice(0, 10)];
    // From here on nothing changes by itself.
    await this.world.startInstance({}, false);
    await this.world.stopInstance(app);
    this.clients = {
      victim: await this.signIn('victim'),
      attacker: await this.signIn('attacker'),
      operator: await this.signIn('operator'),
    };
  }

  /** One of each thing that has an id. */
  private async own(caller: TokenCaller): Promise<Ids> {
    const { world } = this;
    const placed = await world.delegate(
      caller,
      { receiver_address: await world.receiver(), amount: 1 },
      { 'idempotency-key': KEY },
    );
    expect(placed.status).toBe(200);
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

  /** Of its own address, so that no limit of an address is met. */
  address(): Headers {
    const call = this.calls++;
    return { 'x-forwarded-for': `10.${(call >> 16) & 255}.${(call >> 8) & 255}.${call & 255}` };
  }

  visitor(headers: Headers = {}): PanelClient {
    return new PanelClient(this.world.app.url, { ...this.address(), ...headers });
  }

  private async signIn(who: Who): Promise<PanelClient> {
    const client = this.visitor();
    expect((await client.signIn(this.login[who].email, this.login[who].password)).status).toBe(303);
    return client;
  }

  /** A form's token; signs in again where the last route has ended the session. */
  async formToken(who: Who): Promise<string> {
    const hidden = async () =>
      /name="_csrf" value="([^"]+)"/.exec((await this.clients[who].get('/panel/account')).text)?.[1];
    const found = await hidden();
    if (found !== undefined) return found;
    this.clients[who] = await this.signIn(who);
    return (await hidden())!;
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

  all(except: readonly string[] = []) {
    return fingerprint(this.world.app.sql, { except: [...except, ...OF_SESSIONS] });
  }

  ofVictim() {
    return fingerprint(this.world.app.sql, { userId: this.login.victim.id, except: OF_SESSIONS });
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

  /** What a form or a body might be understood to say, with the victim's ids in every field that could take one. */
  extraFields(): Record<string, string> {
    const theirs = this.ids.victim;
    const of = (names: string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
    return {
      ...of(['user_id', 'userId', 'user', 'owner', 'owner_id', 'account_id', 'account', 'customer'], theirs.user!),
      ...of(['token_id', 'tokenId', 'token'], theirs.token!),
      ...of(['id', 'delegation_id', 'delegationId', 'order', 'order_id'], theirs.order!),
      ...of(['webhook_id', 'webhook'], theirs.webhook!),
      ...of(['subscription_id', 'subscription'], theirs.subscription!),
      ...of(['delivery'], theirs.delivery!),
      ...of(['cost', 'cost_sun', 'price', 'unit_price', 'unitPriceSun', 'fee', 'stake_sun'], '0'),
      ...of(['operator', 'is_operator', 'isOperator', 'admin'], 'yes'),
      ...of(['balance', 'balance_sun', 'balanceSun'], '1000000'),
      ...of(['state', 'answer'], 'success'),
      ...of(['paid_by', 'wallet_id', 'email', 'role'], this.login.victim.email),
      ...of(['__proto__', 'constructor', 'prototype', 'toString'], 'x'),
    };
  }

  /** The same in parts: a form has at most 50 fields. */
  extraFieldsOfForms(): Record<string, string>[] {
    const extra = Object.entries(this.extraFields());
    return [extra.slice(0, 15), extra.slice(15, 30), extra.slice(30)].map((some) => Object.fromEntries(some));
  }

  filledForm(): Record<string, string> {
    return { url: this.receiver.url('/y'), form_key: uuid(), ...Object.fromEntries(new URLSearchParams(FILLED)) };
  }
}
