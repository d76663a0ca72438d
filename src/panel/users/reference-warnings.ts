import type { ReferenceOutcome } from '../../admin/money-admin.service';
import type { Outcome } from '../http/visit';
import type { Messages } from '../messages/catalogues';

/** With what the command line warns of (cli/reference.warnings.ts). Of what was refused as a repetition, nothing was done that could be looked up. */
export function withWarnings(
  { kind, text }: Outcome,
  { reference, lookedUp, otherWithReference: other }: ReferenceOutcome,
  messages: Messages['user'],
): Outcome {
  const warnings = [
    ...(lookedUp && kind === 'done' ? [messages.lookedUp] : []),
    ...(other === null ? [] : [messages.otherWithReference(reference, other)]),
  ];
  if (warnings.length === 0) return { kind, text };
  return { kind: kind === 'done' ? 'attention' : kind, text: [text, ...warnings].join(' ') };
}
