import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { type Sweep, ReclaimSweeper } from '../delegation/reclaim/reclaim.sweeper';
import { type Reconciliation, Reconciler } from '../reconciliation/reconciler';

const SERVICE = { subject: 'service' };

/** What an operator starts and the chain takes part in: written down before it begins and when it has ended. */
@Injectable()
export class CheckAdminService {
  constructor(
    private readonly reconciler: Reconciler,
    private readonly sweeper: ReclaimSweeper,
    private readonly auditLog: AuditLog,
  ) {}

  /** With all consequences: what is safe is repaired, and a wallet that is not explained is paused. */
  reconcile(operator: Operator, extent: 'whole' | 'changed'): Promise<Reconciliation> {
    return this.auditLog.recordAround(operator, { action: 'reconcile', ...SERVICE }, async () => {
      const result = await this.reconciler.run(extent);
      const { findings, alarms, mended, paused, resumed } = result;
      return { result, after: { findings: findings.length + alarms.length, mended, paused, resumed } };
    });
  }

  reclaimDue(operator: Operator): Promise<Sweep> {
    return this.auditLog.recordAround(operator, { action: 'reclaim.run', ...SERVICE }, async () => {
      const result = await this.sweeper.sweep();
      return { result, after: { ...result } };
    });
  }
}
