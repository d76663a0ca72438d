import { type FindingMessages, trx } from '../../finding-messages';

const CORRECT_HELD = 'Stop the service, then set the held amount to the sum of the open holds in one transaction.';
const STOP =
  'Stop orders of this user (user:disable), compare the ledger with a backup, then correct the balance by a credit or a debit.';
const LOOK = 'Compare the order (delegation:show) with the chain. The answer that the user got decides the charge.';

function whatIsHeld(hold: string): string {
  if (hold === 'none') return 'which holds nothing';
  return hold === 'of_another_user' ? 'which belongs to another user' : `whose hold is ${hold}`;
}

/** What money, quota and holds should not be. */
export const MONEY_REASONS = {
  account_held: {
    reason: ({ held_sun: held, holds_sun: holds }) =>
      `${trx(held)} TRX are held, but the open holds add up to ${trx(holds)}`,
    nextStep: CORRECT_HELD,
  },
  quota: {
    reason: (of) =>
      `${of.used_energy} used and ${of.held_energy} held of ${of.quota_energy} energy, but the holds add up to ${of.holds_used_energy} used and ${of.holds_held_energy} held`,
    nextStep: CORRECT_HELD,
  },
  charge_missing: {
    reason: ({ taken_sun: taken, charge_sun: charge }) =>
      `${trx(taken)} TRX were taken, but its charge is ${trx(charge)}`,
    nextStep:
      'Compare the order with the chain (delegation:show): a delegation that landed must have been charged once.',
  },
  charge_unfounded: {
    reason: ({ charge_sun: charge, delegation_id: id, hold }) =>
      `charges ${trx(charge)} TRX for delegation ${id}, ${whatIsHeld(hold)}`,
    nextStep: 'Give the money back: run balance:credit with the delegation as its note.',
  },
  sale_missing: {
    reason: ({ price_sun: price, paid_sun: paid }) =>
      `sold for ${trx(price)} TRX, but the ledger has ${trx(paid)} for it`,
    nextStep:
      'Compare the ledger with a backup (ledger:list), then correct the balance (balance:credit or balance:debit).',
  },
  sale_unfounded: {
    reason: ({ price_sun: price, subscription_id: id }) =>
      `takes ${trx(price)} TRX for subscription ${id}, which was not sold to this user at that price`,
    nextStep: 'Give the money back: run balance:credit with the subscription as its note.',
  },
  deposit_missing: {
    reason: ({ credit_sun: credit, booked_sun: booked }) =>
      `is credited with ${trx(credit)} TRX, but the ledger has ${trx(booked)} for it`,
    nextStep:
      'Compare the ledger with a backup (ledger:list), then correct the balance (balance:credit or balance:debit).',
  },
  deposit_unfounded: {
    reason: ({ amount_sun: amount, reference }) =>
      `credits ${trx(amount)} TRX for ${reference}, but no deposit of this user was credited with that amount`,
    nextStep:
      'Look for the transaction in a block explorer. If it did not pay the user, take the money back with balance:debit.',
  },
  token_used: {
    reason: ({ token_id: token, day, used_sun: used, holds_sun: holds }) =>
      `token ${token} has used ${trx(used)} TRX on ${day}, but the holds of its orders add up to ${trx(holds)}`,
    nextStep:
      'Run reconcile, which sets the use to the sum of the holds. That changes what is left of the daily limit, but moves no money.',
  },
  token_count: {
    reason: ({ counted_sun: counted, held_sun: held }) =>
      `counts ${trx(counted)} TRX toward the daily limit of its token and holds ${trx(held)}: the amount is wrong, or the token is not its user's`,
    nextStep: LOOK,
  },
  ledger_sum: {
    reason: ({ balance_sun: balance, last_entry_sun: last }) =>
      `the balance is ${trx(balance)} TRX, but after the last entry it was ${trx(last)}`,
    nextStep: STOP,
  },
  ledger_running_balance: {
    reason: ({ balance_sun: balance, expected_sun: expected }) =>
      `its balance is ${trx(balance)} TRX, but the balance before it and its amount add up to ${trx(expected)}`,
    nextStep: STOP,
  },
  ledger_sign: {
    reason: ({ entry_kind: kind, amount_sun: amount }) => `a ${kind} cannot be ${trx(amount)} TRX: the sign is wrong`,
    nextStep: STOP,
  },
  account_missing: {
    reason: () => 'this user has no account',
    nextStep: 'Insert the account row. Until then the user can neither order nor read a balance.',
  },
  account_negative: {
    reason: ({ balance_sun: balance, held_sun: held }) =>
      `the balance is ${trx(balance)} TRX, and ${trx(held)} are held`,
    nextStep: STOP,
  },
  hold_state: {
    reason: ({ state, answer, hold }) =>
      `the order has the state ${state} and the answer ${answer}, but its hold is ${hold}`,
    nextStep: LOOK,
  },
  hold_without_order: { reason: ({ hold }) => `the order does not exist, but its hold is ${hold}`, nextStep: LOOK },
  hold_amount: {
    reason: ({ cost_sun: cost, paid_by: payer, held_sun: held, held_energy: heldEnergy, energy }) =>
      `costs ${trx(cost)} TRX and ${energy} energy, paid by ${payer}, but ${trx(held)} TRX and ${heldEnergy} energy were held`,
    nextStep: LOOK,
  },
} satisfies Partial<FindingMessages['reasons']>;
