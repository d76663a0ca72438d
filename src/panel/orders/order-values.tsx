import type { DelegationView } from '../../delegation/lookup/order-lookup';
import type { DelegationState } from '../../delegation/order.states';
import type { SignedInVisit } from '../http/page-context';
import { Badge } from '../layout/values';
import { ANSWER_WORDS, sentenceOf } from '../messages/answer.messages';
import { mayStillLand } from './order-progress';
import { ORDER_WORDS, type OrderWords } from '../messages/order.messages';

const TONES: Readonly<Record<DelegationState, 'good' | 'busy' | 'bad' | 'quiet'>> = {
  pending: 'busy',
  activating: 'busy',
  sent: 'busy',
  included: 'busy',
  delegated: 'good',
  reclaiming: 'good',
  reclaimed: 'quiet',
  failed: 'bad',
  taking_back: 'bad',
  taken_back: 'bad',
};
const ANSWER_TONES = { none: 'busy', success: 'good', failure: 'bad' } as const;

interface BadgeProps {
  readonly order: DelegationView;
  readonly visit: SignedInVisit;
}

/** An order that was answered with a failure is not "sent" and no more: what was sent may still land. */
export function StateBadge({ order, visit }: BadgeProps) {
  const state = ORDER_WORDS[visit.locale].states[order.state];
  if (!mayStillLand(order)) return <Badge tone={TONES[order.state]}>{state}</Badge>;
  return (
    <Badge tone="bad">
      {state} · {ANSWER_WORDS[visit.locale].mayLand}
    </Badge>
  );
}

export function AnswerBadge({ order, visit }: BadgeProps) {
  const { answer, answer_code: code } = order;
  const badge = <Badge tone={ANSWER_TONES[answer]}>{ORDER_WORDS[visit.locale].answers[answer]}</Badge>;
  if (answer !== 'failure' || code === null) return badge;
  return (
    <>
      {badge} <code title={sentenceOf(code, ANSWER_WORDS[visit.locale]) ?? undefined}>{code}</code>
    </>
  );
}

interface TransactionLinkProps {
  readonly txid: string | null;
  /** Instead of one: there will be one, or there will not. */
  readonly expected: boolean;
  readonly explorer: string | null;
  readonly words: OrderWords;
  /** In a table: enough of it to recognise. */
  readonly short?: boolean;
}

export function TransactionLink({ txid, expected, explorer, words, short }: TransactionLinkProps) {
  if (txid === null) return <>{expected ? words.notYet : words.noTransaction}</>;
  const shown = <code title={txid}>{short ? `${txid.slice(0, 12)}…` : txid}</code>;
  if (explorer === null) return shown;
  return (
    <a href={`${explorer}${txid}`} rel="noreferrer" target="_blank" title={words.explorer}>
      {shown}
    </a>
  );
}
