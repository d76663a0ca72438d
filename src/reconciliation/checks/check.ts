import type { Statement } from '../../database/sql';

/** The tables that are walked, a batch of keys at a time. */
export type CheckedTable =
  'users' | 'accounts' | 'ledger_entries' | 'subscriptions' | 'holds' | 'delegations' | 'chain_transactions';

/**
 * One rule about the rows. Its statement returns `subject` and `reason` (and `amount_sun` where it can be
 * acknowledged) for each row that breaks it; being one statement
 * it sees one snapshot, so that orders in flight are never half seen.
 */
export interface Check {
  readonly kind: string;
  /** `$1` of the statement: keys of this table. `open`: no keys, for it looks only at what is open, by an index. */
  readonly of: CheckedTable | 'open';
  readonly statement: Statement;
  readonly nextStep: string;
}
