import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { describeError } from '../../common/errors/describe-error';
import type { EnergyRate } from '../energy';
import type { BlockHeader } from '../node/block-answer';
import { ChainReads } from '../node/chain-reads';
import { PoolWalletRepository } from './pool-wallet.repository';
import { Reservations, type WalletReading } from './reservations';
import { UnreadWallets } from './unread-wallets';
import type { WalletRow } from './wallet-row';

/** An order waits for a new reading when the last one is older than this. */
const USABLE_MS = 10_000;
/** For this long after an order, every solid block is read. */
const DEMAND_MS = 60_000;
const IDLE_REFRESH_MS = 30_000;
const READ_ATTEMPTS = 6;
const ATTEMPTS_TOGETHER = 3;

/** Reads the pool wallets from the chain, all at one solid block, and stores the readings for every instance. */
@Injectable()
export class Capacity {
  private readonly logger = new Logger(Capacity.name);
  private lastRate: { rate: EnergyRate; readAtMs: number } | null = null;
  private lastDemandMs = Number.NEGATIVE_INFINITY;
  private lastReadMs = Number.NEGATIVE_INFINITY;
  private lastBlock = -1;
  /** New wallets that could not be read. Remembered, so that not every order without energy reads the whole pool for them. */
  private readonly unreadable = new Set<string>();
  private reading: Promise<void> | null = null;
  private retrying: Promise<void> | null = null;

  constructor(
    private readonly wallets: PoolWalletRepository,
    private readonly reads: ChainReads,
    private readonly clock: Clock,
    private readonly reservations: Reservations,
    private readonly unread: UnreadWallets,
  ) {}

  /** The energy rate for a new order; null without a wallet. Calls no node while the readings are fresh. @throws NodeUnavailableError */
  async rateForOrder(): Promise<EnergyRate | null> {
    this.lastDemandMs = this.clock.monotonicMs();
    const stale = this.lastDemandMs - this.lastReadMs > USABLE_MS;
    if (stale || !this.lastRate) await this.refresh();
    return this.lastRate?.rate ?? null;
  }

  /** Part of a follower's turn. With recent orders it reads at each new solid block, else every half minute. */
  async keepFresh(solid: BlockHeader): Promise<void> {
    const now = this.clock.monotonicMs();
    const wanted =
      now - this.lastDemandMs < DEMAND_MS ? solid.number !== this.lastBlock : now - this.lastReadMs > IDLE_REFRESH_MS;
    if (wanted) await this.refresh();
  }

  /** Reads every wallet. Concurrent callers share one reading. */
  async refresh(): Promise<void> {
    this.reading ??= this.readAll().finally(() => (this.reading = null));
    return this.reading;
  }

  get rate(): EnergyRate | null {
    return this.lastRate?.rate ?? null;
  }

  /** Called before an order is refused: true when reading new wallets, or counting the reserved stake, may have found its stake. */
  async findMore(stakeSun: bigint): Promise<boolean> {
    const underWay = this.reading;
    // It may have begun before a wallet was added, or be reading the new wallet for another order.
    await underWay?.catch(() => undefined);
    const unread = await this.findUnread();
    if (unread.length === 0) return (await this.reservations.freeUnpromised(stakeSun)) || underWay !== null;
    await this.refresh();
    for (const id of await this.findUnread()) if (unread.includes(id)) this.unreadable.add(id);
    return true;
  }

  private async findUnread(): Promise<string[]> {
    return (await this.wallets.findUnread()).filter((id) => !this.unreadable.has(id));
  }

  private async readAll(): Promise<void> {
    const wallets = await this.wallets.findReadable();
    const known = wallets.filter(({ id }) => !this.unread.has(id));
    const asked = known.length > 0 ? known : wallets;
    const failed = new Map<WalletRow, unknown>();
    let left = asked;
    for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt++) {
      // One solid block for all costs the fewest calls; if blocks come too fast for that, each wallet gets its own.
      for (const group of attempt <= ATTEMPTS_TOGETHER ? [left] : left.map((wallet) => [wallet])) {
        const isOfOneBlock = await this.readAtOneBlock(group, failed);
        left = left.filter((wallet) => !failed.has(wallet) && !(isOfOneBlock && group.includes(wallet)));
      }
      if (left.length > 0) continue;
      // When no wallet could be read, the nodes are at fault.
      if (asked.length > 0 && failed.size === asked.length) throw [...failed.values()][0];
      for (const [wallet, error] of failed) this.unread.failed(wallet, describeError(error));
      this.lastReadMs = this.clock.monotonicMs();
      this.retry(wallets.filter((wallet) => !asked.includes(wallet) && this.unread.mayRetry(wallet.id)));
      return;
    }
    const names = left.map(({ name }) => name).join(', ');
    this.logger.warn(`Wallets were not read, because solid blocks come faster than a reading takes: ${names}`);
  }

  /** Not awaited: the node may run into the time-out for each of them. One run at a time. */
  private retry(wallets: readonly WalletRow[]): void {
    if (wallets.length === 0) return;
    this.retrying ??= this.retryEach(wallets).finally(() => (this.retrying = null));
  }

  private async retryEach(wallets: readonly WalletRow[]): Promise<void> {
    for (const wallet of wallets) {
      const failed = new Map<WalletRow, unknown>();
      await this.readAtOneBlock([wallet], failed).catch((error: unknown) => failed.set(wallet, error));
      if (failed.size > 0) this.unread.failed(wallet, describeError(failed.get(wallet)));
    }
  }

  /** False when another solid block came meanwhile, so that the readings may be of either. Adds wallets that could not be read to `failed`. */
  private async readAtOneBlock(wallets: readonly WalletRow[], failed: Map<WalletRow, unknown>): Promise<boolean> {
    const before = await this.reads.solidHead();
    const readings = new Map<WalletRow, Omit<WalletReading, 'block'>>();
    await Promise.all(
      wallets.map((wallet) =>
        this.read(wallet).then(
          (reading) => readings.set(wallet, reading),
          (error: unknown) => failed.set(wallet, error),
        ),
      ),
    );
    const after = await this.reads.solidHead();
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
