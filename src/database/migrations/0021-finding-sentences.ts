/**
 * What findings said in English until 0021: the code of each sentence, the names of the values in it, and what it says besides.
 * Amounts were in sun before they were in TRX. This is the last time that anything reads these sentences.
 */
type Sentence = readonly [
  code: string,
  names: readonly string[],
  pattern: string,
  also?: Readonly<Record<string, string>>,
];

const AT_LEAST = String.raw`the chain shows (\S+) TRX lent, the orders say at least (\S+)`;
const AT_MOST = String.raw`the chain shows (\S+) TRX lent, the orders explain at most (\S+)`;
const TIME = String.raw`(\S+ [0-9:.+-]+[0-9])`;

const SENTENCES: readonly Sentence[] = [
  ['account_held', ['held_sun', 'holds_sun'], String.raw`(\S+) TRX are held, the open holds add up to (\S+)`],
  [
    'quota',
    ['used_energy', 'held_energy', 'quota_energy', 'holds_used_energy', 'holds_held_energy'],
    String.raw`energy used (\S+) and held (\S+) of (\S+), its holds say used (\S+) and held (\S+)`,
  ],
  ['charge_missing', ['taken_sun', 'charge_sun'], String.raw`(\S+) TRX were taken, its charge is of (\S+)`],
  [
    'charge_unfounded',
    ['charge_sun', 'delegation_id'],
    String.raw`charges (\S+) TRX for delegation (\S*), which holds nothing`,
    { hold: 'none' },
  ],
  [
    'charge_unfounded',
    ['charge_sun', 'delegation_id'],
    String.raw`charges (\S+) TRX for delegation (\S*), which is of another user`,
    { hold: 'of_another_user' },
  ],
  [
    'charge_unfounded',
    ['charge_sun', 'delegation_id', 'hold'],
    String.raw`charges (\S+) TRX for delegation (\S*), whose hold is (\S+)`,
  ],
  [
    'ledger_sum',
    ['balance_sun', 'last_entry_sun'],
    String.raw`the balance is (\S+) TRX, after the last entry it was (\S+)`,
  ],
  [
    'ledger_running_balance',
    ['balance_sun', 'expected_sun'],
    String.raw`its balance is (\S+) TRX, the one before it and its amount add up to (\S+)`,
  ],
  ['ledger_sign', ['entry_kind', 'amount_sun'], String.raw`a (\S+) of (\S+) TRX`],
  ['account_missing', [], 'has no account'],
  ['account_negative', ['balance_sun', 'held_sun'], String.raw`balance (\S+) TRX, held (\S+)`],
  ['hold_state', ['state', 'answer', 'hold'], String.raw`state (\S+), answer (\S+), hold (\S+)`],
  ['hold_without_order', ['hold'], String.raw`no such order, hold (\S+)`],
  [
    'hold_amount',
    ['cost_sun', 'paid_by', 'held_sun', 'held_energy', 'energy'],
    String.raw`costs (\S+) TRX, paid by (\S+); held were (\S+) TRX and (\S+) energy of (\S+)`,
  ],
  [
    'stuck_transaction',
    ['purpose', 'tx_id', 'state', 'expired_at'],
    String.raw`its (\S+) (\S+) is (\S+) although it expired at (.+)`,
  ],
  ['abandoned_order', ['since'], 'is activating since (.+)'],
  ['unsigned_order', ['state'], String.raw`is (\S+) without a delegation transaction`],
  ['overdue_reclaim', ['state', 'since', 'error'], String.raw`(\S+) since ${TIME}(?:: (.*))?`],
  ['shortage', ['shortage_sun', 'stake_sun'], String.raw`(\S+) of (\S+) TRX were no longer there to take back`],
  ['orphan_transaction', ['purpose', 'amount_sun'], String.raw`a (\S+) of (\S+) TRX without an order`],
  [
    'wrong_amount',
    ['stake_sun', 'purpose', 'amount_sun', 'signed_sun'],
    String.raw`has a stake of (\S+) TRX; its (\S+) is of (\S+), and what was signed is of (.*)`,
  ],
  ['missing_delegation', ['state', 'transaction_state'], String.raw`is (\S+), its delegation is only (\S+)`],
  ['landed_although_failed', ['tx_id', 'block'], String.raw`has failed, but (\S+) is in block (\S*)`],
  ['stake_not_released', ['state'], String.raw`is (\S+) without an undelegation in a block`],
  ['hold_stuck', ['held_sun', 'since'], String.raw`holds (\S+) TRX since (.+)`],
  [
    'delegation_missing',
    ['lent_sun', 'least_sun', 'orders'],
    `${AT_LEAST}; not in the block that their rows name: (.+)`,
  ],
  ['undelegation_foreign', ['lent_sun', 'least_sun'], `${AT_LEAST}; every delegation of them is in its block`],
  [
    'returned_stake_lent',
    ['lent_sun', 'most_sun', 'order', 'state'],
    String.raw`${AT_MOST}; the rest is the stake of (\S+), which counts as (\S+)`,
  ],
  [
    'delegation_double',
    ['lent_sun', 'most_sun', 'order'],
    String.raw`${AT_MOST}; the rest is exactly the stake of (\S+) once more`,
  ],
  ['delegation_foreign', ['lent_sun', 'most_sun'], AT_MOST],
  [
    'foreign_stake_locked',
    ['lent_sun', 'most_sun', 'locked_sun', 'until'],
    String.raw`${AT_MOST}; (\S+) TRX more are locked until (\S+)`,
  ],
  [
    'foreign_stake_past_lock',
    ['lent_sun', 'most_sun', 'locked_sun', 'until'],
    String.raw`${AT_MOST}; (\S+) TRX more were locked until (\S+) and can be taken back`,
  ],
  ['low_stake', ['transactions'], String.raw`the active wallets have energy for (\S+) transactions?`],
  [
    'low_bandwidth',
    ['bandwidth', 'balance_sun', 'orders_paid'],
    String.raw`(\S+) bytes of bandwidth and (\S+) TRX pay for (\S+) more orders? beside those under way`,
  ],
  ['low_trx', ['balance_sun', 'activations'], String.raw`(\S+) TRX pay for (\S+) more activations?`],
  [
    'free_activations',
    ['activations'],
    String.raw`(\S+) activations in 24 hours were free, for their orders were answered with a failure`,
  ],
  [
    'wallet_refused',
    ['refusals', 'until', 'purpose', 'refused_for'],
    String.raw`refusals in a row: (\S+); no new orders until (\S+); its (\S+) was refused for (.+)`,
  ],
];

/** Where one kind had several sentences with codes of their own; of the others, code and kind are one. */
const KIND_OF: Readonly<Record<string, string>> = {
  hold_without_order: 'hold_state',
  returned_stake_lent: 'stake_not_released',
  foreign_stake_locked: 'delegation_foreign',
  foreign_stake_past_lock: 'delegation_foreign',
};

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Rows for `values`: kind, code, names, pattern of the whole sentence, and what it says besides. */
export const SENTENCE_ROWS = SENTENCES.map(([code, names, pattern, also = {}]) => {
  const texts = `${quoted(KIND_OF[code] ?? code)}, ${quoted(code)}, array[${names.map(quoted).join(', ')}]::text[]`;
  const whole = `^${pattern.replaceAll(' TRX', ' (?:TRX|sun)')}$`;
  return `(${texts}, ${quoted(whole)}, ${quoted(JSON.stringify(also))}::jsonb)`;
}).join(',\n    ');
