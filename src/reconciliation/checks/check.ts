import type { Statement } from '../../database/sql';

/** Something that must not be, told to an operator. */
export interface Finding {
  kind: string;
  subject: string;
  reason: string;
  next_step: string;
  /** Of what an operator can acknowledge: no more than this is. */
  amountSun?: bigint;
}

/** The tables that are walked, a batch of keys at a time. */
export type WalkedTable =
  'users' | 'accounts' | 'ledger_entries' | 'subscriptions' | 'holds' | 'delegations' | 'chain_transactions';

/**
 * One rule about the rows. Its statement returns `subject` and `reason` (and `amount_sun` where it can be
 * acknowledged) for each row that breaks it; being one statement
 * it sees one snapshot, so that orders in flight are never half seen.
 */
export interface AuditCheck {
  readonly kind: string;
  /** `$1` of the statement: keys of this table. `open`: no keys, for it looks only at what is open, by an index. */
  readonly of: WalkedTable | 'open';
  readonly statement: Statement;
  readonly nextStep: string;
}
