import { isLanguage } from '../../languages/languages';
import type { OrderView } from '../../delegation/lookup/order-lookup';
import type { UserPreferences } from '../../users/user-preferences.repository';
import type { UserVisit } from '../http/visit';
import { groupDigits } from '../layout/values';
import { withOffset } from '../layout/time-zone';
import { CATALOGUES, type Messages } from '../messages/catalogues';
import { textOfCode } from '../messages/code-text';
import { isOpen, progressOf } from './order-progress';
import { moneyOf } from './order-summary';

export interface CustomerAnswer {
  readonly text: string;
  /** Its language, for who reads it aloud. */
  readonly tag: string;
}

/** What an operator writes to who asks about an order: in the language and zone of the customer, as far as those are set. */
export function customerAnswer(
  order: OrderView,
  { timeZone, language }: UserPreferences,
  { locale, topUp }: Pick<UserVisit, 'locale' | 'topUp'>,
): CustomerAnswer {
  const messages = CATALOGUES[isLanguage(language) ? language : locale];
  const at = (moment: Date | string) => withOffset(new Date(moment), timeZone ?? 'UTC');
  const { answer } = messages;
  const { reclaim_due_at: due, reclaimed_at: back } = order;
  const isFailed = order.answer === 'failure';
  const canTopUp = order.answer_code === 'INSUFFICIENT_BALANCE' && (topUp.deposits || topUp.text !== undefined);
  const sentences = [
    answer.ofOrder(order.id, at(order.created_at), groupDigits(order.energy), order.receiver),
    isFailed ? textOfCode(order.answer_code, answer.codes) : null,
    answer.outcomes[progressOf(order)],
    moneyOf(order, answer, false),
    order.txid === null ? null : answer.transactionIs(order.txid),
    nextOf(order, answer, due && at(due), back && at(back)),
    isFailed ? (canTopUp ? answer.topUpFirst : textOfCode(order.answer_code, answer.advice)) : null,
  ];
  return { text: sentences.filter((sentence) => sentence !== null).join('\n'), tag: messages.language.tag };
}

/** What comes next on the chain, if anything. */
function nextOf(order: OrderView, texts: Messages['answer'], due: string | null, back: string | null): string | null {
  if (isOpen(order)) return order.answer === 'failure' ? null : texts.decidedSoon;
  if (back !== null) return texts.wentBack(back);
  return due === null || order.state === 'failed' ? null : texts.goesBack(due);
}
