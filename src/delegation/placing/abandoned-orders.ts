import { Injectable, Logger } from '@nestjs/common';
import { BillingService } from '../../billing/billing.service';
import { Shutdown } from '../../common/shutdown';
import { Sql } from '../../database/sql';
import { OrderEvents } from '../order-events';
import { OrderRepository } from '../order.repository';

const REASON = { reason: 'interrupted before it was signed' };

/**
 * What an instance left behind when it ended. Orders with a signed delegation need nothing: the chain decides and the follower of
 * any instance sees it. An order whose delegation was never signed can never land, so it is closed here.
 */
@Injectable()
export class AbandonedOrders {
  private readonly logger = new Logger(AbandonedOrders.name);

  constructor(
    private readonly sql: Sql,
    private readonly orders: OrderRepository,
    private readonly billing: BillingService,
    private readonly events: OrderEvents,
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
        const order = await this.orders.lockAbandoned(tx, left);
        if (!order) return false;
        id = order.id;
        if ((await this.billing.lockToSettle(tx, [id])).has(id)) {
          // Another transaction has its account locked: the next run comes back for it.
          left.push(id);
          return true;
        }
        const closed = await this.orders.changeStates(tx, [{ id, detail: REASON }], 'failed');
        await this.events.changed(
          tx,
          closed.map((one) => ({ id: one, state: 'failed' })),
        );
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
