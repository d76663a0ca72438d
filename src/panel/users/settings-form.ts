import { isUnitPrice } from '../../billing/pricing/unit-price';
import { parseTrx, trxLiteral } from '../../common/money/sun';
import type { UserRecord, UserSettings } from '../../users/user.service';
import { type Form, FormError, textOf } from '../http/form';
import { PanelError } from '../http/panel-errors';
import { SHOWN } from '../layout/shown-fields';
import type { Messages } from '../messages/catalogues';
import { wholeNumber } from './user-form';

/** As they stand in the fields. */
export type TypedSettings = Readonly<Record<'name' | 'unit_price' | 'rate_limit' | 'operator', string>>;

/** When a balance is low is for its user to say. */
type Settings = Required<Omit<UserSettings, 'lowBalanceSun'>>;

export function settingsOf({ name, operator, unitPriceSun, rateLimitPerMinute }: UserRecord): TypedSettings {
  return {
    name,
    unit_price: unitPriceSun === null ? '' : trxLiteral(unitPriceSun),
    rate_limit: String(rateLimitPerMinute ?? ''),
    operator: operator ? 'yes' : 'no',
  };
}

/** A box that is not checked is not sent. */
export function typedSettings(form: Form | undefined, prefix = ''): TypedSettings {
  const typed = (name: keyof TypedSettings) => textOf(form, `${prefix}${name}`);
  return {
    name: typed('name'),
    unit_price: typed('unit_price'),
    rate_limit: typed('rate_limit'),
    operator: typed('operator') === 'yes' ? 'yes' : 'no',
  };
}

/** @throws FormError in the reader's language. Empty means the configured default; without prices of their own accounts are given none. */
export function readSettings(typed: TypedSettings, messages: Messages['user'], priced: boolean): Settings {
  const { name, unit_price: unitPrice, rate_limit: rateLimit } = typed;
  if (!priced && unitPrice !== '') throw new FormError(messages.noUnitPrice);
  const unitPriceSun = unitPrice === '' ? null : parseTrx(unitPrice);
  if (unitPrice !== '' && (unitPriceSun === null || !isUnitPrice(unitPriceSun))) {
    throw new FormError(messages.badPrice, 'unit_price');
  }
  const badRate = new FormError(messages.badRate, 'rate_limit');
  const rateLimitPerMinute = rateLimit === '' ? null : wholeNumber(rateLimit, 1_000_000, badRate);
  return { name, operator: typed.operator === 'yes', unitPriceSun, rateLimitPerMinute };
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
  return (['operator', 'unit_price', 'rate_limit'] as const).some((key) => typed[key] !== shown[key]);
}

/** For a form that was refused: what was typed, and around it what is true by now. */
export function refilledSettings(form: Form, user: UserRecord): TypedSettings {
  const [typed, shown, now] = [typedSettings(form), typedSettings(form, SHOWN), settingsOf(user)];
  const changed = Object.entries(typed).filter(([key, value]) => value !== shown[key as keyof TypedSettings]);
  return { ...now, ...Object.fromEntries(changed) };
}
