import type { Language } from '../../config/languages';
import type { Weakness, WeaknessKind } from '../common/weakness';
import { LANGUAGES } from '../languages/languages';
import type { WeaknessText } from '../languages/weakness-messages';

/** These keep something from working, or let strangers through: `doctor` finds them. An owner may want the others so: `doctor` warns of them. */
const FAULTS: ReadonlySet<WeaknessKind> = new Set<WeaknessKind>([
  'proxy_not_trusted',
  'proxy_trusts_everybody',
  'mail_links_misled',
  'secret_keys_differ',
  'webhook_secrets_unencrypted',
  'webhook_secret_key_missing',
  'second_factors_unencrypted',
  'second_factor_key_missing',
  'reclaim_before_rental_end',
]);

export function isFault({ kind }: Weakness): boolean {
  return FAULTS.has(kind);
}

export interface WeaknessDocument {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
  readonly next_step: string;
}

export function textOf(weakness: Weakness, language: Language): WeaknessDocument {
  const { kind, subject, parameters } = weakness;
  // The parameters were made for this kind.
  const { reason, nextStep } = LANGUAGES[language].weaknesses[kind] as WeaknessText<WeaknessKind>;
  return { kind, subject, reason: reason(parameters), next_step: nextStep(parameters) };
}
