import { useMessages, useVisit } from '../layout/current-visit';
import { TopUpText } from '../money/top-up-text';
import { Checklist } from './checklist';
import { FirstOrderCall } from './first-order-call';
import type { CustomerStep, Step } from './first-run';

interface Props {
  /** Null: the first order has come. */
  readonly steps: readonly Step<CustomerStep>[] | null;
  readonly baseUrl: string;
}

/** A new customer's first page: make a token, top up, copy this call. */
export function CustomerSteps({ steps, baseUrl }: Props) {
  const { deposits, text } = useVisit().topUp;
  const { topUpHints } = useMessages('firstRun');
  if (steps === null) return null;
  const hints = { balance: deposits ? topUpHints.deposit : text !== undefined ? topUpHints.text : undefined };
  const details = {
    balance: <TopUpText />,
    call: <FirstOrderCall baseUrl={baseUrl} />,
  };
  return <Checklist steps={steps} hints={hints} details={details} />;
}
