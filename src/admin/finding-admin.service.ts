import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { checkNote } from '../balance/movement-values';
import { InvalidValueError, DomainError } from '../common/errors/domain.error';
import { FindingRepository } from '../findings/finding.repository';
import type { FindingView, LockedFinding } from '../findings/finding.statements';

export interface Acknowledgement {
  readonly note: string;
  /** The amount that the operator has read; left out, the finding's current one. */
  readonly seenSun?: bigint;
}

/** What operators do about findings, each act in one transaction with its entry in the audit log. */
@Injectable()
export class FindingAdminService {
  constructor(
    private readonly findings: FindingRepository,
    private readonly auditLog: AuditLog,
  ) {}

  /** For shortages only: nothing can repair them, so they would be found for ever. */
  acknowledge(operator: Operator, id: bigint, { note, seenSun }: Acknowledgement): Promise<FindingView> {
    const written = checkNote(note.trim());
    if (written === '') throw new InvalidValueError('finding.note-missing');
    const act = { action: 'finding.acknowledge', subject: `finding ${id}`, asked: { note: written } };
    return this.auditLog.record(operator, act, async (tx) => {
      const finding = await this.findings.lock(id, tx);
      const amountSun = amountToAcknowledge(id, finding, seenSun);
      const { kind, subject } = finding;
      const after = { kind, subject, amount_sun: amountSun.toString(), note: written };
      return { result: await this.findings.acknowledge(id, written, tx), after };
    });
  }
}

function amountToAcknowledge(id: bigint, finding: LockedFinding, seenSun: bigint | undefined): bigint {
  const { kind, amount_sun: amountSun } = finding;
  if (kind !== 'shortage') throw new DomainError('finding.no-shortage', { kind });
  if (finding.is_acknowledged) throw new DomainError('finding.acknowledged-before', { id });
  if (finding.is_resolved) throw new DomainError('finding.resolved', { id });
  if (amountSun === null) throw new DomainError('finding.amount-unknown', { id });
  if (seenSun !== undefined && seenSun !== amountSun) {
    throw new DomainError('finding.shortage-changed', { amountSun });
  }
  return amountSun;
}
