/**
 * The names of what each reason speaks of, by its code. Amounts are whole sun; all else stands as the rows or the node have it.
 * Kept as JSON, so that a bigint is a string of digits.
 */
const PARAMETERS = {
  account_held: ['held_sun', 'holds_sun'],
  quota: ['used_energy', 'held_energy', 'quota_energy', 'holds_used_energy', 'holds_held_energy'],
  charge_missing: ['taken_sun', 'charge_sun'],
  /** `hold`: `none`, `of_another_user`, or the state of the hold that is there. */
  charge_unfounded: ['charge_sun', 'delegation_id', 'hold'],
  sale_missing: ['price_sun', 'paid_sun'],
  sale_unfounded: ['price_sun', 'subscription_id'],
  deposit_missing: ['credit_sun', 'booked_sun'],
  deposit_unfounded: ['amount_sun', 'reference'],
  token_used: ['token_id', 'day', 'used_sun', 'holds_sun'],
  token_count: ['counted_sun', 'held_sun'],
  ledger_sum: ['balance_sun', 'last_entry_sun'],
  ledger_running_balance: ['balance_sun', 'expected_sun'],
  ledger_sign: ['entry_kind', 'amount_sun'],
  account_missing: [],
  account_negative: ['balance_sun', 'held_sun'],
  hold_state: ['state', 'answer', 'hold'],
  hold_without_order: ['hold'],
  hold_amount: ['cost_sun', 'paid_by', 'held_sun', 'held_energy', 'energy'],
  stuck_transaction: ['purpose', 'tx_id', 'state', 'expired_at'],
  abandoned_order: ['since'],
  unsigned_order: ['state'],
  overdue_reclaim: ['state', 'since', 'error'],
  shortage: ['shortage_sun', 'stake_sun'],
  orphan_transaction: ['purpose', 'amount_sun'],
  /** `signed_sun`: what the signed bytes say, which need not be a number. */
  wrong_amount: ['stake_sun', 'purpose', 'amount_sun', 'signed_sun'],
  missing_delegation: ['state', 'transaction_state'],
  landed_although_failed: ['tx_id', 'block'],
  stake_not_released: ['state'],
  hold_stuck: ['held_sun', 'since'],
  delegation_missing: ['lent_sun', 'least_sun', 'orders'],
  undelegation_foreign: ['lent_sun', 'least_sun'],
  returned_stake_lent: ['lent_sun', 'most_sun', 'order', 'state'],
  delegation_double: ['lent_sun', 'most_sun', 'order'],
  delegation_foreign: ['lent_sun', 'most_sun'],
  foreign_stake_locked: ['lent_sun', 'most_sun', 'locked_sun', 'until'],
  foreign_stake_past_lock: ['lent_sun', 'most_sun', 'locked_sun', 'until'],
  low_stake: ['transactions'],
  low_bandwidth: ['bandwidth', 'balance_sun', 'orders_paid'],
  low_trx: ['balance_sun', 'activations'],
  /** `percent`: of what orders brought, with one digit after the point. */
  bandwidth_burned: ['burned_sun', 'brought_sun', 'percent'],
  free_activations: ['activations'],
  wallet_refused: ['refusals', 'until', 'purpose', 'refused_for'],
  branch_refused: ['final_number', 'final_id', 'head_number', 'head_id'],
  witnesses_disagree: ['differing'],
  witnesses_changed: ['changed', 'active'],
  block_unreadable: ['number', 'id'],
  /** `accepted_by`: `nodes` or `operator`. */
  block_accepted: ['number', 'id', 'accepted_by', 'blocks'],
  wallet_unread: ['unread_for'],
  /** Whole votes. */
  votes_idle: ['idle_votes', 'power', 'since'],
  reward_unclaimed: ['reward_sun', 'since'],
  unfrozen_ready: ['ripe_sun', 'since'],
  /** USDT as a decimal: it is not sun. */
  deposit_unexplained: ['address', 'unexplained_sun', 'unexplained_usdt', 'since'],
  /** `number`: the i of 0/i; `txids` with a comma between two, `-` where none is known. */
  deposit_left_out: ['address', 'number', 'unexplained_sun', 'unexplained_usdt', 'txids', 'since'],
  /** `number`: the last block that was looked through. */
  deposits_behind: ['number', 'blocks', 'since'],
  care_key: ['fault'],
  signer_unavailable: ['fault'],
  /** Addresses, with a comma between two. */
  witness_pays_nothing: ['witnesses'],
  /** What it remembers another one of: `server`, `database` or `directory`. */
  database_restored: ['differs'],
  /** Each setting with its values, and the instances that have them. */
  terms_differ: ['differing'],
  /**
   * A transaction that the outbox does not know, by the bytes of its block. `act`: what it does (account-act.ts); `at`: block time; `receiver` and
   * `amount_sun`: `-` where it names none.
   */
  wallet_used: ['tx_id', 'act', 'at', 'block', 'wallet', 'receiver', 'amount_sun'],
  /** The same of what is without harm: history from the start. */
  wallet_act: ['tx_id', 'act', 'at', 'block', 'wallet', 'receiver', 'amount_sun'],
  /** `changed`: what no block explains, each with its name (view-difference.ts), what was, and what is. */
  wallet_changed: ['changed', 'from_block', 'to_block', 'unread'],
} as const satisfies Record<string, readonly string[]>;

export type ReasonCode = keyof typeof PARAMETERS;

interface NoPlainText {
  readonly orders: readonly string[];
  readonly error: string | null;
}

export type FindingParameters = {
  readonly [Code in ReasonCode]: {
    readonly [Name in (typeof PARAMETERS)[Code][number]]: Name extends keyof NoPlainText ? NoPlainText[Name] : string;
  };
};

/** Parameters of any reason. */
export type Parameters = Readonly<Record<string, string | null | readonly string[]>>;

export function isReasonCode(code: string | null): code is ReasonCode {
  return code !== null && Object.hasOwn(PARAMETERS, code);
}

/** Whether parameters from the database are those of this code. */
export function fitsReason(code: ReasonCode, parameters: Parameters): boolean {
  return PARAMETERS[code].every((name) => {
    const value = parameters[name];
    if (name === 'orders') return Array.isArray(value);
    return typeof value === 'string' || (name === 'error' && value === null);
  });
}

/** Where one kind has several reasons; every other reason is a kind of its own. */
const KIND_OF = {
  hold_without_order: 'hold_state',
  returned_stake_lent: 'stake_not_released',
  foreign_stake_locked: 'delegation_foreign',
  foreign_stake_past_lock: 'delegation_foreign',
  wallet_changed: 'wallet_used',
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
export type ActionCode = 'hold_released' | 'hold_taken' | 'held_corrected' | 'token_used_corrected' | 'wallet_paused';
