import { type FindingMessages, trx } from '../../finding-messages';
import { termInChinese as term } from './terms';

const CORRECT_HELD = '请停止服务，在一个事务中将冻结金额改为未结冻结的合计。';
const STOP = '请停用该用户（user:disable），将账目与备份核对，然后通过入账或扣减更正。';
const LOOK = '请查看订单（delegation:show）和链上数据。应收多少，取决于当时给用户的应答。';

function whatIsHeld(hold: string): string {
  if (hold === 'none') return '但该订单没有冻结';
  return hold === 'of_another_user' ? '但该订单属于其他用户' : `但其冻结状态为 ${term(hold)}`;
}

/** What money, quota and holds should not be. */
export const MONEY_REASONS = {
  account_held: {
    reason: ({ held_sun: held, holds_sun: holds }) => `已冻结 ${trx(held)} TRX，而未结冻结合计 ${trx(holds)} TRX`,
    nextStep: CORRECT_HELD,
  },
  quota: {
    reason: (of) =>
      `额度 ${of.quota_energy} 能量中已用 ${of.used_energy}、冻结 ${of.held_energy}，而冻结记录合计为已用 ${of.holds_used_energy}、冻结 ${of.holds_held_energy}`,
    nextStep: CORRECT_HELD,
  },
  charge_missing: {
    reason: ({ taken_sun: taken, charge_sun: charge }) => `应扣费 ${trx(taken)} TRX，账目中的扣费为 ${trx(charge)} TRX`,
    nextStep: '请将订单与链上数据核对（delegation:show）：已上链的委托应扣费一次，且只扣一次。',
  },
  charge_unfounded: {
    reason: ({ charge_sun: charge, delegation_id: id, hold }) =>
      `为订单 ${id} 扣费 ${trx(charge)} TRX，${whatIsHeld(hold)}`,
    nextStep: '请用 balance:credit 退款，并在备注中写明订单。',
  },
  sale_missing: {
    reason: ({ price_sun: price, paid_sun: paid }) => `售价 ${trx(price)} TRX，账目中为 ${trx(paid)} TRX`,
    nextStep: '请将账目（ledger:list）与备份核对，再用 balance:credit 或 balance:debit 更正余额。',
  },
  sale_unfounded: {
    reason: ({ price_sun: price, subscription_id: id }) =>
      `为套餐 ${id} 扣除 ${trx(price)} TRX，但该套餐并非以此价格售予此用户`,
    nextStep: '请用 balance:credit 退款，并在备注中写明套餐。',
  },
  deposit_missing: {
    reason: ({ credit_sun: credit, booked_sun: booked }) => `已入账 ${trx(credit)} TRX，账目中为 ${trx(booked)}`,
    nextStep: '请将账目（ledger:list）与备份核对，再用 balance:credit 或 balance:debit 更正余额。',
  },
  deposit_unfounded: {
    reason: ({ amount_sun: amount, reference }) =>
      `为 ${reference} 入账 ${trx(amount)} TRX，此用户没有以此金额入账的充值`,
    nextStep: '请在区块浏览器中查找该交易。如果它并未付给此用户，请用 balance:debit 扣回。',
  },
  token_used: {
    reason: ({ token_id: token, day, used_sun: used, holds_sun: holds }) =>
      `令牌 ${token} 在 ${day} 已用 ${trx(used)} TRX，而其订单的冻结记录合计 ${trx(holds)} TRX`,
    nextStep: 'reconcile 会将其改为冻结记录的合计。它只影响每日限额，不影响资金。',
  },
  token_count: {
    reason: ({ counted_sun: counted, held_sun: held }) =>
      `计入令牌单日用量 ${trx(counted)} TRX，冻结 ${trx(held)} TRX：数额不符，或该日用量不属于此用户的令牌`,
    nextStep: LOOK,
  },
  ledger_sum: {
    reason: ({ balance_sun: balance, last_entry_sun: last }) =>
      `余额为 ${trx(balance)} TRX，最后一条账目之后为 ${trx(last)} TRX`,
    nextStep: STOP,
  },
  ledger_running_balance: {
    reason: ({ balance_sun: balance, expected_sun: expected }) =>
      `变动后余额为 ${trx(balance)} TRX，而前一条余额加本条金额为 ${trx(expected)} TRX`,
    nextStep: STOP,
  },
  ledger_sign: {
    reason: ({ entry_kind: kind, amount_sun: amount }) => `${term(kind)}，金额 ${trx(amount)} TRX`,
    nextStep: STOP,
  },
  account_missing: {
    reason: () => '该用户没有账户',
    nextStep: '请补上账户记录。在此之前，该用户既不能下单，也不能查询余额。',
  },
  account_negative: {
    reason: ({ balance_sun: balance, held_sun: held }) => `余额 ${trx(balance)} TRX，冻结 ${trx(held)} TRX`,
    nextStep: STOP,
  },
  hold_state: {
    reason: ({ state, answer, hold }) => `订单状态 ${term(state)}，应答 ${term(answer)}，冻结 ${term(hold)}`,
    nextStep: LOOK,
  },
  hold_without_order: { reason: ({ hold }) => `没有该订单，冻结状态为 ${term(hold)}`, nextStep: LOOK },
  hold_amount: {
    reason: ({ cost_sun: cost, paid_by: payer, held_sun: held, held_energy: heldEnergy, energy }) =>
      `费用 ${trx(cost)} TRX，由${term(payer)}支付，却冻结了 ${trx(held)} TRX 和 ${heldEnergy} 能量（订单为 ${energy} 能量）`,
    nextStep: LOOK,
  },
} satisfies Partial<FindingMessages['reasons']>;
