import type { ErrorCode } from '../../common/errors/error-codes';
import { bilingual } from './bilingual';

const EN: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: 'A field of the call was missing or wrong.',
  RECEIVER_NOT_ACTIVATED: 'The receiver does not exist on the chain yet, and activate_address was not set.',
  RECEIVER_IS_CONTRACT: 'The receiver is a contract, which takes no energy.',
  RECEIVER_NOT_ALLOWED: 'The receiver is not one that the token is for, or one of the service’s own wallets.',
  MALFORMED_BODY: 'The body of the call was no JSON object.',
  UNSUPPORTED_MEDIA_TYPE: 'The call was not sent as application/json.',
  BODY_TOO_LARGE: 'The body of the call was larger than 16 KiB.',
  IDEMPOTENCY_KEY_INVALID: 'The Idempotency-Key is not made of 1 to 255 printable ASCII characters.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key belongs to an earlier order with other fields.',
  UNAUTHENTICATED: 'The token is missing, unknown, expired or revoked.',
  PERMISSION_DENIED: 'The token lacks the permission for this call, or is not for the address that it came from.',
  RATE_LIMITED: 'There were too many calls in a short time.',
  INSUFFICIENT_BALANCE: 'Neither quota nor balance covered the order.',
  INSUFFICIENT_ENERGY: 'No wallet had the stake for the order just then. Try again in ten minutes.',
  ACTIVATION_UNAVAILABLE: 'The receiver could not be activated just then.',
  NODE_UNAVAILABLE: 'No node of the network could be reached, or none took the transaction.',
  OUTCOME_UNKNOWN: 'Whether the transaction had been taken was not known in time.',
  PAUSED: 'No new orders were taken just then.',
  NOT_FOUND: 'There is no such address in the API.',
  METHOD_NOT_ALLOWED: 'This address of the API is called by another method.',
  INTERNAL: 'Something went wrong inside the service. Its operators find it in the log.',
  COST_ABOVE_MAX: 'The order would have cost more than its max_cost, or than its token allows.',
  TOKEN_LIMIT_REACHED: 'The order would have taken the token above its daily limit.',
};
const ZH: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_FAILED: '调用缺少字段或字段有误。',
  RECEIVER_NOT_ACTIVATED: '接收地址在链上尚不存在，且未设置 activate_address。',
  RECEIVER_IS_CONTRACT: '接收地址是合约，不能接收能量。',
  RECEIVER_NOT_ALLOWED: '接收地址不在令牌允许的范围内，或是本服务自己的钱包。',
  MALFORMED_BODY: '调用的正文不是 JSON 对象。',
  UNSUPPORTED_MEDIA_TYPE: '调用没有以 application/json 发送。',
  BODY_TOO_LARGE: '调用的正文超过 16 KiB。',
  IDEMPOTENCY_KEY_INVALID: 'Idempotency-Key 须为 1 到 255 个可打印的 ASCII 字符。',
  IDEMPOTENCY_KEY_REUSED: '此 Idempotency-Key 属于之前一个字段不同的订单。',
  UNAUTHENTICATED: '令牌缺失、不存在、已过期或已撤销。',
  PERMISSION_DENIED: '令牌没有此调用的权限，或不允许从该 IP 地址使用。',
  RATE_LIMITED: '短时间内调用过多。',
  INSUFFICIENT_BALANCE: '套餐额度和余额均不足以支付订单。',
  INSUFFICIENT_ENERGY: '当时没有钱包有足够的质押。请十分钟后再试。',
  ACTIVATION_UNAVAILABLE: '当时无法激活接收地址。',
  NODE_UNAVAILABLE: '无法连接网络节点，或没有节点接受该交易。',
  OUTCOME_UNKNOWN: '未能及时得知交易是否被接受。',
  PAUSED: '当时不接受新订单。',
  NOT_FOUND: '接口中没有此地址。',
  METHOD_NOT_ALLOWED: '接口的此地址须用其他方法调用。',
  INTERNAL: '服务内部出错，运营人员可在日志中找到原因。',
  COST_ABOVE_MAX: '订单的费用高于其 max_cost，或高于令牌的单笔上限。',
  TOKEN_LIMIT_REACHED: '订单会使令牌超过每日限额。',
};

/** An order's answer and what it means. Each code has its sentence: one that lacks it does not compile. */
export const ANSWER_MESSAGES = bilingual({
  en: {
    codes: EN,
    outcome: 'What came of it',
    answer: 'Answered with',
    why: 'Why',
    money: 'Money',
    chain: 'Transaction',
    notCharged: { user: 'You were not charged.', operator: 'The user was not charged.' },
    charged: (trx: string) => `Charged: ${trx} TRX.`,
    held: (trx: string) => `Held until it is decided: ${trx} TRX.`,
    quotaUsed: 'Paid with quota.',
    quotaHeld: 'Quota is held for it until it is decided.',
    mayLand: 'may still land',
    outcomes: {
      activating: 'None yet: the receiver is being activated first.',
      open: 'On its way: it is not final yet.',
      mayLand:
        'It may still land, for about two minutes after the order. Then the energy is taken back, and the order stays free of charge.',
      unsigned: 'None was ever signed: nothing can land.',
      activationOnly: 'No delegation was signed: no energy can be lent. The activation below may land all the same.',
      neverLanded: 'It is proved that it did not land and never will.',
      lost: 'The network dropped it for good after the success was answered: it is proved that it will not land.',
      lent: 'It has landed: the energy is with the receiver.',
      reclaimed: 'It has landed, and the energy was taken back.',
      takingBack: 'It landed after the failure was answered: the energy is being taken back.',
      takenBack: 'It landed after the failure was answered: the energy was taken back.',
    },
  },
  zh: {
    codes: ZH,
    outcome: '结果',
    answer: '应答',
    why: '原因',
    money: '资金',
    chain: '交易',
    notCharged: { user: '未向您扣费。', operator: '未向用户扣费。' },
    charged: (trx: string) => `已扣费 ${trx} TRX。`,
    held: (trx: string) => `确定结果之前冻结 ${trx} TRX。`,
    quotaUsed: '由套餐额度支付。',
    quotaHeld: '确定结果之前冻结套餐额度。',
    mayLand: '仍可能上链',
    outcomes: {
      activating: '尚无：正在先激活接收地址。',
      open: '进行中：尚未固化。',
      mayLand: '下单后约两分钟内仍可能上链。若上链，能量将被收回，订单仍不收费。',
      unsigned: '从未签名：不会有任何交易上链。',
      activationOnly: '未签名委托：不会借出能量。下方的激活交易仍可能上链。',
      neverLanded: '已证明没有上链，今后也不会上链。',
      lost: '应答成功之后被网络永久丢弃：已证明不会上链。',
      lent: '已上链：能量在接收地址。',
      reclaimed: '已上链，能量已收回。',
      takingBack: '应答失败之后上链：正在收回能量。',
      takenBack: '应答失败之后上链：能量已收回。',
    },
  },
});

export type AnswerMessages = (typeof ANSWER_MESSAGES)['en'];

/** Null for a code of a later version. */
export function sentenceOf(code: string | null, messages: AnswerMessages): string | null {
  return code !== null && Object.hasOwn(messages.codes, code) ? messages.codes[code as ErrorCode] : null;
}
