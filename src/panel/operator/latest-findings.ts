import { Injectable } from '@nestjs/common';
import { NodeUnavailableError } from '../../chain/node/node-errors';
import { Clock } from '../../common/clock';
import { Audit, type AuditReport } from '../../delegation/audit/audit';

export interface Findings extends Pick<AuditReport, 'checked' | 'findings'> {
  readonly at: Date;
  /** False: the node could not be asked, so half of the check is missing. */
  readonly complete: boolean;
}

/** A check reads every order and asks the node for every pair: often enough for people, and once for all who look. */
const FRESH_MS = 60_000;

@Injectable()
export class LatestFindings {
  last: Findings | null = null;
  private checkedAtMs = Number.NEGATIVE_INFINITY;
  private checking: Promise<Findings> | null = null;

  constructor(
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<Findings> {
    const fresh = this.clock.monotonicMs() - this.checkedAtMs < FRESH_MS;
    return this.last && fresh ? this.last : this.check();
  }

  /** Those who ask while a check runs get its result. */
  check(): Promise<Findings> {
    this.checking ??= this.run().finally(() => (this.checking = null));
    return this.checking;
  }

  private async run(): Promise<Findings> {
    const at = this.clock.now();
    try {
      const { checked, findings } = await this.audit.run();
      this.last = { at, complete: true, checked, findings };
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      this.last = { at, complete: false, checked: this.last?.checked ?? {}, findings: this.last?.findings ?? [] };
    }
    this.checkedAtMs = this.clock.monotonicMs();
    return this.last;
  }
}
