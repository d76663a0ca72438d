import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import type { Block } from '../tron/node/block-answer';
import { ChainTransactionRepository } from '../transactions/outbox/chain-transaction.repository';
import type { OutboxRow } from '../transactions/outbox/outbox-row';
import { RetryQueue } from './retry-queue';
import { TransactionOutcomes, type Unrecorded } from './transaction-outcomes';

interface Late {
  readonly row: OutboxRow;
  /** The final block that includes it; null when it is proved dead. */
  readonly block: Block | null;
}

const ROUND_MS = 250;

/**
 * Outcomes that final blocks proved and that could not be recorded: the account or the order was locked, or the change failed.
 * Retried while the follower goes on, which must not wait for one account, and whether a node answers or not. After a restart the
 * rows are still open, and blocks are read again from their reference blocks.
 */
@Injectable()
export class LateOutcomes implements OnApplicationShutdown {
  private readonly logger = new Logger(LateOutcomes.name);
  private readonly waiting: RetryQueue<bigint, Late>;
  private readonly stop = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly outcomes: TransactionOutcomes,
    private readonly clock: Clock,
  ) {
    this.waiting = new RetryQueue(clock);
  }

  get ids(): bigint[] {
    return this.waiting.keys;
  }

  has(id: bigint): boolean {
    return this.waiting.has(id);
  }

  add(unrecorded: readonly Unrecorded[], block: Block | null): void {
    for (const { row, error } of unrecorded) this.keep({ row, block }, error);
    if (unrecorded.length > 0) this.running ??= this.run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.running;
  }

  private keep(late: Late, error: unknown): void {
    const { row, block } = late;
    const isFirst = this.waiting.failed(row.id, late, error === null ? 'locked' : 'failed');
    const outcome = block ? 'final' : 'dead';
    if (error !== null && isFirst)
      this.logger.error(
        { err: error, txid: row.tx_id },
        `A ${outcome} transaction was not recorded; it is tried again`,
      );
  }

  private async run(): Promise<void> {
    while (!this.waiting.isEmpty && !this.stop.signal.aborted) {
      await this.clock.sleep(ROUND_MS, this.stop.signal);
      await this.round().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'Outcomes wait to be recorded until the database is back'),
      );
    }
    this.running = null;
  }

  /** A few accounts at a time, each account's rows in turn: a locked account delays its own rows and no others. */
  private async round(): Promise<void> {
    const due = new Map(this.waiting.due().map((late) => [late.row.id, late]));
    if (due.size === 0 || this.stop.signal.aborted) return;
    const open = await this.transactions.findWithPayers(due.keys());
    const rows = new Map(open.map((row) => [row.id, row]));
    const ofPayer = new Map<string, Late[]>();
    for (const late of due.values()) {
      const row = rows.get(late.row.id);
      // Recorded by another instance; or seen in a block after it was proved dead, so the follower has to decide again.
      if (!row || (late.block === null && row.block_id !== late.row.block_id)) {
        this.waiting.done(late.row.id);
        continue;
      }
      const key = row.payer ?? '';
      ofPayer.set(key, [...(ofPayer.get(key) ?? []), late]);
    }
    await forEachConcurrently([...ofPayer], ([payer, lates]) => this.recordOf(payer, lates));
  }

  private async recordOf(payer: string, lates: readonly Late[]): Promise<void> {
    const blocks = new Map(lates.map(({ block }) => [block?.id, block]));
    for (const [id, block] of blocks) {
      if (this.stop.signal.aborted) return;
      const rows = lates.filter((late) => late.block?.id === id).map(({ row }) => row);
      const left = await (block ? this.outcomes.final(rows, block, payer) : this.outcomes.dead(rows, payer));
      for (const row of rows) if (!left.some((unrecorded) => unrecorded.row === row)) this.waiting.done(row.id);
      for (const { row, error } of left) this.keep({ row, block }, error);
      // The account is still locked: it would be for the other blocks too.
      if (left.length === rows.length && left.every(({ error }) => error === null)) return;
    }
  }
}
