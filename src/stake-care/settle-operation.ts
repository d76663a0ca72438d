import { Injectable } from '@nestjs/common';
import type { Outcome, OutcomeListener } from '../chain/transactions/kinds/transaction-kind';
import { TransactionKinds } from '../chain/transactions/kinds/transaction-kinds';
import type { DecidedRow, DroppedRow, OutboxRow } from '../chain/transactions/outbox/outbox-row';
import type { SqlTransaction } from '../database/sql';
import { OperationRepository } from './operation.repository';
import { STAKE_KINDS } from './transaction-kinds';

/**
 * What blocks prove, carried over to operations in the transaction that records the proof. It ends no rest of a wallet: the lending key's
 * transactions are others.
 */
@Injectable()
export class SettleOperation implements OutcomeListener {
  constructor(
    private readonly operations: OperationRepository,
    kinds: TransactionKinds,
  ) {
    kinds.register(this, ...STAKE_KINDS);
  }

  async lock(tx: SqlTransaction, _outcome: Outcome, rows: readonly DecidedRow[]): Promise<readonly DecidedRow[]> {
    const free = await this.operations.lockFree(
      tx,
      rows.map(({ subject_id: id }) => id),
    );
    return rows.filter(({ subject_id: id }) => free.has(id));
  }

  async included(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    await this.operations.included(
      tx,
      rows.map(({ subject_id: id }) => id),
    );
  }

  dropped(tx: SqlTransaction, { subject_id: id }: DroppedRow): Promise<void> {
    return this.operations.dropped(tx, id);
  }

  async final(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    for (const { subject_id: id, block_number: block, block_time_ms: ms } of rows)
      await this.operations.final(tx, id, block!, Number(ms));
  }

  dead(tx: SqlTransaction, { subject_id: id }: OutboxRow): Promise<void> {
    return this.operations.dead(tx, id);
  }
}
