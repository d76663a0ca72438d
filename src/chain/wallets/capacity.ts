import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { describeError } from '../../common/errors/describe-error';
import { Sql } from '../../database/sql';
import type { EnergyRate } from '../energy';
import { ChainReads, type BlockHeader } from '../node/chain-reads';
import { UNREAD, WALLETS } from './pool.statements';
import { Reservations, type WalletReading } from './reservations';
import { UnreadWallets } from './unread-wallets';
import type { WalletRow } from './wallet-row';

/** Orders wait for a new reading when the last one is older than this. */
const USABLE_MS = 10_000;
/** After an order, the readings are kept fresh for this long. */
const DEMAND_MS = 60_000;
const IDLE_REFRESH_MS = 30_000;
const READ_ATTEMPTS = 6;
const ATTEMPTS_TOGETHER = 3;

type Row = WalletRow & Record<string, unknown>;

/** What the chain says of the pool wallets: read for all of them at one solid block, stored for every instance. */
@Injectable()
export class Capacity {
  private readonly logger = new Logger(Capacity.name);
  private lastRate: { rate: EnergyRate; readAtMs: number } | null = null;
  private lastDemandMs = Number.NEGATIVE_INFINITY;
  private lastReadMs = Number.NEGATIVE_INFINITY;
  private lastBlock = -1;
  /** New wallets that an order has looked for in vain: not every short order reads the whole pool for them. */
  private readonly unreadable = new Set<string>();
  private reading: Promise<void> | null = null;
  private retrying: Promise<void> | null = null;

  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
    private readonly clock: Clock,
    private readonly reservations: Reservations,
    private readonly unread: UnreadWallets,
  ) {}

  /** The energy rate for a new order; null without a wallet. No call while the readings are fresh. @throws NodeUnavailableError */
  async rateForOrder(): Promise<EnergyRate | null> {
    this.lastDemandMs = this.clock.monotonicMs();
    const stale = this.lastDemandMs - this.lastReadMs > USABLE_MS;
    if (stale || !this.lastRate) await this.refresh();
    return this.lastRate?.rate ?? null;
  }

  /** One turn of the follower: a new solid block while there is demand, now and then without. */
  async keepFresh(solid: BlockHeader): Promise<void> {
    const now = this.clock.monotonicMs();
    const wanted =
      now - this.lastDemandMs < DEMAND_MS ? solid.number !== this.lastBlock : now - this.lastReadMs > IDLE_REFRESH_MS;
    if (wanted) await this.refresh();
  }

  /** Reads every wallet now. Parallel callers share one reading. */
  async refresh(): Promise<void> {
    this.reading ??= this.readAll().finally(() => (this.reading = null));
    return this.reading;
  }

  get rate(): EnergyRate | null {
    return this.lastRate?.rate ?? null;
  }

  /** Before an order is refused: true when a look at new wallets, or a new count of what is reserved, may have found its stake. */
  async findMore(stakeSun: bigint): Promise<boolean> {
    const underWay = this.reading;
    // It may have begun before a wallet was added, or be reading that very wallet for another order.
    await underWay?.catch(() => undefined);
    const unread = await this.findUnread();
    if (unread.length === 0) return (await this.reservations.freeUnpromised(stakeSun)) || underWay !== null;
    await this.refresh();
    for (const id of await this.findUnread()) if (unread.includes(id)) this.unreadable.add(id);
    return true;
  }

  private async findUnread(): Promise<string[]> {
    const rows = await this.sql.rows<{ id: string }>(UNREAD);
    return rows.map(({ id }) => id).filter((id) => !this.unreadable.has(id));
  }

  private async readAll(): Promise<void> {
    const wallets = await this.sql.rows<Row>(WALLETS);
    const known = wallets.filter(({ id }) => !this.unread.has(id));
    const asked = known.length > 0 ? known : wallets;
    const failed = new Map<Row, unknown>();
    let left = asked;
    for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt++) {
      // All of them at one solid block cost the fewest calls; where blocks come too fast for that, each at its own.
      for (const group of attempt <= ATTEMPTS_TOGETHER ? [left] : left.map((wallet) => [wallet])) {
        const isOfOneBlock = await this.readAtOneBlock(group, failed);
        left = left.filter((wallet) => !failed.has(wallet) && !(isOfOneBlock && group.includes(wallet)));
      }
      if (left.length > 0) continue;
      // Of none of them: that is the nodes.
      if (asked.length > 0 && failed.size === asked.length) throw [...failed.values()][0];
      for (const [wallet, error] of failed) this.unread.failed(wallet, describeError(error));
      this.lastReadMs = this.clock.monotonicMs();
      this.retry(wallets.filter((wallet) => !asked.includes(wallet) && this.unread.mayRetry(wallet.id)));
      return;
    }
    const names = left.map(({ name }) => name).join(', ');
    this.logger.warn(`Wallets were not read, solid blocks come faster than a reading ends: ${names}`);
  }

  /** Beside everything else: a node may take its whole time to say nothing of them. One run at a time. */
  private retry(wallets: readonly Row[]): void {
    if (wallets.length === 0) return;
    this.retrying ??= this.retryEach(wallets).finally(() => (this.retrying = null));
  }

  private async retryEach(wallets: readonly Row[]): Promise<void> {
    for (const wallet of wallets) {
      const failed = new Map<Row, unknown>();
      await this.readAtOneBlock([wallet], failed).catch((error: unknown) => failed.set(wallet, error));
      if (failed.size > 0) this.unread.failed(wallet, describeError(failed.get(wallet)));
    }
  }

  /** False when another solid block came between: the readings may be of either. Of the wallets that `failed`, nothing is known. */
  private async readAtOneBlock(wallets: readonly Row[], failed: Map<Row, unknown>): Promise<boolean> {
    const before = await this.reads.head('walletsolidity');
    const readings = new Map<Row, Omit<WalletReading, 'block'>>();
    await Promise.all(
      wallets.map((wallet) =>
        this.read(wallet).then(
          (reading) => readings.set(wallet, reading),
          (error: unknown) => failed.set(wallet, error),
        ),
      ),
    );
    const after = await this.reads.head('walletsolidity');
    if (before.id !== after.id) return false;
    for (const [wallet, reading] of readings) {
      await this.reservations.observe({ ...reading, block: before.number });
      this.unread.wasRead(wallet);
    }
    this.lastBlock = before.number;
    return true;
  }

  private async read(wallet: WalletRow): Promise<Omit<WalletReading, 'block'>> {
    const [delegableSun, balances, resources] = await Promise.all([
      wallet.role === 'delegate' ? this.reads.delegableSun(wallet.address) : 0n,
      this.reads.balances(wallet.address),
      this.reads.resources(wallet.address),
    ]);
    if (resources) this.lastRate = { rate: resources.rate, readAtMs: this.clock.monotonicMs() };
    const { bandwidth, freeBandwidth } = resources ?? { bandwidth: 0n, freeBandwidth: 0n };
    return { walletId: wallet.id, delegableSun, ...balances, bandwidth, freeBandwidth };
  }
}
