import { formatTrx } from '../../common/money/sun';
import type { OrderView } from '../../delegation/lookup/order-lookup';
import { type Fact, Facts, useMessages } from '../layout/components';
import { Advice } from '../messages/advice';
import { textOfCode } from '../messages/code-text';
import type { Messages } from '../messages/catalogues';
import { progressOf, isFree, isOpen } from './order-progress';
import { AnswerBadge } from './order-values';

/** The top of an order's page: the answer and why, what it cost, and what may still happen on chain. */
export function OrderSummary({ order, operating }: { order: OrderView; operating: boolean }) {
  const messages = useMessages('answer');
  const why = order.answer === 'failure' ? (textOfCode(order.answer_code, messages.codes) ?? order.answer_code) : null;
  const isAdvised = order.answer === 'failure' && !operating && textOfCode(order.answer_code, messages.advice) !== null;
  const facts: readonly (Fact | false)[] = [
    [messages.answer, <AnswerBadge key="answer" order={order} />],
    why !== null && [messages.why, why],
    [messages.money, moneyOf(order, messages, operating)],
    [messages.chain, messages.outcomes[progressOf(order)]],
    isAdvised && [messages.whatToDo, <Advice key="advice" code={order.answer_code} />],
  ];
  return (
    <section class={order.answer === 'failure' ? 'notice refused' : 'notice'} aria-label={messages.outcome}>
      <Facts facts={facts} />
    </section>
  );
}

/** For its customer, or for an operator. */
export function moneyOf(order: OrderView, messages: Messages['answer'], operating: boolean): string {
  if (isFree(order)) return messages.notCharged[operating ? 'operator' : 'user'];
  const open = isOpen(order);
  const quota = open ? messages.quotaHeld : messages.quotaUsed;
  const trx = (open ? messages.held : messages.charged)(formatTrx(order.cost_sun));
  if (order.paid_by === 'balance') return trx;
  // The activation comes from the balance even then.
  return order.cost_sun === 0n ? quota : `${quota} ${trx}`;
}

/** Who paid: nobody for an order that was free. */
export function payerOf(order: OrderView, messages: Messages['order']): string {
  return isFree(order) ? '–' : messages.payers[order.paid_by];
}
