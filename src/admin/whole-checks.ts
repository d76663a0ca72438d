import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Operator } from '../audit-log/audit-log';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import type { CheckOutcome } from '../reconciliation/reconciliation.entities';
import {
  type CheckResult,
  RENEWAL_MS,
  WholeCheckRepository,
} from '../reconciliation/whole-check/whole-check.repository';
import { CheckAdminService } from './check-admin.service';

/**
 * A check of everything, as `reconcile` on the command line makes it, begun in the panel: with millions of rows it takes minutes, so
 * it goes on behind the request, and its end stands in the database, where every instance shows it.
 */
@Injectable()
export class WholeChecks implements OnApplicationShutdown {
  private readonly logger = new Logger(WholeChecks.name);
  private renewal: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: WholeCheckRepository,
    private readonly admin: CheckAdminService,
  ) {}

  /** Null while another one is under way on any instance; else what settles when it has ended. */
  async begin(operator: Operator): Promise<{ readonly ended: Promise<void> } | null> {
    const run = await this.store.claim(operator.id);
    return run === null ? null : { ended: this.perform(run, operator) };
  }

  /** Shutdown does not wait for it: the claim runs out, and the page says that it broke off. */
  onApplicationShutdown(): void {
    clearInterval(this.renewal);
  }

  /** Never throws: no caller awaits it. */
  private async perform(run: bigint, operator: Operator): Promise<void> {
    const renewal = setInterval(() => void this.store.renew(run).catch(() => undefined), RENEWAL_MS);
    this.renewal = renewal;
    try {
      const { outcome, result } = await this.check(operator);
      await this.store.end(run, outcome, result);
    } catch (error) {
      this.logger.error({ err: error }, 'The end of a check could not be written down');
    } finally {
      clearInterval(renewal);
    }
  }

  private async check(operator: Operator): Promise<{ outcome: CheckOutcome; result: CheckResult | null }> {
    try {
      const { checked, findings, alarms, mended, paused, resumed } = await this.admin.reconcile(operator, 'whole');
      const found = findings.length + alarms.length;
      return { outcome: 'done', result: { checked, found, corrected: mended, paused, resumed } };
    } catch (error) {
      if (error instanceof NodeUnavailableError) return { outcome: 'unreachable', result: null };
      this.logger.error({ err: error }, 'A check of everything broke off');
      return { outcome: 'failed', result: null };
    }
  }
}
