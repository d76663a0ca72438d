import { Injectable } from '@nestjs/common';
import { formatTrx } from '../../common/money/sun';
import { takeableSun } from '../../chain/tron/node/delegated-stake';
import { ChainReads } from '../../chain/tron/node/chain-reads';
import { NodeUnavailableError } from '../../chain/tron/node/node-errors';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { SqlTransaction } from '../../database/sql';
import { OrderHistories } from '../order-histories';
import type { OrderRow } from '../order.entity';
import { ReclaimRepository, type StakeSeen } from './reclaim.repository';
import { type DueOrder, SHORTAGE_READ, STAKE_READ, type StakeBetween } from './reclaim.statements';
import { ShortageProof, type Taking } from './shortage-proof';

/** How much of an order's stake is there, and what that answer was based on. */
export interface VerifiedStake {
  readonly stakeSun: bigint;
  readonly basis: StakeBetween;
  /** The comparison that it was verified for; null without one. */
  readonly comparedBlock: bigint | null;
  /** The undelegations that took what is missing. */
  readonly takenBy: readonly Taking[];
}

/** The order waits: for another order of its pair, for the solid view to show that one's end, or for the same reading in later solid blocks. */
export interface LookAgain {
  /** For the order's history; null when nothing was read, or the solid block is still that of the last reading. */
  readonly seen: StakeSeen | null;
}

/** A node's answer, and the conclusion: what could be taken, less what our other orders have lent, in its solid block. */
interface ShownStake {
  readonly sun: bigint;
  readonly takeableSun: bigint;
  readonly block: number;
  /** The nodes from which this was concluded. */
  readonly urls: readonly string[];
}

interface Reading {
  readonly block: number;
  readonly there_sun: string;
  readonly lent_by_others_sun: string;
  readonly settled_block: string;
}

/** An order that ends short never looks again, and what was taken twice was another's: one node that lags must decide neither. */
const READINGS = 3;
/** Blocks by which a healthy solid view may be behind what is final here. */
const MOST_MISSING = 20n;

/** Each order that is verified waits for it. */
const NOTHING_SEEN: LookAgain = { seen: null };

/** For a wallet and a receiver between whom more was taken back than our orders know of, or may have been. */
@Injectable()
export class DelegatedStakeVerifier {
  constructor(
    private readonly reclaims: ReclaimRepository,
    private readonly histories: OrderHistories,
    private readonly reads: ChainReads,
    private readonly proof: ShortageProof,
  ) {}

  /**
   * What the solid chain shows of this order's stake once our other orders have theirs. To look again while another one is in
   * flight or what was read was not read in enough solid blocks: many orders of one pair take turns, and none backs off for that.
   * Null when it cannot be known: a transaction that never ends, a solid view that stands still, readings that contradict each
   * other. Then the order backs off, and the pair is open for others meanwhile (closed-pairs.ts).
   *
   * An order that is doubted was perhaps taken back by a row that is missing: all of its stake being there has to be read as often, too,
   * in blocks of a time at which that undelegation has landed or expired, and by every node that answers. So it takes no more than
   * what our other orders leave, whatever its own row says.
   */
  async verify(order: DueOrder, wallet: WalletRow): Promise<VerifiedStake | LookAgain | null> {
    const basis = await this.reclaims.readStakeBetween(order);
    if (basis.in_flight > 0n) return basis.is_stuck ? null : NOTHING_SEEN;
    const read = await this.readShown(order, wallet, basis);
    if (read === null || 'seen' in read) return read;
    const { sun: shown, block, urls } = read;
    const comparedBlock = order.compared_block;
    const stakeSun = shown <= 0n ? 0n : shown < order.stake_sun ? shown : order.stake_sun;
    if (comparedBlock === null && stakeSun === order.stake_sun) return { stakeSun, basis, comparedBlock, takenBy: [] };
    const shownBlock = await this.confirm(order, stakeSun, basis, block);
    if (typeof shownBlock !== 'number') return shownBlock;
    // A chain that was exchanged behind a node's URL shows nothing lent: none of these nodes goes unasked before it counts.
    await this.reads.verifySolid(urls);
    if (stakeSun === order.stake_sun) return { stakeSun, basis, comparedBlock, takenBy: [] };
    const proof = await this.proof.find(order, wallet, order.stake_sun - stakeSun, shownBlock);
    if (proof === null) return NOTHING_SEEN;
    if ('unproved' in proof) throw new Error(proof.unproved);
    return { stakeSun, basis, comparedBlock, takenBy: proof.takenBy };
  }

  /** Keeps others from the stake to the end of the transaction. False when anything moved since it was verified. */
  async isUnchanged(tx: SqlTransaction, order: OrderRow, { basis }: VerifiedStake): Promise<boolean> {
    await this.reclaims.lockStakeBetween(tx, order);
    const now = await this.reclaims.readStakeBetween(order, tx);
    return (
      now.in_flight === 0n &&
      now.lent_by_others_sun === basis.lent_by_others_sun &&
      now.settled_block === basis.settled_block
    );
  }

  /**
   * By the node that shows most, for one alone may lie or be damaged: too little would be given up for good, too much is refused by
   * the chain. The first that shows all is enough. Of an order that is doubted too much is another order's, and the chain would give
   * it: then all have to show the same. A node that does not answer has no say in that; one whose solid block is older than ours makes
   * the order wait. Less than the order's stake has to be shown by every node that is configured.
   * @throws NodeUnavailableError when none answers
   */
  private async readShown(
    order: DueOrder,
    wallet: WalletRow,
    basis: StakeBetween,
  ): Promise<ShownStake | LookAgain | null> {
    const above = order.compared_block === null ? null : await this.lastReadBlock(order);
    const ask = (url: string) => this.shownBy(url, order, wallet, basis, above).catch(unavailable);
    const { solidUrls, allSolidUrls } = this.reads;
    const all: ShownStake[] = [];
    const silent = new Map<string, NodeUnavailableError>();
    let held: LookAgain | null | undefined;
    const isAllThere = () => all.length > 0 && all.reduce(largerInOlder).sun >= order.stake_sun;
    for (const url of [...solidUrls, ...allSolidUrls.filter((one) => !solidUrls.includes(one))]) {
      // Those that are behind are asked where less is there alone.
      if (isAllThere() && (order.compared_block === null || !solidUrls.includes(url))) break;
      const shown = await ask(url);
      if (shown instanceof NodeUnavailableError) silent.set(url, shown);
      else if (shown === null || 'seen' in shown) held = held === undefined ? shown : held;
      else all.push(shown);
    }
    if (isAllThere() && order.compared_block === null) return all.at(-1)!;
    if (held !== undefined) return held;
    if (all.length === 0) throw [...silent.values()].at(-1) ?? new NodeUnavailableError('no node is configured');
    const other = all.find(({ sun }) => sun !== all[0]!.sun);
    if (order.compared_block !== null && other) throw new Error(differenceOf(all[0]!, other));
    if (!isAllThere() && silent.size > 0) throw new Error(silenceOf(silent));
    return all.reduce(largerInOlder);
  }

  /** As one node shows it, in a solid block at least as new as what is settled here. Answers as `verify` where there is none. */
  private async shownBy(
    url: string,
    order: DueOrder,
    wallet: WalletRow,
    basis: StakeBetween,
    above: number | null,
  ): Promise<ShownStake | LookAgain | null> {
    const { number: block, timeMs } = await this.reads.solidHead(url);
    // The solid view comes a little after what is final here; if it stands still, the order backs off instead of waiting.
    const missing = basis.settled_block - BigInt(block);
    if (missing > 0n) return missing > MOST_MISSING ? null : NOTHING_SEEN;
    if (order.compared_from !== null && timeMs < order.compared_from.getTime()) return NOTHING_SEEN;
    // Far below it, one of the two blocks is a lie: the order backs off, and its readings begin again.
    if (above !== null && block <= above) return BigInt(above - block) > MOST_MISSING ? null : NOTHING_SEEN;
    const lent = await this.reads.delegatedStake(wallet.address, order.receiver, url);
    // Behind a gateway the reading may come from a node that lags: it counts only between two that do not.
    if ((await this.reads.solidHead(url)).number < block) return null;
    const takeable = takeableSun(lent, timeMs);
    return { sun: takeable - basis.lent_by_others_sun, takeableSun: takeable, block, urls: [url] };
  }

  /** An older block adds no reading: a node with an older one need not say what is lent. */
  private async lastReadBlock({ id }: DueOrder): Promise<number | null> {
    const [last] = await this.histories.last(id, 1);
    return last?.kind === STAKE_READ ? (last.detail as unknown as Reading).block : null;
  }

  /** The block of the reading before, once the same was read in enough solid blocks, one after the other, with nothing else of the order in between. */
  private async confirm(
    { id, compared_block: comparedBlock }: DueOrder,
    stakeSun: bigint,
    basis: StakeBetween,
    block: number,
  ): Promise<LookAgain | number> {
    const reading = {
      block,
      there_sun: stakeSun.toString(),
      lent_by_others_sun: basis.lent_by_others_sun.toString(),
      settled_block: basis.settled_block.toString(),
    };
    const kind = comparedBlock === null ? SHORTAGE_READ : STAKE_READ;
    const events = await this.histories.last(id, READINGS - 1);
    const earlier = events.map((event) => (event.kind === kind ? (event.detail as unknown as Reading) : null));
    const isSame = earlier.map((before) => before !== null && sameReading(before, reading));
    if (isSame[0] && block <= earlier[0]!.block) return NOTHING_SEEN;
    const isConfirmed = events.length === READINGS - 1 && isSame.every(Boolean);
    return isConfirmed ? earlier[0]!.block : { seen: { kind, reading } };
  }
}

/** The larger amount, in the older block: each of the nodes has to go on before a reading is a further one. */
function largerInOlder(one: ShownStake, other: ShownStake): ShownStake {
  const sun = one.sun > other.sun ? one.sun : other.sun;
  const block = Math.min(one.block, other.block);
  return { sun, takeableSun: sun, block, urls: [...one.urls, ...other.urls] };
}

/** In the order's last error, and so in the finding of an overdue reclaim. */
function differenceOf(...shown: readonly ShownStake[]): string {
  const said = shown.map(({ takeableSun: sun, urls }) => `${new URL(urls[0]!).host} ${formatTrx(sun)} TRX`);
  return `the nodes show different amounts of what is lent to its receiver, so one of them is wrong: ${said.join(', ')}`;
}

function silenceOf(silent: ReadonlyMap<string, NodeUnavailableError>): string {
  const said = [...silent].map(([url, { reason }]) => `${new URL(url).host} (${reason})`);
  return `less is there than was lent, as some nodes show it; not given up before every configured node says so: ${said.join(', ')}`;
}

function unavailable(error: unknown): NodeUnavailableError {
  if (error instanceof NodeUnavailableError) return error;
  throw error;
}

function sameReading(one: Reading, other: Reading): boolean {
  return (
    one.there_sun === other.there_sun &&
    one.lent_by_others_sun === other.lent_by_others_sun &&
    one.settled_block === other.settled_block
  );
}
