import { Inject, Injectable, Logger } from '@nestjs/common';
import { ReferenceBlocks } from '../../chain/reference-blocks';
import { SigningKeyError } from '../../chain/signing/signing-keys';
import { WalletRests } from '../../chain/wallets/wallet-rests';
import { Shutdown } from '../../common/shutdown';
import { Sql } from '../../database/sql';
import { RECLAIM_LEASE_MS } from '../leases';
import type { OrderRecord } from '../order-row';
import { ReclaimOrder } from './reclaim-order';
import { CLAIM_DUE, COUNT_DUE, GIVE_BACK, LOOK_AGAIN, RECLAIM_FAILED } from './reclaim.statements';

export interface Sweep {
  readonly due: number;
  readonly sent: number;
  readonly failed: number;
}

const BATCH = 20;
const AT_ONCE = 5;

/**
 * Takes back everything that is due by the time of a head that stands on the solid chain. One failing order backs off
 * and stays visible; it never delays another. When the service ends, the orders in hand are finished, and no other is begun.
 */
@Injectable()
export class ReclaimSweeper {
  private readonly logger = new Logger(ReclaimSweeper.name);

  constructor(
    @Inject(Sql) private readonly sql: Sql,
    private readonly references: ReferenceBlocks,
    private readonly reclaimOrder: ReclaimOrder,
    private readonly shutdown: Shutdown,
    private readonly rests: WalletRests,
  ) {}

  async sweep(): Promise<Sweep> {
    const counted = await this.sql.row<{ due: bigint }>(COUNT_DUE, [await this.references.headTimeMs()]);
    if (!counted?.due) return { due: 0, sent: 0, failed: 0 };
    const { signal } = this.shutdown;
    const headTimeMs = await this.references.verifiedHeadTimeMs(signal);
    let sent = 0;
    let failed = 0;
    // Theirs would fail, or wait, one after the other, while what others have lent is due.
    const waiting = new Set(await this.rests.waitingToReclaim());
    for (;;) {
      if (signal.aborted) return { due: Number(counted.due), sent, failed };
      // A batch is no larger than what its lease surely covers.
      const claimed = await this.sql.rows<OrderRecord>(CLAIM_DUE, [headTimeMs, BATCH, RECLAIM_LEASE_MS, [...waiting]]);
      for (let at = 0; at < claimed.length; at += AT_ONCE) {
        if (signal.aborted) {
          await this.giveBack(claimed.slice(at));
          break;
        }
        const results = await Promise.all(
          claimed.slice(at, at + AT_ONCE).map((order) => this.reclaimOne(order, waiting)),
        );
        sent += results.filter((result) => result === 'sent').length;
        failed += results.filter((result) => result === 'failed').length;
      }
      if (claimed.length < BATCH) return { due: Number(counted.due), sent, failed };
    }
  }

  /** Nothing of these was begun: another instance need not wait for the lease. */
  private async giveBack(claimed: readonly OrderRecord[]): Promise<void> {
    await this.sql.execute(GIVE_BACK, [claimed.map(({ id }) => id), claimed.map(({ epoch }) => epoch)]);
  }

  private async reclaimOne(order: OrderRecord, waiting: Set<string>): Promise<'sent' | 'waits' | 'failed'> {
    try {
      const result = waiting.has(order.wallet_id) ? 'rests' : await this.reclaimOrder.reclaim(order);
      if (result !== 'rests') return result;
      waiting.add(order.wallet_id);
      await this.sql.execute(LOOK_AGAIN, [order.id, order.epoch, null]);
      return 'waits';
    } catch (error) {
      if (error instanceof SigningKeyError) waiting.add(order.wallet_id);
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
