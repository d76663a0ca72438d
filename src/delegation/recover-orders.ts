import { Injectable } from '@nestjs/common';
import { BillingService } from '../billing/billing.service';
import { Sql, type SqlTransaction } from '../database/sql';
import type { DelegationRecord } from './delegation-row';
import { ABANDONED_ACTIVATING, CHANGE_STATE } from './delegation.statements';
import { statesBefore } from './delegation.states';

const REASON = JSON.stringify({ reason: 'interrupted before it was signed' });

/**
 * What an instance left behind when it died. Orders with a signed delegation need nothing: the chain decides and the follower of
 * any instance sees it. An order that died before its delegation was signed can never land, so it is closed here.
 */
@Injectable()
export class RecoverOrders {
  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
  ) {}

  async recover(): Promise<void> {
    while (await this.sql.transaction((tx) => this.closeOne(tx)));
  }

  /** One order a transaction: two instances that lock several accounts each could wait for one another. */
  private async closeOne(tx: SqlTransaction): Promise<boolean> {
    const order = await tx.row<DelegationRecord>(ABANDONED_ACTIVATING);
    if (!order) return false;
    await tx.execute(CHANGE_STATE, [order.id, statesBefore('failed'), 'failed', REASON]);
    await this.billing.release(tx, order.id);
    return true;
  }
}
