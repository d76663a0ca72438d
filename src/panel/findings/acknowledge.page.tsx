import { formatTrx } from '../../common/money/sun';
import type { SignedInVisit } from '../http/page-context';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { Question } from '../layout/confirmation';
import { OPERATOR_WORDS } from '../messages/operator.messages';
import { findingText } from '../messages/finding-text';
import { acknowledgePath } from './finding.page';
import type { FindingRow } from './finding.queries';

interface Props {
  readonly visit: SignedInVisit;
  readonly finding: FindingRow;
  readonly note?: string;
  readonly problem?: FormProblem;
}

/** The amount goes with the answer: no larger one is acknowledged than was read here. */
export function AcknowledgePage({ visit, finding, note, problem }: Props) {
  const words = OPERATOR_WORDS[visit.locale];
  const amountSun = finding.amount_sun ?? 0n;
  return (
    <Question
      visit={visit}
      title={words.acknowledgeQuestion}
      facts={[
        [words.kind, findingText.kind(finding.kind, visit.locale)],
        [words.subject, findingText.subject(finding.subject, visit.locale)],
        [words.reason, findingText.reason(finding.reason, visit.locale).text],
        [words.amountMissing, formatTrx(amountSun)],
      ]}
      text={words.acknowledgeText}
      action={acknowledgePath(finding)}
      fields={{ amount_sun: amountSun.toString() }}
      problem={problem}
      button={words.acknowledge}
      back="/panel/operator/findings"
    >
      <Field name="note" value={note} label={words.note} hint={words.noteHint} required autocomplete="off" />
    </Question>
  );
}
