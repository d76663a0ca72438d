import { ERROR_ANSWERS } from '../../common/errors/error-codes';
import type { OrderOutlookView } from '../../reporting/outlooks/order-outlook';
import { WHY_REFUSED, type WhyRefused } from '../../reporting/outlooks/why-refused';
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
    why: WHY_REFUSED.en,
    noActivation: `Orders that need an activation are refused with ${ERROR_ANSWERS.ACTIVATION_UNAVAILABLE.status} ACTIVATION_UNAVAILABLE: no activation wallet can be used. One has to be active and read from the chain, must not rest, and needs its key and the TRX.`,
  },
  zh: {
    taken: '正在接受新订单。',
    largest: (transactions) => `单个钱包可承接的最大订单：${transactions} 笔。`,
    refused: (status, code, why) => `新订单被拒绝（${status} ${code}）：${why}`,
    why: WHY_REFUSED.zh,
    noActivation: `需要激活的订单被拒绝（${ERROR_ANSWERS.ACTIVATION_UNAVAILABLE.status} ACTIVATION_UNAVAILABLE）：没有可用的激活钱包。激活钱包须处于启用状态、已从链上读取、未暂停接单、密钥可用且有足够的 TRX。`,
  },
});

/** One line: the answer, and why. */
export function refusalText({ code, why }: NonNullable<OrderOutlookView['refusal']>, messages: Messages): string {
  return messages.refused(ERROR_ANSWERS[code].status, code, messages.why[why]);
}
