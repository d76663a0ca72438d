import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { forEachConcurrently } from '../../../common/concurrency/for-each-concurrently';
import { describeError } from '../../../common/errors/describe-error';
import type { EnergyRate } from '../../tron/energy';
import { BlockSubscribers } from '../../observer/block-subscribers';
import { LookedThrough } from '../../observer/looked-through';
import { withCallPriority } from '../../tron/node/call-priority';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import { NetworkRate } from './network-rate';
import { PoolWalletRepository } from './pool-wallet.repository';
import { Reservations } from './reservations';
import { UnreadWallets } from './unread-wallets';
import { WalletActivity } from './wallet-activity';
import { WalletReader, WalletUnreadableError } from './wallet-reader';
import type { WalletRow } from './wallet-row';

/** While orders come. */
const RENEWAL_MS = 60_000;
/**
 * Without orders, for the metrics, a part of the wallets each minute, because a gateway counts the calls of each: a few wallets every five
 * minutes, more of them two at a time, and each every quarter of an hour.
 */
const IDLE_PART = { everyMs: 60_000, few: 1 / 5, usual: 2, least: 1 / 15 };
/** A reading that is older is made for an operator who looks. */
const LOOKED_AT_MS = 300_000;
/** An order waits for new readings when the last ones are older than this, but not longer than that. */
const USABLE_MS = 120_000;
const LONGEST_WAIT_MS = 2_000;
/** For what is not known at all yet: a process has just started, or a wallet was just added. */
const LONGEST_FIRST_WAIT_MS = 3_000;
/** A wallet is read again for orders this often at most, however many orders want stake. */
const LOOK_AGAIN_MS = 3_000;

/**
 * When wallets are read from the chain. Each is read by itself: one that cannot be read, or is slow, keeps no other from being read,
 * and no order waits for it more than once.
 */
@Injectable()
export class Capacity implements OnApplicationShutdown {
  private readonly logger = new Logger(Capacity.name);
  private lastDemandMs = Number.NEGATIVE_INFINITY;
  private lastRoundMs = Number.NEGATIVE_INFINITY;
  private lastPartMs = Number.NEGATIVE_INFINITY;
  private lastSolid = -1;
  private round: Promise<void> | null = null;
  private renewal: Promise<void> | null = null;
  /** Begun by an order that found too little. */
  private looking: Promise<void> | null = null;
  /** By wallet. */
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly lookedForMs = new Map<string, number>();
  private stopping = false;

  constructor(
    private readonly wallets: PoolWalletRepository,
    private readonly reader: WalletReader,
    private readonly clock: Clock,
    private readonly reservations: Reservations,
    private readonly unread: UnreadWallets,
    private readonly activity: WalletActivity,
    private readonly network: NetworkRate,
    private readonly lookedThrough: LookedThrough,
    blocks: BlockSubscribers,
  ) {
    blocks.add({ name: 'capacity', wantsBodies: () => false, onTurn: (height) => this.renewDue(height) });
  }

  get rate(): EnergyRate | null {
    return this.network.believed;
  }

  /** No wallet is begun any more; one that a busy node keeps waiting is left. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    const ended = Promise.allSettled([this.round, this.renewal, this.looking, ...this.underWay.values()]);
    await this.clock.waitAtMost(LONGEST_WAIT_MS, ended);
  }

  /** Until then an order that comes now waits, for all that it finds unread taken together. */
  waitEndMs(): number {
    return this.clock.monotonicMs() + LONGEST_FIRST_WAIT_MS;
  }

  /** @throws what `awaited` throws */
  waitUntil(endMs: number, awaited: Promise<unknown>): Promise<void> {
    return this.clock.waitAtMost(Math.max(0, endMs - this.clock.monotonicMs()), awaited);
  }

  /**
   * The energy rate for a new order; null without a wallet. Calls no node while orders come.
   * @param endMs `waitEndMs` of when the order came
   * @throws NodeUnavailableError
   */
  async rateForOrder(endMs: number): Promise<EnergyRate | null> {
    this.lastDemandMs = this.clock.monotonicMs();
    const ageMs = this.lastDemandMs - this.lastRoundMs;
    const { isCompared } = this.network;
    if (ageMs <= RENEWAL_MS && this.rate && isCompared) return this.rate;
    const round = this.roundForOrder();
    if (!this.rate) await this.firstReading(round, endMs);
    else if (ageMs > USABLE_MS || !isCompared)
      await this.waitUntil(Math.min(endMs, this.lastDemandMs + LONGEST_WAIT_MS), round);
    // No caller waits for the round.
    round.catch(() => undefined);
    return this.rate;
  }

  private async roundForOrder(): Promise<void> {
    const isJoined = this.round !== null;
    await this.refresh();
    // It may have begun before the first wallet was added.
    if (isJoined && !this.rate) await this.refresh();
  }

  /** An order that came long ago is not placed any more: its caller may have ordered again. */
  private async firstReading(round: Promise<void>, endMs: number): Promise<void> {
    await this.waitUntil(endMs, round);
    if (!this.rate && this.round) throw new NodeUnavailableError('the wallets are still being read');
  }

  /** With each turn of the follower; what is due is read meanwhile. */
  renewDue(solidBlock: number): void {
    // The follower goes on for a moment after this room has ended.
    if (this.stopping) return;
    const now = this.clock.monotonicMs();
    const isIdle = now - this.lastDemandMs >= RENEWAL_MS && Number.isFinite(this.lastRoundMs);
    if (!isIdle && now - this.lastRoundMs > RENEWAL_MS) void this.refresh().catch(() => undefined);
    const isPartDue = isIdle && this.ageMs(now) > IDLE_PART.everyMs;
    if (this.renewal || (solidBlock === this.lastSolid && !isPartDue)) return;
    this.lastSolid = solidBlock;
    if (isPartDue) this.lastPartMs = now;
    this.renewal = this.renewSome(solidBlock, isPartDue)
      .catch((error: unknown) => this.failed(error))
      .finally(() => (this.renewal = null));
  }

  /** Reads every wallet. Concurrent callers share one reading. @throws NodeUnavailableError when none could be read */
  async refresh(): Promise<void> {
    this.round ??= this.readAll().finally(() => (this.round = null));
    return this.round;
  }

  /** For those who look at what can be known: as `refresh`, unless that was done lately. Never throws. */
  async refreshOld(): Promise<void> {
    if (this.ageMs(this.clock.monotonicMs()) > LOOKED_AT_MS) await this.refresh().catch(() => undefined);
  }

  /** Since the last reading of all wallets, or of a part. */
  private ageMs(now: number): number {
    return now - Math.max(this.lastRoundMs, this.lastPartMs);
  }

  /**
   * Called before an order is refused, which looks once more afterwards: reads the wallets, and counts the reserved stake, that may have
   * what it wants. What takes longer than an order may wait is there for the next one.
   * @param endMs `waitEndMs` of when the order came
   */
  async findMore(stakeSun: bigint, endMs: number): Promise<void> {
    await this.waitUntil(endMs, Promise.all([this.countReserved(stakeSun), this.readForOrder()]));
  }

  /** Orders that the chain shows as lent are taken off twice until they are settled, which a process that was away has still to do. */
  private async countReserved(stakeSun: bigint): Promise<void> {
    await this.reservations.freeUnpromised(stakeSun);
    if (await this.lookedThrough.waitForFinal()) await this.reservations.freeUnpromised(stakeSun);
  }

  private async readForOrder(): Promise<void> {
    // These may be reading just that wallet, for another order.
    const underWay = [this.round, this.renewal];
    // This one may have begun before a wallet was added, or stake came back.
    await this.looking?.catch(() => undefined);
    this.looking ??= this.readOutdated().finally(() => (this.looking = null));
    await Promise.allSettled([...underWay, this.looking]);
  }

  private async readOutdated(): Promise<void> {
    const wanted = new Set([...(await this.newWallets()), ...(await this.outdated())]);
    if (wanted.size > 0) await this.readEach((await this.readable()).filter(({ id }) => wanted.has(id)));
  }

  /** Never read, and not tried in vain just now. */
  private async newWallets(): Promise<string[]> {
    return (await this.wallets.findUnread()).filter((id) => this.unread.mayRetry(id));
  }

  /** A new reading may show more, and none was made just now. */
  private async outdated(): Promise<string[]> {
    const now = this.clock.monotonicMs();
    const found = await this.wallets.findOutdated();
    const due = found.filter((id) => now - (this.lookedForMs.get(id) ?? Number.NEGATIVE_INFINITY) >= LOOK_AGAIN_MS);
    for (const id of due) this.lookedForMs.set(id, now);
    return due;
  }

  private async readAll(): Promise<void> {
    const begunMs = this.clock.monotonicMs();
    const wallets = await this.readable();
    const known = wallets.filter(({ id }) => !this.unread.has(id));
    const asked = known.length > 0 ? known : wallets;
    // Not awaited: the node may run into the time-out for each of them.
    const retried = this.readEach(
      wallets.filter((wallet) => !asked.includes(wallet) && this.unread.mayRetry(wallet.id)),
    );
    retried.catch(() => undefined);
    // While the readings go on: a node that lies must not be able to put it off.
    const compared = this.network.compare(asked.map(({ address }) => address));
    await this.readEach(asked);
    await compared;
    if (asked.length > 0 && asked.every(({ id }) => this.unread.has(id)))
      throw new NodeUnavailableError('no wallet can be read');
    this.lastRoundMs = begunMs;
  }

  /** Wallets that are new or that somebody else has used: with the next solid block, not with the next round; and the part that is due. */
  private async renewSome(solidBlock: number, isPartDue: boolean): Promise<void> {
    const fresh = new Set(await this.newWallets());
    const wallets = await this.readable();
    const due = isPartDue ? this.oldest(wallets, idlePart(wallets.length)) : [];
    await this.readEach(
      wallets.filter(
        (wallet) => fresh.has(wallet.id) || due.includes(wallet) || this.activity.shownBy(wallet.id, solidBlock),
      ),
    );
  }

  private oldest(wallets: readonly WalletRow[], count: number): WalletRow[] {
    const worthIt = wallets.filter(({ id }) => !this.unread.has(id) || this.unread.mayRetry(id));
    return worthIt.toSorted((a, b) => readMs(a) - readMs(b)).slice(0, count);
  }

  private async readable(): Promise<WalletRow[]> {
    const wallets = await this.wallets.findReadable();
    this.activity.know(wallets);
    return wallets;
  }

  private readEach(wallets: readonly WalletRow[]): Promise<void> {
    return withCallPriority('wallets', () => forEachConcurrently(wallets, (wallet) => this.readOnce(wallet)));
  }

  private readOnce(wallet: WalletRow): Promise<void> {
    const reading = this.underWay.get(wallet.id) ?? this.read(wallet).finally(() => this.underWay.delete(wallet.id));
    this.underWay.set(wallet.id, reading);
    return reading;
  }

  private failed(error: unknown): void {
    if (!this.stopping) this.logger.warn({ err: error }, 'Wallets were not read; the next block tries again');
  }

  private async read(wallet: WalletRow): Promise<void> {
    if (this.stopping) return;
    try {
      const { rate, block } = await this.reader.read(wallet);
      if (rate) this.network.wasRead(rate);
      this.activity.wasRead(wallet.id, block);
      this.unread.wasRead(wallet);
    } catch (error) {
      if (!(error instanceof WalletUnreadableError)) throw error;
      this.unread.failed(wallet, describeError(error));
    }
  }
}

/** How many of the wallets are read in a minute without orders. */
export function idlePart(count: number): number {
  const { few, usual, least } = IDLE_PART;
  return Math.max(Math.min(Math.ceil(count * few), usual), Math.ceil(count * least));
}

function readMs({ observed_at: at }: WalletRow): number {
  return at?.getTime() ?? 0;
}
