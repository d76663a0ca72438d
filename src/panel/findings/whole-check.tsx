import type { WholeCheckView } from '../../reconciliation/whole-check/whole-check.repository';
import type { Outcome, UserVisit } from '../http/visit';
import { groupDigits, Instant, useVisit, useMessages } from '../layout/components';
import type { Messages } from '../messages/catalogues';

/** For the operator who has just begun it. */
export function outcomeOf(check: WholeCheckView | null, { messages: { operator: messages } }: UserVisit): Outcome {
  if (check === null || check.under_way) return { kind: 'done', text: messages.checkBegun };
  if (check.outcome === 'done') return { kind: 'done', text: messages.wasChecked(check.result?.found ?? 0) };
  return { kind: 'refused', text: check.outcome === 'unreachable' ? messages.unreachable : messages.checkBrokeOff };
}

/** The last check of everything: whether it goes on, or what it has looked at and found. */
export function LastWholeCheck({ check }: { check: WholeCheckView | null }) {
  const { url } = useVisit();
  const messages = useMessages('operator');
  if (check === null) return <p>{messages.neverChecked}</p>;
  if (check.under_way) {
    return (
      <p class="notice attention">
        {messages.checkBegan(<Instant at={check.begun_at} />, check.asked_by)} <a href={url}>{messages.lookAgain}</a>
      </p>
    );
  }
  return (
    <p>
      {messages.lastCheck(<Instant at={check.ended_at ?? check.begun_at} />, check.asked_by)}
      <br />
      {textOf(check, messages)}
    </p>
  );
}

function textOf({ outcome, result }: WholeCheckView, messages: Messages['operator']): string {
  if (outcome === 'unreachable') return messages.unreachable;
  if (outcome !== 'done' || result === null) return messages.checkBrokeOff;
  const { checked } = result;
  // In an order of ours: a jsonb has one of its own.
  const known = Object.entries(messages.rows).filter(([what]) => Object.hasOwn(checked, what));
  const counts = known.map(([what, of]) => of(groupDigits(checked[what]!)));
  return messages.checkedAll(result.found, counts);
}
