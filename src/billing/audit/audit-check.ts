import type { Queryable, Statement } from '../../database/sql';

/** Something that must not be, told to an operator. */
export interface Finding {
  kind: string;
  subject: string;
  reason: string;
  next_step: string;
}

/**
 * One rule about the rows. Its statement returns `subject` and `reason` for each row that breaks it; being one statement
 * it sees one snapshot, so that orders in flight are never half seen.
 */
export interface AuditCheck {
  readonly kind: string;
  readonly statement: Statement;
  readonly nextStep: string;
}

export async function runChecks(db: Queryable, checks: readonly AuditCheck[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { kind, statement, nextStep } of checks) {
    const rows = await db.rows<{ subject: string; reason: string }>(statement);
    findings.push(...rows.map(({ subject, reason }) => ({ kind, subject, reason, next_step: nextStep })));
  }
  return findings;
}
