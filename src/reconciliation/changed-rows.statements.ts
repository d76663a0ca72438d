import { statement } from '../database/statement';

type AfterId = [after: bigint, limit: number];

export interface ChangedOrder {
  readonly id: bigint;
  readonly delegation_id: string;
}
export const CHANGED_ORDERS = statement<AfterId, ChangedOrder>(
  'reconcile_changed_orders',
  `select id, delegation_id from delegation_events where id > $1 order by id limit $2`,
);

export interface NewLedgerEntry {
  readonly id: bigint;
  readonly user_id: string;
}
export const NEW_LEDGER_ENTRIES = statement<AfterId, NewLedgerEntry>(
  'reconcile_new_ledger_entries',
  `select id, user_id from ledger_entries where id > $1 order by id limit $2`,
);

export interface PayingRows {
  readonly user_id: string;
  readonly subscription_id: string | null;
  readonly token_day_id: bigint | null;
}
export const PAYING_ROWS = statement<[orderIds: readonly string[]], PayingRows>(
  'reconcile_paying_rows',
  `select distinct user_id, subscription_id, token_day_id from holds where delegation_id = any($1::uuid[])`,
);

export interface OpenSubject {
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly transaction_id: bigint | null;
}
/** What a finding is about is looked at until it is gone, however old it is. */
export const OPEN_SUBJECTS = statement<[], OpenSubject>(
  'reconcile_open_findings',
  `select f.subject_type, f.subject_id, t.id as transaction_id
     from findings f
     left join chain_transactions t on f.subject_type = 'transaction' and t.tx_id = f.subject_id
    where f.resolved_at is null`,
);
