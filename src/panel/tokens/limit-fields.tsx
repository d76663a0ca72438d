import type { TokenLimits } from '../../auth/tokens/token-limits';
import { trxLiteral } from '../../common/money/sun';
import type { Form } from '../http/form';
import { Field, useMessages } from '../layout/components';

/** As they stand in the fields. */
export function shownLimits({ dailyLimitSun, maxCostSun, receivers, ips }: TokenLimits): Form {
  return {
    daily_limit: dailyLimitSun === null ? '' : trxLiteral(dailyLimitSun),
    max_cost: maxCostSun === null ? '' : trxLiteral(maxCostSun),
    receivers: receivers?.join(', ') ?? '',
    ips: ips?.join(', ') ?? '',
  };
}

export function LimitFields() {
  const messages = useMessages('token');
  return (
    <>
      <Field
        name="daily_limit"
        label={messages.dailyLimit}
        hint={messages.dailyLimitHint}
        inputmode="decimal"
        autocomplete="off"
      />
      <Field
        name="max_cost"
        label={messages.maxCost}
        hint={messages.maxCostHint}
        inputmode="decimal"
        autocomplete="off"
      />
      <Field
        name="receivers"
        label={messages.receivers}
        hint={messages.receiversHint}
        autocomplete="off"
        spellcheck={false}
      />
      <Field name="ips" label={messages.ips} hint={messages.ipsHint} autocomplete="off" spellcheck={false} />
    </>
  );
}
