import type { ComponentChildren } from 'preact';
import { formatTrx } from '../../common/money/sun';
import type { DelegationView } from '../../delegation/lookup/order-lookup';
import type { SignedInVisit } from '../http/page-context';
import { Facts } from '../layout/values';
import { ANSWER_WORDS, type AnswerWords, sentenceOf } from '../messages/answer.messages';
import { fateOf, isFree, isOpen } from './order-progress';
import { AnswerBadge } from './order-values';
import { ORDER_WORDS } from '../messages/order.messages';

interface Props {
  readonly visit: SignedInVisit;
  readonly order: DelegationView;
  readonly operating: boolean;
}

/** First of all: what the caller was answered and why, what it meant for the money, and what the chain can still do. */
export function OrderOutcome({ visit, order, operating }: Props) {
  const words = ANSWER_WORDS[visit.locale];
  const why = order.answer === 'failure' ? (sentenceOf(order.answer_code, words) ?? order.answer_code) : null;
  const facts: (readonly [string, ComponentChildren])[] = [
    [words.answer, <AnswerBadge key="answer" order={order} visit={visit} />],
    ...(why === null ? [] : [[words.why, why] as const]),
    [words.money, moneyOf(order, words, operating)],
    [words.chain, words.fates[fateOf(order)]],
  ];
  return (
    <section class={order.answer === 'failure' ? 'notice refused' : 'notice'} aria-label={words.outcome}>
      <Facts facts={facts} />
    </section>
  );
}

function moneyOf(order: DelegationView, words: AnswerWords, operating: boolean): string {
  if (isFree(order)) return words.notCharged[operating ? 'operator' : 'user'];
  const open = isOpen(order);
  const quota = open ? words.quotaHeld : words.quotaUsed;
  const trx = (open ? words.held : words.charged)(formatTrx(order.cost_sun));
  if (order.paid_by === 'balance') return trx;
  // The activation comes from the balance even then.
  return order.cost_sun === 0n ? quota : `${quota} ${trx}`;
}

/** Who paid: nobody for an order that was free. */
export function payerOf(order: DelegationView, visit: SignedInVisit): string {
  return isFree(order) ? '–' : ORDER_WORDS[visit.locale].payers[order.paid_by];
}
