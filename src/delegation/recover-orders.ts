import { Injectable } from '@nestjs/common';
import { BillingService } from '../billing/billing.service';
import { Sql } from '../database/sql';
import type { DelegationRecord } from './delegation-row';
import { ABANDONED_ACTIVATING, CHANGE_STATE } from './delegation.statements';
import { statesBefore } from './delegation.states';

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
    await this.sql.transaction(async (tx) => {
      for (const order of await tx.rows<DelegationRecord>(ABANDONED_ACTIVATING)) {
        await tx.execute(CHANGE_STATE, [
          order.id,
          statesBefore('failed'),
          'failed',
          JSON.stringify({ reason: 'interrupted before it was signed' }),
        ]);
        await this.billing.release(tx, order.id);
      }
    });
  }
}
