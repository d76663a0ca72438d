import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { checkNote } from '../balance/movement-values';
import { InvalidValueError, DomainError } from '../common/errors/domain.error';
import { FindingRepository } from '../findings/finding.repository';
import type { FindingView, LockedFinding } from '../findings/finding.statements';
import { UseQuarantine } from '../reconciliation/uses/use-quarantine.service';

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
    private readonly quarantine: UseQuarantine,
    private readonly auditLog: AuditLog,
  ) {}

  /** For what nothing can put right, so that it would be found for ever. A wallet whose last open finding this was takes orders again. */
  acknowledge(operator: Operator, id: bigint, { note, seenSun }: Acknowledgement): Promise<FindingView> {
    const written = checkNote(note.trim());
    if (written === '') throw new InvalidValueError('finding.note-missing');
    const act = { action: 'finding.acknowledge', subject: `finding ${id}`, asked: { note: written } } as const;
    return this.auditLog.record(operator, act, async (tx) => {
      const finding = await this.findings.lock(id, tx);
      const amountSun = amountToAcknowledge(id, finding, seenSun);
      const { kind, subject, wallet_id: walletId } = finding;
      const result = await this.findings.acknowledge(id, written, tx);
      if (walletId !== null) await this.quarantine.resumeOne(operator, walletId, tx);
      return { result, after: { kind, subject, ...amountSun, note: written } };
    });
  }
}

function amountToAcknowledge(
  id: bigint,
  { kind, ...finding }: LockedFinding,
  seenSun: bigint | undefined,
): { amount_sun?: string } {
  if (finding.is_acknowledged) throw new DomainError('finding.acknowledged-before', { id });
  if (finding.is_resolved) throw new DomainError('finding.resolved', { id });
  if (!finding.can_be_acknowledged) throw new DomainError('finding.no-shortage', { kind });
  if (kind !== 'shortage') return {};
  const { amount_sun: amountSun } = finding;
  if (amountSun === null) throw new DomainError('finding.amount-unknown', { id });
  if (seenSun !== undefined && seenSun !== amountSun) {
    throw new DomainError('finding.shortage-changed', { amountSun });
  }
  return { amount_sun: amountSun.toString() };
}
