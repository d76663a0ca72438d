import { Injectable } from '@nestjs/common';
import type { Outcome, OutcomeListener } from '../../chain/transactions/kinds/transaction-kind';
import { TransactionKinds } from '../../chain/transactions/kinds/transaction-kinds';
import type { DecidedRow, DroppedRow, OutboxRow } from '../../chain/transactions/outbox/outbox-row';
import type { SqlTransaction } from '../../database/sql';
import { DEAD, DROPPED, FINAL, INCLUDED, LANDED, LOCK_FREE } from './sweep.statements';
import { SWEEP_TRX, SWEEP_USDT } from './transaction-kinds';

const idsOf = (rows: readonly { readonly subject_id: string }[]) => rows.map(({ subject_id: id }) => id);

/** What blocks prove, carried over to sweeps in the transaction that records the proof. */
@Injectable()
export class SettleSweep implements OutcomeListener {
  constructor(kinds: TransactionKinds) {
    kinds.register(this, SWEEP_TRX, SWEEP_USDT);
  }

  async lock(tx: SqlTransaction, _outcome: Outcome, rows: readonly DecidedRow[]): Promise<readonly DecidedRow[]> {
    const free = new Set((await tx.rows(LOCK_FREE, [idsOf(rows)])).map(({ id }) => id));
    return rows.filter(({ subject_id: id }) => free.has(id));
  }

  async included(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    await tx.execute(INCLUDED, [idsOf(rows)]);
  }

  async dropped(tx: SqlTransaction, { subject_id: id }: DroppedRow): Promise<void> {
    await tx.execute(DROPPED, [id]);
  }

  async final(tx: SqlTransaction, rows: readonly OutboxRow[]): Promise<void> {
    for (const { purpose, subject_id: id, block_number: block } of rows)
      await tx.execute(purpose === SWEEP_USDT.name ? LANDED : FINAL, [id, block!]);
  }

  async dead(tx: SqlTransaction, { subject_id: id }: OutboxRow): Promise<void> {
    await tx.execute(DEAD, [id]);
  }
}
