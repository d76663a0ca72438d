import { Injectable } from '@nestjs/common';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { MissingError } from '../common/errors/domain.error';
import { type Queryable, Sql } from '../database/sql';
import type { DepositState } from './deposit-states';
import type { DepositView } from './deposit-view';
import { type DepositRow, FIND, LIST, LIST_OF_USER, WAITING, type WaitingDeposits } from './deposit.statements';

export interface DepositCriteria {
  /** Null: of all customers. */
  readonly userId: string | null;
  readonly state?: DepositState | null;
  /** Older than this one. */
  readonly before?: string | null;
  readonly limit?: number;
}

@Injectable()
export class DepositLookup {
  constructor(
    private readonly sql: Sql,
    private readonly blocks: ReferenceBlocks,
  ) {}

  /** Newest first. */
  async list({ userId, state = null, before = null, limit }: DepositCriteria): Promise<DepositView[]> {
    await this.learnHead();
    const rows =
      userId === null
        ? await this.sql.rows(LIST, [state, before, limit ?? null])
        : await this.sql.rows(LIST_OF_USER, [userId, state, before, limit ?? null]);
    return this.viewsOf(rows);
  }

  async find(ids: readonly string[], db: Queryable = this.sql): Promise<DepositView[]> {
    return this.viewsOf(await db.rows(FIND, [ids]));
  }

  /** For an operator, or for a rate. */
  waiting(): Promise<WaitingDeposits> {
    return this.sql.row(WAITING) as Promise<WaitingDeposits>;
  }

  /** In a transaction, confirmations are counted from the head that is known. @throws MissingError */
  async get(id: string, db: Queryable = this.sql): Promise<DepositView> {
    if (db === this.sql) await this.learnHead();
    const [view] = await this.find([id], db);
    if (!view) throw new MissingError('deposit.not-found', { id });
    return view;
  }

  /** A process without a follower knows the head when it has asked. While no node answers, the last one counts, or none. */
  private async learnHead(): Promise<void> {
    await this.blocks.headTimeMs().catch((error: unknown) => {
      if (!(error instanceof NodeUnavailableError)) throw error;
    });
  }

  private viewsOf(rows: readonly DepositRow[]): DepositView[] {
    const head = this.blocks.lastHead()?.number ?? null;
    return rows.map((row) => ({ ...row, confirmations: confirmationsOf(row, head) }));
  }
}

function confirmationsOf({ block_number: block, state }: DepositRow, head: number | null): number {
  if (block === null || head === null || state === 'dropped') return 0;
  return Math.max(0, head - Number(block) + 1);
}
