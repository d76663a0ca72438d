import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Pool } from 'pg';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { WalletsWithoutKey } from '../chain/pool/wallets/wallets-without-key';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { Clock } from '../common/clock';
import { KeptRead } from '../common/concurrency/kept-read';
import { findPendingMigrations } from '../database/migrate-database';
import { DatabaseIdentity } from '../database/identity/database-identity';
import { PG_POOL, Sql } from '../database/sql';
import { probeRoom } from '../database/write-probe';
import { DepositProgress } from '../deposits/deposit-progress';
import { OrderWrites } from '../delegation/order-writes';
import type { ReadinessChecks } from './health.response';

export interface ReadinessReport {
  readonly ready: boolean;
  readonly checks: ReadinessChecks;
  /** Why the chain or the database is not to be gone by: of blocks only, never of addresses. */
  readonly reason?: string;
}

/** Why a check has not passed. */
type Fault = Error | null;

class RestoredDatabaseError extends Error {
  readonly reason = 'this database was restored or copied: nothing is signed until restore:confirm';

  constructor() {
    super('it was restored or copied, and no operator has confirmed it (restore:confirm)');
  }
}

/** Probes of many kinds, and anybody: all of them cost the database what one of them a second does. */
const KEPT_MS = 1_000;

/** Whether an order placed now could succeed. Reasons are logged; the answer is public and names none but the chain's, and that an operator has to decide. */
@Injectable()
export class Readiness {
  private readonly logger = new Logger(Readiness.name);
  private readonly database: KeptRead<Readonly<Record<'database' | 'migrations' | 'signer', Fault>>>;

  constructor(
    @Inject(PG_POOL) private readonly pool: Pool,
    private readonly sql: Sql,
    private readonly orderWrites: OrderWrites,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly identity: DatabaseIdentity,
    private readonly withoutKey: WalletsWithoutKey,
    @Inject(CONFIGURATION) private readonly configuration: Pick<Configuration, 'signer'>,
    private readonly deposits: DepositProgress,
    clock: Clock,
  ) {
    this.database = new KeptRead(clock, KEPT_MS, async () => ({
      database: await this.faultOf('database', () => this.refuseUnwritable()),
      migrations: await this.faultOf('migrations', () => this.refusePendingMigrations()),
      signer: await this.faultOf('signer', () => this.refuseWithoutSigner()),
    }));
  }

  async report(): Promise<ReadinessReport> {
    const { database, migrations, signer } = await this.database.get();
    const faults = {
      // Orders note in memory what they met: that is asked each time.
      database: database ?? (await this.faultOf('database', () => this.refuseUnwritten())),
      migrations,
      // From what is known of the chain: a probe asks no node.
      node: await this.faultOf('node', () => this.referenceBlocks.requireFinality()),
      signer,
    };
    const checks = {
      database: outcomeOf(faults.database),
      migrations: outcomeOf(faults.migrations),
      node: outcomeOf(faults.node),
      ...((this.configuration.signer || faults.signer) && { signer: outcomeOf(faults.signer) }),
      ...(this.deposits.isOn && { deposits: await this.depositsOutcome() }),
    };
    const errors = Object.values(faults).filter((fault) => fault !== null);
    const said = errors.find(
      (error) => error instanceof RestoredDatabaseError || error instanceof NodeUnavailableError,
    );
    return { ready: errors.length === 0, checks, ...(said && { reason: said.reason }) };
  }

  /** It says nothing of orders. */
  private async depositsOutcome(): Promise<'ok' | 'behind'> {
    const isReady = await this.deposits.isReady().catch(() => false);
    return isReady ? 'ok' : 'behind';
  }

  /** What a check has thrown. */
  private async faultOf(name: string, check: () => Promise<unknown>): Promise<Fault> {
    return check().then(
      () => null,
      (reason: unknown) => {
        const fault = reason instanceof Error ? reason : new Error(String(reason));
        this.logger.warn(`Not ready, ${name}: ${fault.message}`);
        return fault;
      },
    );
  }

  /** Restored, or full. */
  private async refuseUnwritable(): Promise<void> {
    if ((await this.identity.findDifference()) !== null) throw new RestoredDatabaseError();
    await probeRoom(this.sql);
  }

  /** Where the signer has some of the keys, and no wallet is left that lends by another. */
  private async refuseWithoutSigner(): Promise<void> {
    if (await this.withoutKey.areNoneLeftBySigner())
      throw new Error('the signer signs for none of the wallets that lend');
  }

  private async refuseUnwritten(): Promise<void> {
    const refusal = this.orderWrites.lastRefusal();
    if (refusal !== null) throw new Error(`an order could not be written: ${refusal}`);
  }

  private async refusePendingMigrations(): Promise<void> {
    const pending = await findPendingMigrations(this.pool);
    if (pending.length > 0) throw new Error(`not applied yet: ${pending.join(', ')}`);
  }
}

function outcomeOf(fault: Fault): 'ok' | 'failed' {
  return fault === null ? 'ok' : 'failed';
}
