import { checkIps, checkReceivers, isSameLimit, listed, type TokenLimits } from '../../auth/tokens/token-limits';
import { parseTrx } from '../../common/money/sun';
import { characterCount } from '../../common/text';
import { PERMISSIONS } from '../../users/permissions';
import { choicesOf, type Form, FormError, textOf } from '../http/form';
import type { FormProblem } from '../layout/form-problem';
import { shownIn } from '../layout/shown-fields';
import type { Messages } from '../messages/catalogues';

/** What is wrong with a new token, in the reader's language; the service checks it again. */
export function problemOfToken(form: Form, messages: Messages['token']): FormProblem | null {
  const name = textOf(form, 'name');
  if (name === '' || characterCount(name) > 100) return { field: 'name', text: messages.badName };
  const permissions = choicesOf(form, 'permissions');
  const known = permissions.every((permission) => (PERMISSIONS as readonly string[]).includes(permission));
  if (permissions.length === 0 || !known) return { field: 'permissions', text: messages.badPermissions };
  const days = textOf(form, 'expires');
  const good = days === '' || (/^\d{1,5}$/.test(days) && Number(days) >= 1 && Number(days) <= 36_500);
  return good ? null : { field: 'expires', text: messages.badDays };
}

/** What was typed; empty is no limit. @throws FormError, InvalidValueError */
export function readLimits(form: Form, messages: Messages['token']): TokenLimits {
  return {
    dailyLimitSun: readAmount(form, 'daily_limit', messages),
    maxCostSun: readAmount(form, 'max_cost', messages),
    receivers: checkReceivers(listed(textOf(form, 'receivers'))),
    ips: checkIps(listed(textOf(form, 'ips'))),
  };
}

/**
 * What was typed and what the form showed, and what was changed in it: the token may have other limits since it was opened.
 * @throws FormError, InvalidValueError
 */
export function readLimitChanges(
  form: Form,
  messages: Messages['token'],
): { changes: Partial<TokenLimits>; typed: TokenLimits; seen: TokenLimits } {
  const [typed, seen] = [readLimits(form, messages), readLimits(shownIn(form), messages)];
  const keys = Object.keys(typed) as (keyof TokenLimits)[];
  const changed = keys.filter((key) => !isSameLimit(typed[key], seen[key]));
  return { changes: Object.fromEntries(changed.map((key) => [key, typed[key]])), typed, seen };
}

function readAmount(form: Form, field: string, messages: Messages['token']): bigint | null {
  const typed = textOf(form, field);
  if (typed === '') return null;
  const sun = parseTrx(typed);
  if (sun === null) throw new FormError(messages.badAmount, field);
  return sun;
}
