import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { ChainReads } from '../chain/node/chain-reads';
import { findPendingMigrations } from '../database/migrate-database';
import { PG_POOL } from '../database/sql';
import type { ReadinessChecks } from './health.response';

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: ReadinessChecks;
}

/** Whether an order placed now could succeed. Reasons are logged; the answer is public and names none. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger(Readiness.name);

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly chain: ChainReads,
  ) {}

  async report(): Promise<ReadinessReport> {
    const checks = {
      database: await this.passes('database', () => this.pool.query('select 1')),
      migrations: await this.passes('migrations', () => this.refusePendingMigrations()),
      // A node of another chain counts as missing (genesis-check.ts).
      node: await this.passes('node', () => this.chain.head('wallet')),
    };
    return { ready: Object.values(checks).every((outcome) => outcome === 'ok'), checks };
  }

  private async refusePendingMigrations(): Promise<void> {
    const pending = await findPendingMigrations(this.pool);
    if (pending.length > 0) throw new Error(`not applied yet: ${pending.join(', ')}`);
  }

  private async passes(name: string, check: () => Promise<unknown>): Promise<'ok' | 'failed'> {
    try {
      await check();
      return 'ok';
    } catch (error) {
      this.logger.warn(`Not ready, ${name}: ${error instanceof Error ? error.message : String(error)}`);
      return 'failed';
    }
  }
}
