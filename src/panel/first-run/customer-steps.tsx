import { TopUpText } from '../money/top-up-text';
import { Checklist } from './checklist';
import { FirstOrderCall } from './first-order-call';
import type { CustomerStep, Step } from './first-run';

interface Props {
  /** Null: the first order has come. */
  readonly steps: readonly Step<CustomerStep>[] | null;
  readonly baseUrl: string;
}

/** A new customer's first page: top up, make a token, copy this call. */
export function CustomerSteps({ steps, baseUrl }: Props) {
  if (steps === null) return null;
  const details = {
    balance: <TopUpText />,
    call: <FirstOrderCall baseUrl={baseUrl} />,
  };
  return <Checklist steps={steps} details={details} />;
}
