import { Injectable } from '@nestjs/common';
import { AuditLog, type Operator } from '../audit-log/audit-log';
import { type Sweep, ReclaimSweeper } from '../delegation/reclaim/reclaim.sweeper';
import { type Reconciliation, Reconciler } from '../reconciliation/reconciler';

const SERVICE = { subject: 'service' };

/** Operator's acts that involve the chain: logged before they begin and when they have ended. */
@Injectable()
export class CheckAdminService {
  constructor(
    private readonly reconciler: Reconciler,
    private readonly sweeper: ReclaimSweeper,
    private readonly auditLog: AuditLog,
  ) {}

  /** With all consequences: repairs what is safe, and pauses wallets that are not explained. */
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
