import { trxLiteral } from '../common/money/sun';
import type { ActionCode, FindingKind, FindingParameters, ReasonCode } from '../common/finding-reasons';
import type { FindingSubject } from '../common/finding-subject';

interface FindingMessage<Code extends ReasonCode> {
  readonly reason: (parameters: FindingParameters[Code]) => string;
  /** An act that is safe. */
  readonly nextStep: string;
}

/** What findings say in one language. A language that lacks a text does not compile. */
export interface FindingMessages {
  readonly kind: (kind: FindingKind) => string;
  readonly subject: (subject: FindingSubject) => string;
  readonly reasons: { readonly [Code in ReasonCode]: FindingMessage<Code> };
  /** `wallet`: the one that the finding is about. */
  readonly actions: Readonly<Record<ActionCode, (wallet: string) => string>>;
}

const NO_AMOUNTS: ReadonlySet<string> = new Set(['permissions', 'used_block']);

/** What stands in `changed` of a wallet: a name, what was, and what is. */
export function changesIn(
  changed: string,
): { readonly name: string; readonly before: string; readonly after: string }[] {
  return changed.split(', ').map((one) => {
    const [name = '', before = '', after = ''] = one.split(' ');
    const shown = (value: string) =>
      name === 'last_operation' ? time(value) : NO_AMOUNTS.has(name) ? value : trx(value);
    return { name, before: shown(before), after: shown(after) };
  });
}

function time(ms: string): string {
  return /^\d{1,15}$/.test(ms) ? new Date(Number(ms)).toISOString() : ms;
}

/** With as many decimals as it needs; as text where a row has no number. */
export function trx(sun: string): string {
  return /^-?\d{1,40}$/.test(sun) ? trxLiteral(BigInt(sun)) : sun;
}
