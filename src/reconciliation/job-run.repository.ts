import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

const LAST_RUN = statement<[], { ran_at: Date }>(
  'panel-findings-last-run',
  `select ran_at from job_runs where name = 'reconcile'`,
);

/** When the reconciliation, which one instance does for all, was last begun. */
@Injectable()
export class JobRunRepository {
  constructor(private readonly sql: Sql) {}

  /** Null before the first. */
  async lastRunAt(): Promise<Date | null> {
    return (await this.sql.row(LAST_RUN))?.ran_at ?? null;
  }
}
