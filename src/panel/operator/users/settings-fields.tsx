import { Checkbox, Field } from '../../layout/fields';
import { SHOWN, type TypedSettings } from './settings-form';
import type { UserWords } from './user.words';

export function SettingsFields({ words, typed }: { words: UserWords; typed: TypedSettings }) {
  return (
    <>
      <Field name="name" label={words.name} value={typed.name} required maxlength={200} autocomplete="off" />
      <Field
        name="unit_price"
        label={words.unitPrice}
        hint={words.unitPriceHint}
        value={typed.unitPrice}
        inputmode="decimal"
        maxlength={10}
      />
      <Field
        name="rate_limit"
        label={words.rateLimit}
        hint={words.rateLimitHint}
        value={typed.rateLimit}
        inputmode="numeric"
        maxlength={7}
      />
      <Checkbox
        name="operator"
        value="yes"
        label={words.operatorBox}
        hint={words.operatorHint}
        checked={typed.operator}
      />
    </>
  );
}

/** What is true as the form is opened: only what differs from it is written. */
export function ShownSettings({ shown }: { shown: TypedSettings }) {
  const fields = [
    ['name', shown.name],
    ['unit_price', shown.unitPrice],
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
