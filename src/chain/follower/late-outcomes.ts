import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { forEachConcurrently } from '../../common/concurrency/for-each-concurrently';
import { Sql } from '../../database/sql';
import type { Block } from '../node/chain-reads';
import type { OutboxRow } from '../outbox/outbox-row';
import { OPEN_WITH_PAYERS } from '../outbox/outbox.statements';
import { RetryQueue } from './retry-queue';
import { TransactionOutcomes, type Unrecorded } from './transaction-outcomes';

type Row = OutboxRow & Record<string, unknown>;

interface Late {
  readonly row: Row;
  /** The solid block that holds it; null when it is proved dead. */
  readonly block: Block | null;
}

interface OpenRow {
  id: bigint;
  block_id: string | null;
  payer: string | null;
}

const NEXT_LOOK_MS = 250;

/**
 * What solid blocks have proved and could not be recorded: somebody had the account or the order locked, or the change failed. Tried
 * again beside the follower's turns, which see blocks for everybody, and whether a node answers or not. After a restart the rows are
 * open still, and the solid chain is read from their reference blocks once more.
 */
@Injectable()
export class LateOutcomes implements OnApplicationShutdown {
  private readonly logger = new Logger(LateOutcomes.name);
  private readonly waiting: RetryQueue<bigint, Late>;
  private readonly stop = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly sql: Sql,
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
    const outcome = block ? 'a final transaction' : 'a death';
    if (error !== null && isFirst)
      this.logger.error({ err: error, txid: row.tx_id }, `${outcome} was not recorded; it is tried again`);
  }

  private async run(): Promise<void> {
    while (!this.waiting.isEmpty && !this.stop.signal.aborted) {
      await this.clock.sleep(NEXT_LOOK_MS, this.stop.signal);
      await this.round().catch((error: unknown) =>
        this.logger.warn({ err: error }, 'Late outcomes wait for the database'),
      );
    }
    this.running = null;
  }

  /** One account's after the other's, a few accounts at a time: where one is locked, its own rows wait and no others. */
  private async round(): Promise<void> {
    const due = new Map(this.waiting.due().map((late) => [late.row.id, late]));
    if (due.size === 0 || this.stop.signal.aborted) return;
    const open = await this.sql.rows<OpenRow & Record<string, unknown>>(OPEN_WITH_PAYERS, [[...due.keys()]]);
    const rows = new Map(open.map((row) => [row.id, row]));
    const ofPayer = new Map<string, Late[]>();
    for (const late of due.values()) {
      const row = rows.get(late.row.id);
      // Recorded by another instance; or seen in another block since it was proved dead, which is judged once more.
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
      // Its account is still locked: so it is for what other blocks hold.
      if (left.length === rows.length && left.every(({ error }) => error === null)) return;
    }
  }
}
