import type { Finding } from '../findings/finding';
import type { FindingView } from '../findings/finding.store';
import type { Document } from './output';

export const FOUND_COLUMNS = ['id', 'kind', 'subject', 'reason', 'next_step'] as const;

/** As found this moment; the id is of the row that the reconciler keeps, null until it has one. */
export function foundNow(findings: readonly Finding[], ids: ReadonlyMap<string, bigint>): Document[] {
  return findings.map(({ kind, subject, reason, next_step }) => ({
    id: ids.get(`${kind} ${subject}`)?.toString() ?? null,
    kind,
    subject,
    reason,
    next_step,
  }));
}

export function storedFinding(finding: FindingView): Document {
  return { ...finding, id: finding.id.toString() };
}
