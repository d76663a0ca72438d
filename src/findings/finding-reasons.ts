/**
 * What each reason speaks of, by its code. Amounts are whole sun; all else stands as the rows or the node have it. Kept as JSON,
 * so that a bigint is a string of digits.
 */
export interface FindingParameters {
  account_held: { readonly held_sun: string; readonly holds_sun: string };
  quota: {
    readonly used_energy: string;
    readonly held_energy: string;
    readonly quota_energy: string;
    readonly holds_used_energy: string;
    readonly holds_held_energy: string;
  };
  charge_missing: { readonly taken_sun: string; readonly charge_sun: string };
  /** `hold`: `none`, `of_another_user`, or the state of the hold that is there. */
  charge_unfounded: { readonly charge_sun: string; readonly delegation_id: string; readonly hold: string };
  ledger_sum: { readonly balance_sun: string; readonly last_entry_sun: string };
  ledger_running_balance: { readonly balance_sun: string; readonly expected_sun: string };
  ledger_sign: { readonly entry_kind: string; readonly amount_sun: string };
  account_missing: Readonly<Record<string, never>>;
  account_negative: { readonly balance_sun: string; readonly held_sun: string };
  hold_state: { readonly state: string; readonly answer: string; readonly hold: string };
  hold_without_order: { readonly hold: string };
  hold_amount: {
    readonly cost_sun: string;
    readonly paid_by: string;
    readonly held_sun: string;
    readonly held_energy: string;
    readonly energy: string;
  };
  stuck_transaction: {
    readonly purpose: string;
    readonly tx_id: string;
    readonly state: string;
    readonly expired_at: string;
  };
  abandoned_order: { readonly since: string };
  unsigned_order: { readonly state: string };
  overdue_reclaim: { readonly state: string; readonly since: string; readonly error: string | null };
  shortage: { readonly shortage_sun: string; readonly stake_sun: string };
  orphan_transaction: { readonly purpose: string; readonly amount_sun: string };
  /** `signed_sun`: what the signed bytes say, which need not be a number. */
  wrong_amount: {
    readonly stake_sun: string;
    readonly purpose: string;
    readonly amount_sun: string;
    readonly signed_sun: string;
  };
  missing_delegation: { readonly state: string; readonly transaction_state: string };
  landed_although_failed: { readonly tx_id: string; readonly block: string };
  stake_not_released: { readonly state: string };
  hold_stuck: { readonly held_sun: string; readonly since: string };
  delegation_missing: { readonly lent_sun: string; readonly least_sun: string; readonly orders: readonly string[] };
  undelegation_foreign: { readonly lent_sun: string; readonly least_sun: string };
  returned_stake_lent: {
    readonly lent_sun: string;
    readonly most_sun: string;
    readonly order: string;
    readonly state: string;
  };
  delegation_double: { readonly lent_sun: string; readonly most_sun: string; readonly order: string };
  delegation_foreign: { readonly lent_sun: string; readonly most_sun: string };
  foreign_stake_locked: {
    readonly lent_sun: string;
    readonly most_sun: string;
    readonly locked_sun: string;
    readonly until: string;
  };
  foreign_stake_past_lock: FindingParameters['foreign_stake_locked'];
  low_stake: { readonly transactions: string };
  low_bandwidth: { readonly bandwidth: string; readonly balance_sun: string; readonly orders_paid: string };
  low_trx: { readonly balance_sun: string; readonly activations: string };
  free_activations: { readonly activations: string };
  wallet_refused: {
    readonly refusals: string;
    readonly until: string;
    readonly purpose: string;
    readonly refused_for: string;
  };
}

export type ReasonCode = keyof FindingParameters;

/** Of any reason. */
export type Parameters = Readonly<Record<string, string | null | readonly string[]>>;

/** Where one kind has several reasons; every other reason is a kind of its own. */
const KIND_OF = {
  hold_without_order: 'hold_state',
  returned_stake_lent: 'stake_not_released',
  foreign_stake_locked: 'delegation_foreign',
  foreign_stake_past_lock: 'delegation_foreign',
} as const;

/** What metrics, alarms and the command line know a finding by. */
export type FindingKind = Exclude<ReasonCode, keyof typeof KIND_OF>;

export function kindOf(code: ReasonCode): FindingKind {
  return isFiner(code) ? KIND_OF[code] : code;
}

function isFiner(code: ReasonCode): code is keyof typeof KIND_OF {
  return Object.hasOwn(KIND_OF, code);
}

/** What was done about a finding without being asked. */
export type ActionCode = 'hold_released' | 'hold_taken' | 'held_corrected' | 'wallet_paused';
