import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { batches } from '../../common/concurrency/batches';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import type { Block } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { BlockReads, MOST_BLOCKS_A_READ } from '../tron/node/block-reads';
import { ChainTransactionRepository } from '../transactions/outbox/chain-transaction.repository';
import { TransactionKinds } from '../transactions/kinds/transaction-kinds';
import type { OutboxRow } from '../transactions/outbox/outbox-row';
import type { HeaderChain } from '../proof/header-chain';
import { ReceiptHeaders } from '../verified-chain/receipts/receipt-headers';
import { UnprovedBlocks } from './unproved/unproved-blocks';
import { BlockBodies } from '../verified-chain/block-bodies';
import { ChainProof } from '../verified-chain/chain-proof';
import { LateOutcomes } from './late-outcomes';
import { OldBlocks } from './old-blocks';
import { SecondLook } from './second-look';
import { TransactionOutcomes } from './transaction-outcomes';
import { UnreadableBlocks } from './unreadable-blocks';

/** Catching up takes several turns, so that inclusions of new orders are seen in between. */
const READS_A_TURN = 10;

/**
 * Looks for open transactions in final blocks, from the oldest reference block on. Only here is a transaction found final (it is in one
 * of the blocks) or dead (it has expired, and is in none of the blocks since its reference block, which were all read after that was known).
 * What lies between the expiration of one and the reference block of the next is not read.
 */
@Injectable()
export class FinalBlocks {
  private readonly logger = new Logger(FinalBlocks.name);
  /** Every block from here up to the one before `next` was looked through. */
  private start = 0;
  private next = 0;
  /** Those of these blocks whose transactions are known by the word of nodes alone. */
  private byWord: readonly number[] = [];
  /** Block time of the last one that was looked at. */
  private reachedMs = 0;
  private chain: HeaderChain | null = null;
  private readonly second = new SecondLook();
  private readonly old: OldBlocks;
  private readonly unreadable: UnreadableBlocks;

  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly kinds: TransactionKinds,
    reads: BlockReads,
    private readonly bodies: BlockBodies,
    private readonly outcomes: TransactionOutcomes,
    private readonly late: LateOutcomes,
    private readonly receipts: ReceiptHeaders,
    private readonly proof: ChainProof,
    private readonly unproved: UnprovedBlocks,
    clock: Clock,
  ) {
    this.old = new OldBlocks(reads, proof, transactions, clock);
    this.unreadable = new UnreadableBlocks(clock, this.logger);
  }

  /**
   * True when everything up to the newest final block was looked through. What a stop leaves is read after the next start.
   * @param isDue whether the next block is to be asked for first
   */
  async advance(chain: HeaderChain, isDue: () => boolean, signal?: AbortSignal): Promise<boolean> {
    // Another one after a pause, or because an operator has accepted another branch: begun anew from the rows.
    if (this.chain !== chain) {
      this.begin(chain.final!.number + 1);
      this.second.forget();
    }
    this.chain = chain;
    await this.receipts.keepLacking(chain, this.proof.judge);
    for (let reads = 0; reads === 0 || (reads < READS_A_TURN && !isDue()); reads++) {
      if (!(await this.aim(chain.final!)) || signal?.aborted) return true;
      if (this.next > chain.final!.number) {
        await this.caughtUp();
        return true;
      }
      const proved = await (this.next < chain.floor ? this.old.read(this.next, chain) : this.ofChain(chain));
      const shown = proved ? null : (chain.at(this.next) ?? this.old.shown);
      const blocks = proved ?? (await this.unprovable(shown, chain));
      if (blocks === null) {
        // Where no node shows the block, it has none of those around it either: we continue with the next reference block.
        this.reachedMs = shown?.number === this.next ? shown.timeMs : Number.MAX_SAFE_INTEGER;
        this.unreadable.setAside(this.next);
        this.begin(this.next + 1);
        continue;
      }
      for (const block of blocks) {
        if (signal?.aborted) return true;
        await this.take(block);
        if (this.next <= block.number) break;
      }
    }
    return false;
  }

  /** Moves to the oldest block that may have something open. False when nothing is. */
  private async aim(final: BlockHeader): Promise<boolean> {
    const floor = this.unreadable.floor();
    const lowest = await this.transactions.findLowestBlock(this.late.ids, floor, this.reachedMs);
    if (lowest === null) {
      this.begin(final.number + 1);
      if (this.late.ids.length === 0) await this.caughtUp();
      return false;
    }
    const from = Math.max(floor, Math.min(lowest, final.number));
    // Before what was read, or so far after it that no open transaction needs the blocks between.
    if (from < this.start || from > this.next) this.begin(from);
    return true;
  }

  private begin(number: number): void {
    this.start = number;
    this.next = number;
    this.byWord = [];
    this.old.forget();
  }

  /** Goes back to an earlier block of those that were looked through, and reads all from there on once more. */
  private goBack(number: number): void {
    this.next = number;
    this.byWord = this.byWord.filter((one) => one < number);
    this.old.forget();
    this.bodies.forget(number, this.chain!.final!.number);
  }

  /** Nothing is open: blocks are left out, and what is open later was looked for in none of them. */
  nothingOpen(): void {
    this.second.forget();
  }

  private async caughtUp(): Promise<void> {
    this.unreadable.allRead();
    if (!this.unreadable.areAny) await this.bodies.allReadable();
  }

  /** The next block as it was accepted without a proof; null when it was not. */
  private async unprovable(shown: BlockHeader | null, chain: HeaderChain): Promise<Block[] | null> {
    if (shown?.number !== this.next) return null;
    const settled = await this.unproved.settle(shown, chain);
    if (!settled) return null;
    this.old.skip(this.next);
    if (settled.acceptedBy === 'nodes') this.byWord = [...this.byWord, this.next];
    return [settled.block];
  }

  /** Some blocks of the verified chain, or null when the first of them cannot be read. */
  private async ofChain(chain: HeaderChain): Promise<Block[] | null> {
    const last = Math.min(chain.final!.number, this.next + MOST_BLOCKS_A_READ - 1);
    const headers = Array.from({ length: last - this.next + 1 }, (_, at) => chain.at(this.next + at)!);
    await this.bodies.read(headers);
    const unread = headers.findIndex((header) => !this.bodies.of(header));
    if (unread === 0) return null;
    const found = unread < 0 ? headers : headers.slice(0, unread);
    return found.map((header) => ({ ...header, ...this.bodies.of(header)! }));
  }

  private async take(block: Block): Promise<void> {
    this.second.found(block.owners);
    const rows = block.owners.size === 0 ? [] : await this.transactions.findOpen(block.owners.keys());
    const proved = (await this.keepHeaders(rows, block)) ? block : { ...block, transactions: null };
    await forEachConcurrently(batches(rows), async (batch) =>
      this.late.add(await this.outcomes.final(batch, proved), proved),
    );
    this.next = block.number + 1;
    this.reachedMs = block.timeMs;
    await this.expireUnincluded(block);
  }

  /** First, so that each order that is final has its receipt. */
  private async keepHeaders(rows: readonly OutboxRow[], block: Block): Promise<boolean> {
    if (block.transactions === null || !rows.some(({ purpose }) => this.kinds.find(purpose)?.isProved)) return false;
    return this.receipts.keep(block, (number) => this.chain!.at(number) ?? this.old.at(number), this.proof.judge);
  }

  /** Every block that could include these transactions was read, up to this one, and none does. */
  private async expireUnincluded({ number, timeMs }: Block): Promise<void> {
    const rows = await this.transactions.findExpired(timeMs, this.start);
    const expired = rows.filter(
      ({ id, block_number: seenIn }) =>
        // Found in a block and only not recorded yet: never dead. Nor while it is in a block above.
        !this.late.has(id) && (seenIn === null || Number(seenIn) <= number),
    );
    const { true: sought = [], false: unsought = [] } = Object.groupBy(expired, (row) => `${this.second.has(row)}`);
    const couldBeThere = (row: OutboxRow) => this.byWord.some((one) => one > Number(row.ref_block_number));
    // By the rows: an operator may have accepted such a block meanwhile, perhaps with more transactions than the nodes listed then.
    const decided = sought.some(couldBeThere) ? await this.unproved.findDecided(this.byWord) : null;
    if (decided !== null) return this.goBack(decided);
    await forEachConcurrently(sought, async (row: OutboxRow) => {
      if (!couldBeThere(row) || (await this.outcomes.agree(row, false, number)))
        this.late.add(await this.outcomes.dead([row]), null);
    });
    if (unsought.length > 0) await this.lookAgain(unsought);
  }

  /** Together with all that have expired by now: of a pause, many of them come one after the other. */
  private async lookAgain(rows: readonly OutboxRow[]): Promise<void> {
    const final = this.chain!.final!;
    if (!this.second.isDue(final.number)) return;
    const from = Math.min(...rows.map(({ ref_block_number: reference }) => Number(reference)));
    const expired = await this.transactions.findExpired(final.timeMs, this.start);
    this.second.begin([...rows, ...expired], from, final.number);
    this.goBack(from);
  }
}
