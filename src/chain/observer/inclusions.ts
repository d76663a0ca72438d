import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { batches } from '../../common/concurrency/batches';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import type { Block } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { ChainTransactionRepository } from '../transactions/outbox/chain-transaction.repository';
import type { OutboxRow } from '../transactions/outbox/outbox-row';
import type { HeaderChain } from '../proof/header-chain';
import { BlockBodies } from '../verified-chain/block-bodies';
import { BlockSubscribers } from './block-subscribers';
import { FinalityWatch } from '../verified-chain/finality-watch';
import { InclusionWaiters } from './inclusion-waiters';
import { RetryQueue } from './retry-queue';
import { TransactionOutcomes } from './transaction-outcomes';

/** Bounds one turn while finality is held back and hundreds of blocks are not final. */
const MOST_BLOCKS_A_TURN = 60;

/** Records which blocks above the final one have our transactions, and takes that back when a longer branch drops a block. */
@Injectable()
export class Inclusions {
  private readonly logger = new Logger(Inclusions.name);
  /** Ids of the blocks whose inclusions were recorded, or are in a retry queue. */
  private readonly taken = new Map<string, number>();
  /** What the rows say was compared with this chain as it was then, and with its blocks up to this final one. */
  private compared: { chain: HeaderChain; replaced: number } | null = null;
  private comparedFinal = -1;
  /** Their block was dropped, and that could not be recorded yet. */
  private readonly undropped: RetryQueue<bigint, OutboxRow>;
  /** Included in a block of the chain, and that could not be recorded yet. */
  private readonly unincluded: RetryQueue<bigint, { row: OutboxRow; block: Block }>;

  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly bodies: BlockBodies,
    private readonly outcomes: TransactionOutcomes,
    private readonly waiters: InclusionWaiters,
    private readonly subscribers: BlockSubscribers,
    private readonly finality: FinalityWatch,
    clock: Clock,
  ) {
    this.undropped = new RetryQueue(clock);
    this.unincluded = new RetryQueue(clock);
  }

  /** Something has to be tried again before the next block comes. */
  get hasRetries(): boolean {
    return !this.undropped.isEmpty || !this.unincluded.isEmpty;
  }

  /** Nothing is open any more: another instance has recorded what could not be recorded here. */
  forgetRetries(): void {
    this.undropped.clear();
    this.unincluded.clear();
  }

  /** True when every block up to the head was looked through. */
  async advance(chain: HeaderChain): Promise<boolean> {
    await this.compare(chain);
    await forEachConcurrently(this.undropped.due(), (row) => this.dropRow(row));
    await forEachConcurrently(this.unincluded.due(), (late) => this.retryInclusion(late, chain));
    for (const [id, number] of this.taken) if (!chain.holds(number, id)) this.taken.delete(id);
    const all = [...chain.newestFirst()]
      .filter(({ number, id }) => number > chain.final!.number && !this.taken.has(id))
      .toReversed();
    const headers = all.slice(0, MOST_BLOCKS_A_TURN);
    // Transactions in blocks that are known already wait for no other block.
    await this.takeKnown(headers);
    const complete = await this.bodies.read(headers);
    await this.takeKnown(headers);
    return complete && headers.length === all.length;
  }

  private async takeKnown(headers: readonly BlockHeader[]): Promise<void> {
    for (const header of headers) {
      const body = this.taken.has(header.id) ? undefined : this.bodies.of(header);
      if (!body) continue;
      this.bodies.keepOnly(header, await this.take({ ...header, ...body }));
      this.taken.set(header.id, header.number);
    }
  }

  /**
   * Takes back inclusions in blocks that are not of this chain: a longer branch has dropped them, seen by this process or not. Again at
   * the next turn while the rows name blocks above the head: another instance has seen them first, or they were dropped. And with each new
   * final block: on a line that was lost, an instance's inclusion in a dropped block may be committed long after everyone compared.
   */
  private async compare(chain: HeaderChain): Promise<void> {
    const { replaced } = chain;
    const final = chain.final!.number;
    const isCompared = this.compared?.chain === chain && this.compared.replaced === replaced;
    if (isCompared && this.comparedFinal === final) return;
    const included = await this.transactions.includedBlocks();
    // Not earlier: a look of another caller may have moved the chain on, and a block that is final below its floor was not dropped.
    const { floor, head } = chain;
    // Another instance may follow another branch, as long as neither is final.
    const highest = isCompared ? final : head.number;
    const gone = included.filter(({ number, id }) => number >= floor && number <= highest && !chain.holds(number, id));
    if (gone.length > 0) this.logger.warn(`A longer branch dropped ${gone.length} blocks with transactions of ours`);
    await this.dropBlocks(gone.map(({ id }) => id));
    this.comparedFinal = final;
    if (included.every(({ number }) => number <= head.number)) this.compared = { chain, replaced };
  }

  /** Gives those of its transactions that are ours. */
  private async take(block: Block): Promise<string[]> {
    const isEmpty = block.owners.size === 0;
    // One that was not read looks like an empty one, but for its proof.
    if (isEmpty && block.transactions === null) return [];
    await this.subscribers.showHead(block);
    if (isEmpty) return [];
    const rows = await this.transactions.findOpen(block.owners.keys());
    await forEachConcurrently(batches(rows), async (batch) => {
      await this.include(batch, block);
      // Waiters come second: the answer they commit builds on the recorded state. If the order was locked, the answer comes first.
      // None is given for a block that may never be final: later, once it may be (`answerRecorded`).
      if (this.finality.doubt !== null) return;
      for (const row of batch) this.waiters.seen(row.tx_id, block);
    });
    return rows.map(({ tx_id: txId }) => txId);
  }

  private async include(rows: readonly OutboxRow[], block: Block): Promise<void> {
    const left = await this.outcomes.included(rows, block);
    for (const row of rows) {
      if (left.some((unrecorded) => unrecorded.row === row)) continue;
      this.unincluded.done(row.id);
      // Not earlier: until now the row names the dropped block, and this one may be dropped as well.
      this.undropped.done(row.id);
    }
    for (const { row, error } of left) {
      const isFirst = this.unincluded.failed(row.id, { row, block }, error === null ? 'locked' : 'failed');
      if (error !== null && isFirst)
        this.logger.error({ err: error, txid: row.tx_id }, 'An inclusion was not recorded; it is tried again');
    }
  }

  /** Gives up when the block has been dropped since. */
  private async retryInclusion({ row, block }: { row: OutboxRow; block: Block }, chain: HeaderChain): Promise<void> {
    if (chain.holds(block.number, block.id)) await this.include([row], block);
    else this.unincluded.done(row.id);
  }

  private async dropBlocks(blockIds: readonly string[]): Promise<void> {
    if (blockIds.length === 0) return;
    const rows = await this.transactions.findIncludedIn(blockIds);
    await forEachConcurrently(rows, (row) => this.dropRow(row));
  }

  /** A row that cannot be recorded delays no other. The update depends on the block, so it may be retried at any time. */
  private async dropRow(row: OutboxRow): Promise<void> {
    const [left] = await this.outcomes.dropped(row);
    if (!left) return this.undropped.done(row.id);
    const isFirst = this.undropped.failed(row.id, row, left.error === null ? 'locked' : 'failed');
    if (left.error !== null && isFirst)
      this.logger.error(
        { err: left.error, txid: row.tx_id },
        'A dropped inclusion was not recorded; it is tried again',
      );
  }
}
