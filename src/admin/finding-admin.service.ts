import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { checkNote } from '../balance/movement-values';
import { InvalidValueError, DomainError } from '../common/errors/domain.error';
import { formatTrx } from '../common/money/sun';
import { FindingRepository } from '../findings/finding.repository';
import type { FindingView, LockedFinding } from '../findings/finding.statements';

export interface Acknowledgement {
  readonly note: string;
  /** The amount that the operator has read; whatever the finding says now when it is left out. */
  readonly seenSun?: bigint;
}

/** What operators do about findings, each act in one transaction with its entry in the audit log. */
@Injectable()
export class FindingAdminService {
  constructor(
    private readonly findings: FindingRepository,
    private readonly audit: AuditLog,
  ) {}

  /** For shortages: nothing can be put right about them, so that they would be found for ever. */
  acknowledge(operator: Operator, id: bigint, { note, seenSun }: Acknowledgement): Promise<FindingView> {
    const written = checkNote(note.trim());
    if (written === '') throw new InvalidValueError('a note says what it was');
    const act = { action: 'finding.acknowledge', subject: `finding ${id}`, asked: { note: written } };
    return this.audit.record(operator, act, async (tx) => {
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
  if (kind !== 'shortage') {
    throw new DomainError(`only a shortage can be acknowledged: ${kind} is gone when what it says is put right`);
  }
  if (finding.is_acknowledged) throw new DomainError(`finding ${id} was acknowledged before`);
  if (finding.is_resolved) throw new DomainError(`finding ${id} is gone`);
  if (amountSun === null) throw new DomainError(`the amount of finding ${id} is not known: reconcile first`);
  if (seenSun !== undefined && seenSun !== amountSun) {
    throw new DomainError(
      `the shortage has changed meanwhile, to ${formatTrx(amountSun)} TRX: nothing was acknowledged`,
    );
  }
  return amountSun;
}
