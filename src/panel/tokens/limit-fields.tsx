import type { TokenLimits } from '../../auth/tokens/token-limits';
import { trxLiteral } from '../../common/money/sun';
import { type Form, textOf } from '../http/form';
import { useMessages } from '../layout/current-page';
import { Field } from '../layout/fields';

/** As they stand in the fields. */
export interface TypedLimits {
  readonly dailyLimit: string;
  readonly maxCost: string;
  readonly receivers: string;
  readonly ips: string;
}

export function typedLimits(form: Form | undefined): TypedLimits {
  return {
    dailyLimit: textOf(form, 'daily_limit'),
    maxCost: textOf(form, 'max_cost'),
    receivers: textOf(form, 'receivers'),
    ips: textOf(form, 'ips'),
  };
}

export function shownLimits({ dailyLimitSun, maxCostSun, receivers, ips }: TokenLimits): TypedLimits {
  return {
    dailyLimit: dailyLimitSun === null ? '' : trxLiteral(dailyLimitSun),
    maxCost: maxCostSun === null ? '' : trxLiteral(maxCostSun),
    receivers: receivers?.join(', ') ?? '',
    ips: ips?.join(', ') ?? '',
  };
}

export function LimitFields({ typed }: { typed: TypedLimits }) {
  const messages = useMessages('token');
  return (
    <>
      <Field
        name="daily_limit"
        label={messages.dailyLimit}
        hint={messages.dailyLimitHint}
        value={typed.dailyLimit}
        inputmode="decimal"
        autocomplete="off"
      />
      <Field
        name="max_cost"
        label={messages.maxCost}
        hint={messages.maxCostHint}
        value={typed.maxCost}
        inputmode="decimal"
        autocomplete="off"
      />
      <Field
        name="receivers"
        label={messages.receivers}
        hint={messages.receiversHint}
        value={typed.receivers}
        autocomplete="off"
        spellcheck={false}
      />
      <Field
        name="ips"
        label={messages.ips}
        hint={messages.ipsHint}
        value={typed.ips}
        autocomplete="off"
        spellcheck={false}
      />
    </>
  );
}
