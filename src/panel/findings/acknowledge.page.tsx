import { formatTrx } from '../../common/money/sun';
import { textsOf } from '../../findings/finding-text';
import type { FindingRow } from '../../findings/finding.statements';
import type { SignedInPageContext } from '../http/page-context';
import { Confirmation } from '../layout/confirmation';
import { Field } from '../layout/fields';
import type { FormProblem } from '../layout/form-problem';
import { LinkedText } from '../layout/linked-text';
import { OPERATOR_MESSAGES } from '../messages/operator.messages';
import { FindingSubject } from './finding-subject';
import { acknowledgePath } from './finding.page';

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
  const texts = textsOf(finding, pageContext.locale);
  const isShortage = finding.kind === 'shortage';
  const text = finding.kind === 'wallet_used' ? messages.acknowledgeUse : messages.acknowledgeOfRemoved;
  return (
    <Confirmation
      pageContext={pageContext}
      title={isShortage ? messages.acknowledgeConfirmation : messages.acknowledgeFinding}
      facts={[
        [messages.kind, texts.kind],
        [messages.subject, <FindingSubject key="subject" row={finding} texts={texts} />],
        [messages.reason, <LinkedText key="reason" {...texts.reason} />],
        ...(isShortage ? [[messages.amountMissing, formatTrx(amountSun)] as const] : []),
      ]}
      text={isShortage ? messages.acknowledgeText : text}
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
