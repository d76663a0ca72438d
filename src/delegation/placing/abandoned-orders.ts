import { Injectable, Logger } from '@nestjs/common';
import { BillingService } from '../../billing/billing.service';
import { Shutdown } from '../../common/shutdown';
import { Sql } from '../../database/sql';
import type { OrderRecord } from '../order-row';
import { ABANDONED_ACTIVATING, CHANGE_STATES } from '../order.statements';
import { statesBefore } from '../order.states';

const REASON = { reason: 'interrupted before it was signed' };

/**
 * What an instance left behind when it died. Orders with a signed delegation need nothing: the chain decides and the follower of
 * any instance sees it. An order that died before its delegation was signed can never land, so it is closed here.
 */
@Injectable()
export class AbandonedOrders {
  private readonly logger = new Logger(AbandonedOrders.name);

  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
    private readonly shutdown: Shutdown,
  ) {}

  async recover(): Promise<void> {
    const left: string[] = [];
    while (!this.shutdown.signal.aborted && (await this.closeOne(left)));
  }

  /** One order a transaction: two instances that lock several accounts each could wait for one another. */
  private async closeOne(left: string[]): Promise<boolean> {
    let id: string | undefined;
    try {
      return await this.sql.transaction(async (tx) => {
        const order = await tx.row<OrderRecord>(ABANDONED_ACTIVATING, [left]);
        if (!order) return false;
        id = order.id;
        if ((await this.billing.lockToSettle(tx, [id])).has(id)) {
          // Somebody has its account locked: the next run comes back for it.
          left.push(id);
          return true;
        }
        await tx.execute(CHANGE_STATES, [
          JSON.stringify([{ id, detail: REASON }]),
          [id],
          statesBefore('failed'),
          'failed',
        ]);
        await this.billing.release(tx, id);
        return true;
      });
    } catch (error) {
      if (id === undefined) throw error;
      // One that cannot be closed keeps no other from being closed; the next run tries it again.
      this.logger.error({ delegation: id, err: error }, 'An abandoned order could not be closed');
      left.push(id);
      return true;
    }
  }
}
