import { formatTrx } from '../../common/money/sun';
import type { SignedInPageContext } from '../http/page-context';
import { Confirmation } from '../layout/confirmation';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { findingText } from '../messages/finding-text';
import { OPERATOR_MESSAGES } from '../messages/operator.messages';
import { acknowledgePath } from './finding.page';
import type { FindingRow } from './finding.queries';

interface Props {
  readonly pageContext: SignedInPageContext;
  readonly finding: FindingRow;
  readonly note?: string;
  readonly problem?: FormProblem;
}

/** The amount goes with the answer: no larger one is acknowledged than was read here. */
export function AcknowledgePage({ pageContext, finding, note, problem }: Props) {
  const messages = OPERATOR_MESSAGES[pageContext.locale];
  const amountSun = finding.amount_sun ?? 0n;
  return (
    <Confirmation
      pageContext={pageContext}
      title={messages.acknowledgeConfirmation}
      facts={[
        [messages.kind, findingText.kind(finding.kind, pageContext.locale)],
        [messages.subject, findingText.subject(finding.subject, pageContext.locale)],
        [messages.reason, findingText.reason(finding.reason, pageContext.locale).text],
        [messages.amountMissing, formatTrx(amountSun)],
      ]}
      text={messages.acknowledgeText}
      action={acknowledgePath(finding)}
      fields={{ amount_sun: amountSun.toString() }}
      problem={problem}
      button={messages.acknowledge}
      back="/panel/operator/findings"
    >
      <Field name="note" value={note} label={messages.note} hint={messages.noteHint} required autocomplete="off" />
    </Confirmation>
  );
}
