import { ERROR_ANSWERS } from '../../common/errors/error-codes';
import type { OrderOutlookView, WhyRefused } from '../../delegation/lookup/order-outlook';
import { bilingual } from './bilingual';
import { plural } from './plural';

interface Messages {
  readonly taken: string;
  readonly largest: (transactions: string) => string;
  readonly refused: (status: number, code: string, why: string) => string;
  readonly why: Readonly<Record<WhyRefused, string>>;
  readonly noActivation: string;
}

/** How a new order would be answered now, and what would have to change. */
export const NEW_ORDERS_MESSAGES = bilingual<Messages>({
  en: {
    taken: 'New orders are taken.',
    largest: (transactions) =>
      `The largest that a wallet covers: ${plural(transactions, 'transaction', 'transactions')}.`,
    refused: (status, code, why) => `New orders are refused with ${status} ${code}: ${why}`,
    why: {
      node: 'the chain could not be read for a while',
      switch: 'the switch for all orders is off',
      noWallet: 'there is no wallet that lends energy (add one with pool:add)',
      noneActive: 'every wallet that lends is paused or draining',
      unread: 'no wallet that lends was read from the chain yet',
      stake: 'no active wallet has the stake left for one transaction',
      fees: 'no wallet with stake has the bandwidth or TRX for an order and its reclaim',
      key: 'the key of the wallet cannot be read here, or is not its own (see doctor)',
      rests: 'the network refused the last transactions of every wallet with stake: they rest (see Findings)',
      other: 'no wallet takes one just now (see the log)',
    },
    noActivation: `Orders that need an activation are refused with ${ERROR_ANSWERS.ACTIVATION_UNAVAILABLE.status} ACTIVATION_UNAVAILABLE: no activation wallet can be used. One has to be active and read from the chain, must not rest, and needs its key and the TRX.`,
  },
  zh: {
    taken: '正在接受新订单。',
    largest: (transactions) => `单个钱包可承接的最大订单：${transactions} 笔。`,
    refused: (status, code, why) => `新订单被拒绝（${status} ${code}）：${why}`,
    why: {
      node: '一段时间以来无法读取链上数据',
      switch: '总开关已关闭',
      noWallet: '没有可借出能量的钱包（请用 pool:add 添加）',
      noneActive: '所有可借出能量的钱包均已暂停或正在排空',
      unread: '可借出能量的钱包尚未从链上读取',
      stake: '没有启用的钱包剩余足够一笔交易的质押',
      fees: '有质押的钱包没有足够的带宽或 TRX 支付订单及其回收',
      key: '此处无法读取钱包密钥，或密钥不属于该钱包（见 doctor）',
      rests: '有质押的钱包最近的交易均被网络拒绝，暂停接单（见核对结果）',
      other: '暂时没有钱包接单（见日志）',
    },
    noActivation: `需要激活的订单被拒绝（${ERROR_ANSWERS.ACTIVATION_UNAVAILABLE.status} ACTIVATION_UNAVAILABLE）：没有可用的激活钱包。激活钱包须处于启用状态、已从链上读取、未暂停接单、密钥可用且有足够的 TRX。`,
  },
});

/** One line: the answer, and why. */
export function refusalText({ code, why }: NonNullable<OrderOutlookView['refusal']>, messages: Messages): string {
  return messages.refused(ERROR_ANSWERS[code].status, code, messages.why[why]);
}
