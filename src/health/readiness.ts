import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { NodeUnavailableError } from '../chain/node/node-errors';
import { ReferenceBlocks } from '../chain/reference-blocks';
import { findPendingMigrations } from '../database/migrate-database';
import { PG_POOL } from '../database/sql';
import type { ReadinessChecks } from './health.response';

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: ReadinessChecks;
  /** Why the chain is not to be gone by: of blocks only, never of addresses of nodes. */
  readonly reason?: string;
}

/** Whether an order placed now could succeed. Reasons are logged; the answer is public and names none but the chain's. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger(Readiness.name);

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly references: ReferenceBlocks,
  ) {}

  async report(): Promise<ReadinessReport> {
    const errors: unknown[] = [];
    const passes = async (name: string, check: () => Promise<unknown>) =>
      check().then(
        () => 'ok' as const,
        (error: unknown) => {
          this.logger.warn(`Not ready, ${name}: ${error instanceof Error ? error.message : String(error)}`);
          errors.push(error);
          return 'failed' as const;
        },
      );
    const checks = {
      database: await passes('database', () => this.pool.query('select 1')),
      migrations: await passes('migrations', () => this.refusePendingMigrations()),
      // From what is known of the chain: a probe asks no node.
      node: await passes('node', () => this.references.headTimeMs()),
    };
    const unavailable = errors.find((error) => error instanceof NodeUnavailableError);
    return { ready: errors.length === 0, checks, ...(unavailable && { reason: unavailable.reason }) };
  }

  private async refusePendingMigrations(): Promise<void> {
    const pending = await findPendingMigrations(this.pool);
    if (pending.length > 0) throw new Error(`not applied yet: ${pending.join(', ')}`);
  }
}
