import { Checkbox, Field, ShownFields, useMessages } from '../layout/components';
import type { TypedSettings } from './settings-form';

/** `priced`: accounts have a price of their own, which they do not in every variant. */
export function SettingsFields({ priced }: { priced: boolean }) {
  const messages = useMessages('user');
  return (
    <>
      <Field name="name" label={messages.name} required autocomplete="off" />
      {priced && (
        <Field name="unit_price" label={messages.unitPrice} hint={messages.unitPriceHint} inputmode="decimal" />
      )}
      <Field name="rate_limit" label={messages.rateLimit} hint={messages.rateLimitHint} inputmode="numeric" />
      <Checkbox name="operator" value="yes" label={messages.operatorBox} hint={messages.operatorHint} />
    </>
  );
}

/** The values as the form was opened: only what differs from them is written. */
export function ShownSettings({ shown, priced }: { shown: TypedSettings; priced: boolean }) {
  const { unit_price: unitPrice, ...fields } = shown;
  return <ShownFields fields={priced ? { ...fields, unit_price: unitPrice } : fields} />;
}
