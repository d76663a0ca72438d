import { randomUUID } from 'node:crypto';
import { CopyButton } from '../layout/components';
import { useMessages } from '../layout/current-visit';
import { TopUpText } from '../money/top-up-text';
import { curlOf } from '../try-it/trial-order';
import { Checklist } from './checklist';
import type { CustomerStep, Step } from './first-run';

interface Props {
  /** Null: the first order has come. */
  readonly steps: readonly Step<CustomerStep>[] | null;
  readonly topUpText: string | undefined;
  readonly baseUrl: string;
}

/** A new customer's first page: top up, make a token, copy this call. */
export function CustomerSteps({ steps, topUpText, baseUrl }: Props) {
  const messages = useMessages('firstRun');
  const labels = useMessages('tryIt');
  if (steps === null) return null;
  const order = { receiver: messages.yourReceiver, amount: '1', time: '10', activate: false, key: randomUUID() };
  const details = {
    balance: topUpText !== undefined && <TopUpText text={topUpText} />,
    call: (
      <>
        <pre class="breakable">
          <code id="first-order">{curlOf(order, baseUrl)}</code>
        </pre>
        <CopyButton source="first-order" name={labels.copy} done={labels.copied} />
      </>
    ),
  };
  return <Checklist steps={steps} details={details} />;
}
