import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';
import { utcMicroseconds } from '../../database/utc-timestamp';
import type { BlockHeader } from '../proof/block-header';
import type { HeaderChain } from '../proof/header-chain';
import type { RawTransaction } from '../proof/block-transactions';
import type { ShownRaw } from '../tron/node/block-answer';
import { BlockReads, MOST_BLOCKS_A_READ } from '../tron/node/block-reads';
import { withCallPriority } from '../tron/node/call-priority';
import { NodeUnavailableError } from '../tron/node/node-errors';
import { ChainIdentityRepository } from '../tron/node/chain-identity.repository';
import { ChainTransactionRepository } from '../transactions/outbox/chain-transaction.repository';
import { ChainProof } from '../verified-chain/chain-proof';
import { BlockSubscribers, type FinalSubscriber } from './block-subscribers';
import { OldBlocks } from './old-blocks';
import { nextTrail, TRAIL_STEP } from './trail';
import { AcceptedBlockRepository } from './unproved/accepted-block.repository';

const MOST_AT_THE_END_MS = 2_000;

type Known = () => HeaderChain | null;
type Bodies = Map<string, ReadonlyMap<string, RawTransaction>>;

interface Place {
  readonly number: bigint;
  readonly id: string;
}

const PLACE = statement<[subscriber: string], Place>(
  'followed_block',
  `select number, id from followed_blocks where subscriber = $1`,
);
const BEGIN = statement<[subscriber: string, number: number, id: string]>(
  'followed_block_begin',
  `insert into followed_blocks (subscriber, number, id) values ($1, $2, $3) on conflict do nothing`,
);
/** Another instance that gives this block holds the row until it has. */
const LOCK = statement<[subscriber: string], Place & { readonly trail: string[] }>(
  'followed_block_lock',
  `select number, id, trail from followed_blocks where subscriber = $1 for update skip locked`,
);
const MOVE = statement<[subscriber: string, number: number, id: string, trail: string[] | null]>(
  'followed_block_move',
  `update followed_blocks set number = $2, id = $3, trail = coalesce($4, trail), moved_at = clock_timestamp() where subscriber = $1`,
);

/** @param forMs it has not moved for so long */
const STANDS = statement<[subscriber: string, forMs: number], { number: bigint; since: string }>(
  'followed_block_stands',
  `select number, ${utcMicroseconds('moved_at')} as since from followed_blocks
    where subscriber = $1 and moved_at <= clock_timestamp() - $2::integer * interval '1 millisecond'`,
);

/**
 * Gives each subscriber each final block once. Its place is moved in the transaction in which it works on the block, so that a crash
 * neither skips nor repeats one, and of several instances one gives it. Runs while the follower goes on; a subscriber that fails, or a
 * block that no node shows in full, holds up that subscriber alone.
 */
@Injectable()
export class FinalFeed {
  private readonly logger = new Logger(FinalFeed.name);
  private readonly old = new Map<string, OldBlocks>();
  private readonly failing = new Set<string>();
  /** By subscriber. */
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly sql: Sql,
    private readonly subscribers: BlockSubscribers,
    private readonly reads: BlockReads,
    private readonly proof: ChainProof,
    private readonly transactions: ChainTransactionRepository,
    private readonly accepted: AcceptedBlockRepository,
    private readonly identity: ChainIdentityRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns before any is given. Each subscriber goes on by itself: one that has a day of blocks before it delays no other.
   * @param known the chain by which something may be concluded at this moment; null while nothing may be
   */
  begin(known: () => HeaderChain | null, signal: AbortSignal): void {
    if (signal.aborted) return;
    for (const subscriber of this.subscribers.ofFinal) {
      const { name } = subscriber;
      if (this.running.has(name)) continue;
      const run = withCallPriority('wallets', () => this.giveAll(subscriber, known, signal));
      this.running.set(
        name,
        run.finally(() => this.running.delete(name)),
      );
    }
  }

  /** The last final block that this subscriber was given; null: it was given none. */
  async placeOf(subscriber: string): Promise<number | null> {
    const place = await this.sql.row(PLACE, [subscriber]);
    return place && Number(place.number);
  }

  /** The same of a subscriber that was given none for so long; null of any other. */
  async standing(subscriber: string, forMs: number): Promise<{ number: number; since: string } | null> {
    const place = await this.sql.row(STANDS, [subscriber, forMs]);
    return place && { ...place, number: Number(place.number) };
  }

  /** Resolves once what is under way has ended, after two seconds at the latest: a node or a subscriber that hangs must not hold up the end. */
  ended(): Promise<void> {
    return this.clock.waitAtMost(MOST_AT_THE_END_MS, Promise.all(this.running.values()));
  }

  private async giveAll(subscriber: FinalSubscriber, known: Known, signal: AbortSignal): Promise<void> {
    const { name } = subscriber;
    try {
      while (!signal.aborted && (await this.give(subscriber, known, signal)));
      this.failing.delete(name);
    } catch (error) {
      // Once while it lasts.
      if (!this.failing.has(name)) this.logger.error({ err: error }, `${name} was not given the next final block`);
      this.failing.add(name);
    }
  }

  /** The next blocks. False when there is none for now, or another instance gives them. */
  private async give(subscriber: FinalSubscriber, known: Known, signal: AbortSignal): Promise<boolean> {
    const chain = known();
    if (!chain) return false;
    const final = chain.final!;
    const place = await this.sql.row(PLACE, [subscriber.name]);
    if (!place) await this.sql.execute(BEGIN, [subscriber.name, final.number, final.id]);
    const next = Number(place?.number ?? final.number) + 1;
    if (next > final.number) return false;
    const headers = await this.headersFrom(next, subscriber, chain);
    if (headers.length > 0 && headers[0]!.parentId !== place!.id)
      throw new Error(
        `block ${place!.number} (${place!.id}) was given to ${subscriber.name}, and is on no branch any more`,
      );
    for (let at = 0; at < headers.length; at += MOST_BLOCKS_A_READ) {
      const some = headers.slice(at, at + MOST_BLOCKS_A_READ);
      const wanted = subscriber.wantsBodies() ? some.filter(({ id }) => !subscriber.knows?.(id)) : [];
      const bodies = await this.bodiesOf(wanted);
      for (const header of some) {
        // A branch that undoes a final block may have come meanwhile: what was final by the other chain is not given any more.
        if (signal.aborted || known() !== chain) return false;
        const given = wanted.includes(header) ? bodies : null;
        if (!(await this.giveOne(subscriber, header, given, chain))) return false;
      }
    }
    return true;
  }

  private async giveOne(
    subscriber: FinalSubscriber,
    header: BlockHeader,
    bodies: Bodies | null,
    chain: HeaderChain,
  ): Promise<boolean> {
    const found = bodies?.get(header.id);
    const isUnproved = bodies !== null && found === undefined;
    if (isUnproved && !(await this.isAccepted(header)))
      throw new NodeUnavailableError(`no node shows block ${header.number} in full`);
    const transactions = found ?? null;
    return this.sql.transaction(async (tx) => {
      const place = await tx.row(LOCK, [subscriber.name]);
      if (place?.id !== header.parentId || Number(place.number) !== header.number - 1) return false;
      if (!(await this.isGoneBy(chain, tx))) return false;
      const trail = header.number % TRAIL_STEP === 0 ? nextTrail(place.trail, header) : null;
      await tx.execute(MOVE, [subscriber.name, header.number, header.id, trail]);
      await subscriber.onFinal({ ...header, transactions, isUnproved }, tx);
      return true;
    });
  }

  /**
   * An operator may have accepted another branch, which sets places back to where both have the same block: an instance that does not know
   * so far would give the undone blocks once more. One that lags behind the others waits until it has their final block.
   */
  private async isGoneBy(chain: HeaderChain, tx: SqlTransaction): Promise<boolean> {
    const remembered = await this.identity.findFinal(tx);
    return !remembered || (remembered.number <= chain.final!.number && chain.holds(remembered.number, remembered.id));
  }

  /** Final blocks from this height on; from before the verified chain begins, as they prove themselves. */
  private async headersFrom(next: number, { name }: FinalSubscriber, chain: HeaderChain): Promise<BlockHeader[]> {
    if (next >= chain.floor) {
      this.old.delete(name);
      const count = Math.min(MOST_BLOCKS_A_READ, chain.final!.number - next + 1);
      return Array.from({ length: count }, (_, at) => chain.at(next + at)!);
    }
    const old = this.old.get(name) ?? new OldBlocks(this.reads, this.proof, this.transactions, this.clock);
    this.old.set(name, old);
    const blocks = await old.read(next, chain);
    if (blocks) return blocks;
    const { shown } = old;
    // The next turn reads it again: what no node shows at one moment, one may show at the next.
    this.old.delete(name);
    if (shown && (await this.isAccepted(shown))) return [shown];
    throw new NodeUnavailableError(`no node shows block ${next} as the chain has it`);
  }

  /** It was settled by the word of all nodes, or of an operator: its transactions cannot be proved. */
  private async isAccepted({ number, id }: BlockHeader): Promise<boolean> {
    return (await this.accepted.find(number))?.id === id;
  }

  /** By the block's id. */
  private async bodiesOf(headers: readonly BlockHeader[]): Promise<Bodies> {
    const bodies: Bodies = new Map();
    for (const url of this.reads.urls) {
      const missing = headers.filter(({ id }) => !bodies.has(id));
      for (let at = 0; at < missing.length; at += MOST_BLOCKS_A_READ) {
        const some = missing.slice(at, at + MOST_BLOCKS_A_READ);
        const [from, to] = [some[0]!.number, some.at(-1)!.number];
        const shown = await this.reads.raw(url, from, to).catch((): ShownRaw[] => []);
        // With CHAIN_PROOF=nodes a node may list what cannot be encoded: then it is not all of the block.
        for (const { header, body, raw } of shown) if (body?.owners.size === raw.size) bodies.set(header.id, raw);
      }
    }
    return bodies;
  }
}
