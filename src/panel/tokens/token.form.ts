import { PERMISSIONS } from '../../auth/api-token.entity';
import { choicesOf, type Form, textOf } from '../http/form';
import type { TOKEN_WORDS } from './token.words';

/** What is wrong with a new token, in the reader's language; the service checks the same once more. */
export function problemOfToken(form: Form, words: (typeof TOKEN_WORDS)['en']): string | null {
  const name = textOf(form, 'name');
  if (name === '' || name.length > 100) return words.badName;
  const permissions = choicesOf(form, 'permissions');
  const known = permissions.every((permission) => (PERMISSIONS as readonly string[]).includes(permission));
  if (permissions.length === 0 || !known) return words.badPermissions;
  const days = textOf(form, 'expires');
  if (days !== '' && !(/^\d{1,5}$/.test(days) && Number(days) >= 1 && Number(days) <= 36_500)) return words.badDays;
  return null;
}
