import { Inject, Injectable, Logger } from '@nestjs/common';
import { ReferenceBlocks } from '../chain/reference-blocks';
import { Sql } from '../database/sql';
import type { DelegationRecord } from './delegation-row';
import { RECLAIM_LEASE_MS } from './leases';
import { ReclaimDelegation } from './reclaim-delegation';
import { CLAIM_DUE, COUNT_DUE, RECLAIM_FAILED } from './reclaim.statements';

export interface Sweep {
  readonly due: number;
  readonly sent: number;
  readonly failed: number;
}

const BATCH = 20;
const AT_ONCE = 5;

/** Takes back everything that is due by the time of a head that stands on the solid chain. One failing order backs off and stays visible; it never delays another. */
@Injectable()
export class ReclaimSweeper {
  private readonly logger = new Logger(ReclaimSweeper.name);

  constructor(
    @Inject(Sql) private readonly sql: Sql,
    private readonly references: ReferenceBlocks,
    private readonly reclaimDelegation: ReclaimDelegation,
  ) {}

  async sweep(): Promise<Sweep> {
    const counted = await this.sql.row<{ due: bigint }>(COUNT_DUE, [await this.references.headTimeMs()]);
    if (!counted?.due) return { due: 0, sent: 0, failed: 0 };
    const headTimeMs = await this.references.linkedHeadTimeMs();
    let sent = 0;
    let failed = 0;
    for (;;) {
      // A batch is no larger than what its lease surely covers.
      const claimed = await this.sql.rows<DelegationRecord>(CLAIM_DUE, [headTimeMs, BATCH, RECLAIM_LEASE_MS]);
      for (let at = 0; at < claimed.length; at += AT_ONCE) {
        const results = await Promise.all(claimed.slice(at, at + AT_ONCE).map((order) => this.reclaimOne(order)));
        sent += results.filter((result) => result === 'sent').length;
        failed += results.filter((result) => result === 'failed').length;
      }
      if (claimed.length < BATCH) return { due: Number(counted.due), sent, failed };
    }
  }

  private async reclaimOne(order: DelegationRecord): Promise<'sent' | 'waits' | 'failed'> {
    try {
      return (await this.reclaimDelegation.reclaim(order)) ? 'sent' : 'waits';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.error({ delegation: order.id, err: error }, 'A reclaim failed; it is tried again later');
      await this.sql.execute(RECLAIM_FAILED, [order.id, order.epoch, reason]).catch((lost: unknown) => {
        // The lease runs out by itself; the order is due again then.
        this.logger.error({ delegation: order.id, err: lost }, 'A failed reclaim was not recorded');
      });
      return 'failed';
    }
  }
}
