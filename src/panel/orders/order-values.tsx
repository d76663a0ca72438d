import type { OrderView } from '../../delegation/lookup/order-lookup';
import type { OrderState } from '../../common/order.states';
import { Badge, LongId, useMessages } from '../layout/components';
import { textOfCode } from '../messages/code-text';
import { mayStillLand } from './order-progress';

const TONES: Readonly<Record<OrderState, 'good' | 'busy' | 'bad' | 'quiet'>> = {
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
  readonly order: OrderView;
}

/** "sent" alone would mislead for an order answered with a failure: it may still land. */
export function StateBadge({ order }: BadgeProps) {
  const messages = useMessages('answer');
  const state = useMessages('order').states[order.state];
  if (!mayStillLand(order)) return <Badge tone={TONES[order.state]}>{state}</Badge>;
  return (
    <Badge tone="bad">
      {state} · {messages.mayLand}
    </Badge>
  );
}

export function AnswerBadge({ order }: BadgeProps) {
  const messages = useMessages('answer');
  const { answer, answer_code: code } = order;
  const badge = <Badge tone={ANSWER_TONES[answer]}>{useMessages('order').answers[answer]}</Badge>;
  if (answer !== 'failure' || code === null) return badge;
  return (
    <>
      {badge} <code title={textOfCode(code, messages.codes) ?? undefined}>{code}</code>
    </>
  );
}

/** In a line of a list: an answer is worth a word only where the state does not say it. */
export function ListedState({ order }: BadgeProps) {
  const { codes, mayLand } = useMessages('answer');
  const state = useMessages('order').states[order.state];
  const { answer, answer_code: code } = order;
  const badge = <Badge tone={mayStillLand(order) ? 'bad' : TONES[order.state]}>{state}</Badge>;
  if (answer !== 'failure' || code === null) return badge;
  return (
    <span class="unbroken">
      {badge}{' '}
      <code class="clip short" title={`${code}: ${textOfCode(code, codes) ?? ''}`}>
        {code}
      </code>
      {mayStillLand(order) && <small class="beneath">{mayLand}</small>}
    </span>
  );
}

interface TransactionLinkProps {
  readonly txid: string | null;
  /** Without a txid: whether one is still to come. */
  readonly expected: boolean;
  readonly explorer: string | null;
  /** Abbreviated, for tables. */
  readonly short?: boolean;
}

export function TransactionLink({ txid, expected, explorer, short }: TransactionLinkProps) {
  const messages = useMessages('order');
  if (txid === null) return <>{expected ? messages.notYet : messages.noTransaction}</>;
  if (explorer === null) return <LongId value={txid} whole={!short} />;
  return <LongId value={txid} whole={!short} href={`${explorer}${txid}`} elsewhere={messages.explorer} />;
}
