import type { TestingModuleBuilder } from '@nestjs/testing';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TronWeb, utils } from 'tronweb';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import type { TokenLimits } from '../../src/auth/tokens/token-limits';
import { BLOCK_INTERVAL_MS } from '../../src/chain/observer/block-pace';
import { SlotLength } from '../../src/chain/verified-chain/slot-length';
import { Capacity } from '../../src/chain/pool/wallets/capacity';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { OrderLookup, type OrderView } from '../../src/delegation/lookup/order-lookup';
import { ReclaimSweeper, type Sweep } from '../../src/delegation/reclaim/reclaim.sweeper';
import { type LocalChain, startLocalChain } from '../../local-chain/src/local-chain';
import { CheckEverything, type CheckReport } from '../../src/reconciliation/check-everything';
import { type Answer, readAnswer } from './answer';
import { ChainHttp } from './chain-http';
import { insertSubscription, insertUser, type UserRow } from './factories';
import { ServiceChild } from './service-child';
import { createTestApp, type TestApp } from './test-app';
import { createTestDatabase, type TestDatabase } from './test-database';
import { until } from './until';
import type { DatabaseTime } from './virtual-time/database-time';
import { VirtualTime } from './virtual-time/virtual-time';

export type { Answer } from './answer';

const MANUAL_INTERVAL_MS = 200;
/** They pass no turns: no slot is missed between them. */
const MANUAL_SLOT_MS = 60_000;
const DEADLOCK = '40P01';
const ownCalls = new ChainHttp(8);

export interface WorldOptions {
  /** `virtual`: it passes at once while nothing happens, in this process and the database; no instance can be a process then. */
  readonly time?: 'virtual';
  readonly env?: Record<string, string>;
  /** Milliseconds, or `manual`: blocks come from `world.control('block')`. */
  readonly block?: number | 'manual';
  readonly solidLag?: number;
  /** In place of `solidLag`. */
  readonly witnesses?: number;
  /** Whole TRX that the pool has staked for bandwidth; 0: its orders burn TRX. */
  readonly bandwidthStakeTrx?: number;
  /** Where the chain keeps its state. */
  readonly data?: string;
  readonly overrides?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  /** False: the first instance only serves; nothing follows blocks or sweeps until another instance starts. */
  readonly backgroundWork?: boolean;
  /** The node as the instances see it, when something stands in between. */
  readonly nodeUrl?: (chainUrl: string) => Promise<string>;
  /** The database as the instances see it, when something stands in between. */
  readonly databaseUrl?: (url: string) => Promise<string>;
}

export interface Caller {
  readonly id: string;
  readonly token: string;
}

/** With the id of the token. */
export interface TokenCaller extends Caller {
  readonly tokenId: string;
}

/** The real service on a real database with a local chain as its node: only time is short. */
export class OrderWorld {
  private readonly apps: TestApp[] = [];
  private readonly processes: ServiceChild[] = [];
  /** Why what a test waits for never comes. */
  private waitsForBlocks = false;
  private lastRefusal: string | null = null;

  private constructor(
    private readonly options: WorldOptions,
    readonly chain: LocalChain,
    readonly database: TestDatabase,
    private readonly keys: string,
    private readonly nodeUrl: string,
    private readonly databaseUrl: string,
    private readonly time: VirtualTime | null,
    private readonly databaseTime: DatabaseTime | null,
  ) {}

  static async open(options: WorldOptions = {}): Promise<OrderWorld> {
    const time = options.time === 'virtual' ? VirtualTime.begin() : null;
    try {
      return await OrderWorld.openIn(time, options);
    } catch (error) {
      await time?.end();
      throw error;
    }
  }

  private static async openIn(time: VirtualTime | null, options: WorldOptions): Promise<OrderWorld> {
    const {
      block = 100,
      witnesses,
      solidLag = witnesses === undefined ? 4 : undefined,
      data,
      bandwidthStakeTrx,
    } = options;
    const chain = await startLocalChain({
      block,
      solidLag,
      witnesses,
      control: true,
      ...(bandwidthStakeTrx !== undefined && { bandwidthStakeTrx }),
      ...(data !== undefined && { data }),
    });
    const nodeUrl = (await options.nodeUrl?.(chain.url)) ?? chain.url;
    const keys = mkdtempSync(join(tmpdir(), 'keys-'));
    const made = await createTestDatabase();
    const databaseTime = (await time?.join(made.url)) ?? null;
    const database = { ...made, url: databaseTime?.url ?? made.url };
    const databaseUrl = (await options.databaseUrl?.(database.url)) ?? database.url;
    const world = new OrderWorld(options, chain, database, keys, nodeUrl, databaseUrl, time, databaseTime);
    await world.startInstance({}, options.backgroundWork);
    for (const role of ['pool', 'activate'] as const) await world.addWallet(role);
    const isPlain = options.backgroundWork !== false && !options.overrides;
    if (block !== 'manual' && isPlain) await world.untilWalletsRead();
    // Without a block there is nothing to read.
    world.waitsForBlocks = block === 'manual' && isPlain;
    return world;
  }

  /** On a busy machine short blocks come faster than a reading takes, and the first order would be refused, or wait. */
  async untilWalletsRead(): Promise<void> {
    const areRead = async () => {
      await this.tryToReadWallets();
      return (await this.query(`select 1 from pool_wallets where observed_at is null`)).length === 0;
    };
    // A node that a test has made sick from the beginning shows none.
    await until('every wallet read', areRead, 5_000).catch(() => undefined);
  }

  /** A reading that blocks came too fast for does not count: a test that waits for one tries again. */
  async tryToReadWallets(): Promise<void> {
    await this.app.app
      .get(Capacity)
      .refresh()
      .catch(() => undefined);
  }

  private settings(env: Record<string, string>): Record<string, string> {
    return {
      TRON_FULL_NODE_URLS: this.nodeUrl,
      RECLAIM_DELAY: '1h',
      RECLAIM_SWEEP: '500ms',
      RATE_LIMIT_PER_MINUTE: '100000',
      ...this.options.env,
      ...env,
    };
  }

  /** One more instance on the same database and node. */
  async startInstance(env: Record<string, string> = {}, backgroundWork = true): Promise<TestApp> {
    const app = await createTestApp({
      env: this.settings(env),
      databaseUrl: this.databaseUrl,
      backgroundWork,
      overrides: (builder) => {
        // Manual blocks come when a test asks for one, and not every three seconds.
        if (this.options.block === 'manual') {
          builder.overrideProvider(BLOCK_INTERVAL_MS).useValue(MANUAL_INTERVAL_MS);
          builder.overrideProvider(SlotLength).useValue({ ofMs: () => MANUAL_SLOT_MS });
        }
        return this.options.overrides?.(builder) ?? builder;
      },
    });
    this.apps.push(app);
    return app;
  }

  /** One more instance, in a process of its own, so that it can be killed or stopped. */
  async startProcess(env: Record<string, string> = {}): Promise<ServiceChild> {
    if (this.time) throw new Error('a process of its own has a clock of its own');
    const child = new ServiceChild({ ...this.settings(env), DATABASE_URL: this.databaseUrl });
    this.processes.push(child);
    await child.ready();
    return child;
  }

  async stopInstance(app: TestApp): Promise<void> {
    this.apps.splice(this.apps.indexOf(app), 1);
    await app.close();
  }

  get app(): TestApp {
    return this.apps[0]!;
  }

  async close(): Promise<void> {
    try {
      await Promise.all(this.processes.map((child) => child.stop('SIGKILL')));
      await Promise.all(this.apps.splice(0).map((app) => app.close()));
    } finally {
      await this.time?.end();
      await this.databaseTime?.end();
    }
    try {
      await this.database.drop();
    } finally {
      await this.chain.close();
      rmSync(this.keys, { recursive: true });
    }
  }

  /** Puts one of the chain's own accounts into the pool. */
  async addWallet(role: 'pool' | 'activate', name: string = role): Promise<void> {
    const account = this.chain.accounts.find((found) => found.role === role)!;
    await this.addKey(name, account.address, role === 'pool' ? 'delegate' : 'activate', account.private_key);
  }

  async addKey(
    name: string,
    address: string,
    role: 'delegate' | 'activate',
    key: string,
    permissionId = 0,
  ): Promise<void> {
    const file = join(this.keys, name);
    writeFileSync(file, key);
    const wallet = { name, address, role, keySource: `file:${file}`, permissionId };
    await this.app.app.get(PoolWallets).add(wallet);
  }

  keyFile(name: string): string {
    return join(this.keys, name);
  }

  async caller(
    row: UserRow & { subscription?: number; limits?: Partial<TokenLimits> } = { balance: 1000 },
  ): Promise<TokenCaller> {
    const id = await insertUser(this.app.orm, row);
    if (row.subscription) await insertSubscription(this.app.orm, id, row.subscription);
    return this.tokenOf(id, row.limits);
  }

  /** One more token of a user. */
  async tokenOf(userId: string, limits?: Partial<TokenLimits>): Promise<TokenCaller> {
    const { token, row } = await this.app.app
      .get(ApiTokenService)
      .create({ userId, name: 'test', permissions: ['delegate', 'balance'], limits });
    return { id: userId, token, tokenId: row.id };
  }

  /** A fresh address; with `active`, one that exists on chain. */
  async receiver(active = true): Promise<string> {
    const address = utils.accounts.generateAccount().address.base58;
    if (active)
      await this.control('account', { address, type: 'Normal', balance_sun: 1_000_000, staked_energy_sun: 0 });
    return address;
  }

  async delegate(
    caller: Caller,
    body: unknown,
    headers: Record<string, string> = {},
    app: { readonly url: string } = this.app,
  ): Promise<Answer> {
    const response = await fetch(`${app.url}/api/chain/delegate-resource`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) this.lastRefusal = `${response.status} ${response.headers.get('x-error-code')}`;
    return readAnswer('POST', response);
  }

  async get(caller: Caller, path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const authorization = `Bearer ${caller.token}`;
    const response = await fetch(`${this.app.url}${path}`, { headers: { authorization, ...headers } });
    return readAnswer('GET', response);
  }

  async control(route: string, body: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const answer = await this.post(`control/${route}`, body);
    if (route === 'block' && this.waitsForBlocks) {
      this.waitsForBlocks = false;
      await this.untilWalletsRead();
    }
    return answer;
  }

  /** Blocks go on, none becomes final: two witnesses of the four that make them are too few. */
  readonly stopFinality = () => this.control('witnesses', { silent: 2 });
  readonly resumeFinality = () => this.control('witnesses', { silent: 0 });

  /** What the node itself says. */
  async node(route: string, body: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.post(route, body);
  }

  async energyOf(address: string): Promise<number> {
    const resources = await this.node('wallet/getaccountresource', { address: TronWeb.address.toHex(address) });
    return Number(resources['EnergyLimit'] ?? 0);
  }

  show(id: string): Promise<OrderView | null> {
    return this.app.app.get(OrderLookup).find(id);
  }

  /** Until the order is in one of these states; makes blocks when nothing else does. */
  async untilState(id: string, ...states: string[]): Promise<OrderView> {
    return until(`order ${id} in ${states.join(' or ')}`, async () => {
      const view = await this.show(id);
      return view && states.includes(view.state) ? view : null;
    });
  }

  /** It waits for nothing that came before: a try that was under way meanwhile may still have it wait, each time longer. */
  async untilReclaimed(id: string): Promise<OrderView> {
    return until(`order ${id} in reclaimed, tried again at once`, async () => {
      await this.query(`update delegations set next_attempt_at = null where id = $1 returning id`, [id]);
      const view = await this.show(id);
      return view?.state === 'reclaimed' && view;
    });
  }

  async sweepOnce(): Promise<Sweep> {
    return this.app.app.get(ReclaimSweeper).sweep();
  }

  /** Until the node has so many transactions that are in no block yet. */
  async untilPending(count = 1): Promise<string[]> {
    const what = () => `${count} transactions pending (last refused: ${this.lastRefusal ?? 'none'})`;
    return until(what, async () => {
      const state = (await (await fetch(`${this.chain.url}/control/state`)).json()) as { pending: string[] };
      return state.pending.length >= count && state.pending;
    });
  }

  /** Until the query finds a row. */
  async untilRow(text: string, values: unknown[] = [], limitMs?: number): Promise<Record<string, unknown>> {
    return until(text, async () => (await this.query(text, values))[0], limitMs);
  }

  /** A test's own change of many rows can close a circle with a batch of the service's: it gives way and tries again. */
  async query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const statement = { name: `test_${createHash('md5').update(text).digest('hex')}`, text };
    for (;;) {
      try {
        return await this.app.sql.rows(statement, values);
      } catch (error) {
        if ((error as { code?: string }).code !== DEADLOCK) throw error;
      }
    }
  }

  audit(): Promise<CheckReport> {
    return this.app.app.get(CheckEverything).run();
  }

  private async post(path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await ownCalls.post(`${this.chain.url}/${path}`, JSON.stringify(body));
    if (answer.status !== 200 || answer.isCut) throw new Error(`${path}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body) as Record<string, unknown>;
  }
}
