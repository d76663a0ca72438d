import { formatTrx } from '../../common/money/sun';
import { textsOf } from '../../findings/finding-text';
import type { FindingRow } from '../../findings/finding.statements';
import { Confirmation, Field, type FormProblem, LinkedText, useVisit, useMessages } from '../layout/components';
import { FindingSubject } from './finding-subject';
import { acknowledgePath } from './finding.page';

interface Props {
  readonly finding: FindingRow;
  readonly note?: string;
  readonly problem?: FormProblem;
}

/** The amount goes with the answer: no larger one is acknowledged than was read here. */
export function AcknowledgePage({ finding, note, problem }: Props) {
  const { locale } = useVisit();
  const messages = useMessages('operator');
  const amountSun = finding.amount_sun ?? 0n;
  const texts = textsOf(finding, locale);
  const isShortage = finding.kind === 'shortage';
  const text = finding.kind === 'wallet_used' ? messages.acknowledgeUse : messages.acknowledgeOfRemoved;
  return (
    <Confirmation
      title={isShortage ? messages.acknowledgeConfirmation : messages.acknowledgeFinding}
      facts={[
        [messages.kind, texts.kind],
        [messages.subject, <FindingSubject key="subject" row={finding} texts={texts} />],
        [messages.reason, <LinkedText key="reason" {...texts.reason} />],
        isShortage && [messages.amountMissing, formatTrx(amountSun)],
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
