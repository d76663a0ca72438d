import type { FindingParameters, ReasonCode } from '../../src/common/finding-reasons';

export interface OldSentence<Code extends ReasonCode = ReasonCode> {
  readonly kind: string;
  readonly reason: string;
  readonly code: Code;
  readonly parameters: FindingParameters[Code];
}

const of = <Code extends ReasonCode>(
  kind: string,
  reason: string,
  code: Code,
  parameters: FindingParameters[Code],
): OldSentence => ({ kind, reason, code, parameters });

const ORDER = '22222222-0000-7000-8000-000000000002';
const AT = '2026-11-20 10:00:00.5+00';
const TX = 'f'.repeat(64);
const shown = (rest: string) => `the chain shows 5.000000 TRX lent, the orders ${rest}`;
const LEAST = { lent_sun: '5000000', least_sun: '9000000' };
const MOST = { lent_sun: '5000000', most_sun: '2000000' };

/** Every sentence that findings had before they had codes, as it was written then. */
export const OLD_SENTENCES: readonly OldSentence[] = [
  of('account_held', '3.000000 TRX are held, the open holds add up to 0.000004', 'account_held', {
    held_sun: '3000000',
    holds_sun: '4',
  }),
  of('quota', 'energy used 1 and held 2 of 3, its holds say used 4 and held 5', 'quota', {
    used_energy: '1',
    held_energy: '2',
    quota_energy: '3',
    holds_used_energy: '4',
    holds_held_energy: '5',
  }),
  of('charge_missing', '1.500000 TRX were taken, its charge is of 0.000000', 'charge_missing', {
    taken_sun: '1500000',
    charge_sun: '0',
  }),
  of('charge_unfounded', `charges 0.000001 TRX for delegation ${ORDER}, which holds nothing`, 'charge_unfounded', {
    charge_sun: '1',
    delegation_id: ORDER,
    hold: 'none',
  }),
  of('charge_unfounded', `charges 0.000001 TRX for delegation ${ORDER}, which is of another user`, 'charge_unfounded', {
    charge_sun: '1',
    delegation_id: ORDER,
    hold: 'of_another_user',
  }),
  of('charge_unfounded', 'charges 0.000001 TRX for delegation , whose hold is released', 'charge_unfounded', {
    charge_sun: '1',
    delegation_id: '',
    hold: 'released',
  }),
  of('ledger_sum', 'the balance is 9223372036854.775807 TRX, after the last entry it was -0.000007', 'ledger_sum', {
    balance_sun: '9223372036854775807',
    last_entry_sun: '-7',
  }),
  of(
    'ledger_running_balance',
    'its balance is 1.000000 TRX, the one before it and its amount add up to 2.000000',
    'ledger_running_balance',
    { balance_sun: '1000000', expected_sun: '2000000' },
  ),
  of('ledger_sign', 'a credit of -1.000000 TRX', 'ledger_sign', { entry_kind: 'credit', amount_sun: '-1000000' }),
  of('account_missing', 'has no account', 'account_missing', {}),
  of('account_negative', 'balance -1.000000 TRX, held 2.000000', 'account_negative', {
    balance_sun: '-1000000',
    held_sun: '2000000',
  }),
  of('hold_state', 'state reclaimed, answer success, hold missing', 'hold_state', {
    state: 'reclaimed',
    answer: 'success',
    hold: 'missing',
  }),
  of('hold_state', 'no such order, hold held', 'hold_without_order', { hold: 'held' }),
  of(
    'hold_amount',
    'costs 2.000000 TRX, paid by subscription; held were 0.000000 TRX and 65000 energy of 131000',
    'hold_amount',
    { cost_sun: '2000000', paid_by: 'subscription', held_sun: '0', held_energy: '65000', energy: '131000' },
  ),
  of('stuck_transaction', `its reclaim ${TX} is sent although it expired at ${AT}`, 'stuck_transaction', {
    purpose: 'reclaim',
    tx_id: TX,
    state: 'sent',
    expired_at: AT,
  }),
  of('abandoned_order', `is activating since ${AT}`, 'abandoned_order', { since: AT }),
  of('unsigned_order', 'is pending without a delegation transaction', 'unsigned_order', { state: 'pending' }),
  of('overdue_reclaim', `delegated since ${AT}: CODE: it: failed`, 'overdue_reclaim', {
    state: 'delegated',
    since: AT,
    error: 'CODE: it: failed',
  }),
  of('overdue_reclaim', `reclaiming since ${AT}`, 'overdue_reclaim', { state: 'reclaiming', since: AT, error: null }),
  of('shortage', '7.000000 of 9.000000 TRX were no longer there to take back', 'shortage', {
    shortage_sun: '7000000',
    stake_sun: '9000000',
  }),
  of('orphan_transaction', 'a delegation of 1.000000 TRX without an order', 'orphan_transaction', {
    purpose: 'delegation',
    amount_sun: '1000000',
  }),
  of(
    'wrong_amount',
    'has a stake of 2.000000 TRX; its reclaim is of 1.000000, and what was signed is of {}',
    'wrong_amount',
    { stake_sun: '2000000', purpose: 'reclaim', amount_sun: '1000000', signed_sun: '{}' },
  ),
  of('missing_delegation', 'is delegated, its delegation is only sent', 'missing_delegation', {
    state: 'delegated',
    transaction_state: 'sent',
  }),
  of('landed_although_failed', `has failed, but ${TX} is in block 7`, 'landed_although_failed', {
    tx_id: TX,
    block: '7',
  }),
  of('stake_not_released', 'is reclaimed without an undelegation in a block', 'stake_not_released', {
    state: 'reclaimed',
  }),
  of('hold_stuck', `holds 2.000000 TRX since ${AT}`, 'hold_stuck', { held_sun: '2000000', since: AT }),
  of(
    'delegation_missing',
    shown('say at least 9.000000; not in the block that their rows name: a, b'),
    'delegation_missing',
    { ...LEAST, orders: ['a', 'b'] },
  ),
  of(
    'undelegation_foreign',
    shown('say at least 9.000000; every delegation of them is in its block'),
    'undelegation_foreign',
    LEAST,
  ),
  of(
    'stake_not_released',
    shown(`explain at most 2.000000; the rest is the stake of ${ORDER}, which counts as taken_back`),
    'returned_stake_lent',
    { ...MOST, order: ORDER, state: 'taken_back' },
  ),
  of(
    'delegation_double',
    shown(`explain at most 2.000000; the rest is exactly the stake of ${ORDER} once more`),
    'delegation_double',
    { ...MOST, order: ORDER },
  ),
  of('delegation_foreign', shown('explain at most 2.000000'), 'delegation_foreign', MOST),
  of(
    'delegation_foreign',
    shown('explain at most 2.000000; 1.000000 TRX more are locked until 2026-11-22T10:00:00.000Z'),
    'foreign_stake_locked',
    { ...MOST, locked_sun: '1000000', until: '2026-11-22T10:00:00.000Z' },
  ),
  of(
    'delegation_foreign',
    shown(
      'explain at most 2.000000; 1.000000 TRX more were locked until 2026-11-22T10:00:00.000Z and can be taken back',
    ),
    'foreign_stake_past_lock',
    { ...MOST, locked_sun: '1000000', until: '2026-11-22T10:00:00.000Z' },
  ),
  of('low_stake', 'the active wallets have energy for 1 transaction', 'low_stake', { transactions: '1' }),
  of('low_stake', 'the active wallets have energy for 7 transactions', 'low_stake', { transactions: '7' }),
  of(
    'low_bandwidth',
    '500 bytes of bandwidth and 5.000000 TRX pay for 1 more order beside those under way',
    'low_bandwidth',
    { bandwidth: '500', balance_sun: '5000000', orders_paid: '1' },
  ),
  of('low_trx', '5.000000 TRX pay for 2 more activations', 'low_trx', { balance_sun: '5000000', activations: '2' }),
  of(
    'bandwidth_burned',
    'in a week 824.568000 TRX were burned for bandwidth, as nodes say: 18.8 % of the 4386.000000 TRX that orders brought',
    'bandwidth_burned',
    { burned_sun: '824568000', brought_sun: '4386000000', percent: '18.8' },
  ),
  of(
    'free_activations',
    '10 activations in 24 hours were free, for their orders were answered with a failure',
    'free_activations',
    { activations: '10' },
  ),
  of(
    'wallet_refused',
    'refusals in a row: 3; no new orders until 2026-11-22T10:00:00.000Z; its reclaim was refused for SIGERROR: no key',
    'wallet_refused',
    { refusals: '3', until: '2026-11-22T10:00:00.000Z', purpose: 'reclaim', refused_for: 'SIGERROR: no key' },
  ),
];

/** As it was said before amounts were in TRX. */
export function inSun(sentence: string): string {
  return sentence
    .replaceAll(/(\d+)\.(\d{6})(?!\d)/g, (_, whole: string, places: string) => BigInt(whole + places).toString())
    .replaceAll(' TRX', ' sun');
}
