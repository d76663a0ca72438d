import { Checkbox, Field } from '../../layout/fields';
import type { UserWords } from './user.words';

export interface TypedSettings {
  readonly name: string;
  readonly operator: boolean;
  readonly unitPrice: string;
  readonly rateLimit: string;
}

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
