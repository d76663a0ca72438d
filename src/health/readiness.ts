import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { NodeUnavailableError } from '../chain/node/node-errors';
import { ReferenceBlocks } from '../chain/reference-blocks';
import { findPendingMigrations } from '../database/migrate-database';
import { DatabaseIdentity } from '../database/identity/database-identity';
import { PG_POOL, Sql } from '../database/sql';
import { probeRoom } from '../database/write-probe';
import { OrderWrites } from '../delegation/order-writes';
import type { ReadinessChecks } from './health.response';

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: ReadinessChecks;
  /** Why the chain or the database is not to be gone by: of blocks only, never of addresses. */
  readonly reason?: string;
}

class RestoredDatabaseError extends Error {
  readonly reason = 'this database was restored or copied: nothing is signed until restore:confirm';

  constructor() {
    super('it was restored or copied, and no operator has confirmed it (restore:confirm)');
  }
}

/** Whether an order placed now could succeed. Reasons are logged; the answer is public and names none but the chain's, and that an operator has to decide. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger(Readiness.name);

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly sql: Sql,
    private readonly orderWrites: OrderWrites,
    private readonly references: ReferenceBlocks,
    private readonly identity: DatabaseIdentity,
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
      database: await passes('database', () => this.refuseUnwritable()),
      migrations: await passes('migrations', () => this.refusePendingMigrations()),
      // From what is known of the chain: a probe asks no node.
      node: await passes('node', () => this.references.requireFinality()),
    };
    const said = errors.find(
      (error) => error instanceof RestoredDatabaseError || error instanceof NodeUnavailableError,
    );
    return { ready: errors.length === 0, checks, ...(said && { reason: said.reason }) };
  }

  /** Restored, full, or known to refuse what orders write. */
  private async refuseUnwritable(): Promise<void> {
    if ((await this.identity.findDifference()) !== null) throw new RestoredDatabaseError();
    const refusal = this.orderWrites.lastRefusal();
    if (refusal !== null) throw new Error(`an order could not be written: ${refusal}`);
    await probeRoom(this.sql);
  }

  private async refusePendingMigrations(): Promise<void> {
    const pending = await findPendingMigrations(this.pool);
    if (pending.length > 0) throw new Error(`not applied yet: ${pending.join(', ')}`);
  }
}
