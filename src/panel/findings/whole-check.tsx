import type { WholeCheckView } from '../../reconciliation/whole-check/whole-check.store';
import type { Notice, SignedInVisit } from '../http/page-context';
import { groupDigits, Instant } from '../layout/values';
import { OPERATOR_WORDS, type OperatorWords } from '../messages/operator.messages';

/** For the operator who has just begun it. */
export function noticeOf(check: WholeCheckView | null, { locale }: SignedInVisit): Notice {
  const words = OPERATOR_WORDS[locale];
  if (check === null || check.under_way) return { kind: 'done', text: words.checkBegun };
  if (check.outcome === 'done') return { kind: 'done', text: words.wasChecked(check.result?.found ?? 0) };
  return { kind: 'refused', text: check.outcome === 'unreachable' ? words.unreachable : words.checkBrokeOff };
}

/** The last check of everything: whether it goes on, or what it has looked at and found. */
export function LastWholeCheck({ visit, check }: { visit: SignedInVisit; check: WholeCheckView | null }) {
  const words = OPERATOR_WORDS[visit.locale];
  if (check === null) return <p>{words.neverChecked}</p>;
  if (check.under_way) {
    return (
      <p class="notice attention">
        {words.checkUnderWay} <Instant at={check.begun_at} /> {check.asked_by} <a href={visit.url}>{words.lookAgain}</a>
      </p>
    );
  }
  return (
    <p>
      {words.lastCheck} <Instant at={check.ended_at ?? check.begun_at} /> {check.asked_by}
      <br />
      {textOf(check, words)}
    </p>
  );
}

function textOf({ outcome, result }: WholeCheckView, words: OperatorWords): string {
  if (outcome === 'unreachable') return words.unreachable;
  if (outcome !== 'done' || result === null) return words.checkBrokeOff;
  const { checked } = result;
  // In an order of ours: a jsonb has one of its own.
  const known = Object.entries(words.rows).filter(([what]) => Object.hasOwn(checked, what));
  return `${words.wasChecked(result.found)} ${words.looked(known.map(([what, of]) => of(groupDigits(checked[what]!))))}`;
}
