import { Injectable } from '@nestjs/common';
import type { Operator } from '../audit-log/audit-log';
import { type Least, PlanSweeps, type SweepPlan } from '../deposits/sweeps/plan-sweeps';
import { SendSweeps } from '../deposits/sweeps/send-sweeps';
import type { SignedEntry } from '../deposits/sweeps/sweep-file';
import { TakeSigned } from '../deposits/sweeps/take-signed';

/** What operators have swept to the treasury, each act with its entry in the audit log. */
@Injectable()
export class SweepAdminService {
  constructor(
    private readonly planSweeps: PlanSweeps,
    private readonly takeSigned: TakeSigned,
    private readonly sendSweeps: SendSweeps,
  ) {}

  /** Into a file that is not there yet. @throws DomainError, NodeUnavailableError */
  plan(operator: Operator, file: string, least: Least): Promise<SweepPlan> {
    return this.planSweeps.plan(operator, file, least);
  }

  /** What can be sent now is sent; the running service goes on with the rest. @throws DomainError, NodeUnavailableError */
  async send(operator: Operator, signed: readonly SignedEntry[]): Promise<void> {
    await this.takeSigned.take(operator, signed);
    await this.sendSweeps.run();
  }
}
