import type { Weakness, WeaknessKind } from '../common/weakness';
import { ENGLISH } from './messages/en';
import type { WeaknessMessages, WeaknessText } from './messages/weakness-messages';
import { CHINESE } from './messages/zh';

export const WEAKNESS_MESSAGES = { en: ENGLISH, zh: CHINESE } as const satisfies Record<string, WeaknessMessages>;

/** These keep something from working, or let strangers through: `doctor` finds them. An owner may want the others so: `doctor` warns of them. */
const FAULTS: ReadonlySet<WeaknessKind> = new Set<WeaknessKind>([
  'proxy_not_trusted',
  'proxy_trusts_everybody',
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

export function textOf(weakness: Weakness, language: keyof typeof WEAKNESS_MESSAGES): WeaknessDocument {
  const { kind, subject, parameters } = weakness;
  // The parameters were made for this kind.
  const { reason, nextStep } = WEAKNESS_MESSAGES[language][kind] as WeaknessText<WeaknessKind>;
  return { kind, subject, reason: reason(parameters), next_step: nextStep(parameters) };
}
