import { useMessages } from '../layout/current-page';
import { Checkbox, Field } from '../layout/fields';
import { SHOWN, type TypedSettings } from './settings-form';

interface Props {
  readonly typed: TypedSettings;
  /** Accounts have a price of their own: not in every variant. */
  readonly priced: boolean;
}

export function SettingsFields({ typed, priced }: Props) {
  const messages = useMessages('user');
  return (
    <>
      <Field name="name" label={messages.name} value={typed.name} required autocomplete="off" />
      {priced && (
        <Field
          name="unit_price"
          label={messages.unitPrice}
          hint={messages.unitPriceHint}
          value={typed.unitPrice}
          inputmode="decimal"
        />
      )}
      <Field
        name="rate_limit"
        label={messages.rateLimit}
        hint={messages.rateLimitHint}
        value={typed.rateLimit}
        inputmode="numeric"
      />
      <Checkbox
        name="operator"
        value="yes"
        label={messages.operatorBox}
        hint={messages.operatorHint}
        checked={typed.operator}
      />
    </>
  );
}

/** The values as the form was opened: only what differs from them is written. */
export function ShownSettings({ shown, priced }: { shown: TypedSettings; priced: boolean }) {
  const fields = [
    ['name', shown.name],
    ...(priced ? [['unit_price', shown.unitPrice] as const] : []),
    ['rate_limit', shown.rateLimit],
    ['operator', shown.operator ? 'yes' : 'no'],
  ] as const;
  return (
    <>
      {fields.map(([name, value]) => (
        <input key={name} type="hidden" name={`${SHOWN}${name}`} value={value} autocomplete="off" />
      ))}
    </>
  );
}
