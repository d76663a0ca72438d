import { isUnitPrice } from '../../billing/pricing/unit-price';
import { parseTrx, trxLiteral } from '../../common/money/sun';
import type { UserRecord, UserSettings } from '../../users/user.service';
import { type Form, textOf } from '../http/form';
import { FormError } from '../http/form-refusal';
import { PanelError } from '../http/panel-errors';
import type { Messages } from '../messages/catalogues';
import { wholeNumber } from './user-form';

/** As they stand in the fields. */
export interface TypedSettings {
  readonly name: string;
  readonly operator: boolean;
  readonly unitPrice: string;
  readonly rateLimit: string;
}

/** When a balance is low is for its user to say. */
type Settings = Required<Omit<UserSettings, 'lowBalanceSun'>>;

/** What the form showed when it was opened goes with it, under names of its own. */
export const SHOWN = 'shown_';

export function settingsOf({ name, operator, unitPriceSun, rateLimitPerMinute }: UserRecord): TypedSettings {
  const unitPrice = unitPriceSun === null ? '' : trxLiteral(unitPriceSun);
  return { name, operator, unitPrice, rateLimit: String(rateLimitPerMinute ?? '') };
}

export function typedSettings(form: Form | undefined, prefix = ''): TypedSettings {
  return {
    name: textOf(form, `${prefix}name`),
    operator: textOf(form, `${prefix}operator`) === 'yes',
    unitPrice: textOf(form, `${prefix}unit_price`),
    rateLimit: textOf(form, `${prefix}rate_limit`),
  };
}

/** @throws FormError in the reader's language. Empty means the configured default; without prices of their own accounts are given none. */
export function readSettings(typed: TypedSettings, messages: Messages['user'], priced: boolean): Settings {
  const { name, operator, unitPrice, rateLimit } = typed;
  if (!priced && unitPrice !== '') throw new FormError(messages.noUnitPrice);
  const unitPriceSun = unitPrice === '' ? null : parseTrx(unitPrice);
  if (unitPrice !== '' && (unitPriceSun === null || !isUnitPrice(unitPriceSun))) {
    throw new FormError(messages.badPrice, 'unit_price');
  }
  const badRate = new FormError(messages.badRate, 'rate_limit');
  const rateLimitPerMinute = rateLimit === '' ? null : wholeNumber(rateLimit, 1_000_000, badRate);
  return { name, operator, unitPriceSun, rateLimitPerMinute };
}

/** Only what was changed in the form, and what it showed: another operator may have changed something since. */
export function readChanges(
  form: Form,
  messages: Messages['user'],
  priced: boolean,
): { changes: UserSettings; shown: Settings } {
  const shown = readSettings(typedSettings(form, SHOWN), messages, priced);
  if (shown.name === '') throw new PanelError('bad-form');
  const typed = readSettings(typedSettings(form), messages, priced);
  const changed = Object.entries(typed).filter(([key, value]) => value !== shown[key as keyof Settings]);
  return { changes: Object.fromEntries(changed), shown };
}

/** Who operates, what an order costs, and how often somebody may call: all but the name. Only what was changed in a form is written. */
export function changesPower(form: Form): boolean {
  const [typed, shown] = [typedSettings(form), typedSettings(form, SHOWN)];
  return (['operator', 'unitPrice', 'rateLimit'] as const).some((key) => typed[key] !== shown[key]);
}

/** For a form that was refused: what was typed, and around it what is true by now. */
export function refilledSettings(form: Form, user: UserRecord): TypedSettings {
  const [typed, shown, now] = [typedSettings(form), typedSettings(form, SHOWN), settingsOf(user)];
  const changed = Object.entries(typed).filter(([key, value]) => value !== shown[key as keyof TypedSettings]);
  return { ...now, ...Object.fromEntries(changed) };
}
