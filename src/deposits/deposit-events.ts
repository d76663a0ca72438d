import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock';
import { convert } from '../common/convert';
import type { SqlTransaction } from '../database/sql';
import { EventOutbox } from '../webhooks/event-outbox';
import type { DepositEventType } from '../webhooks/webhook-events';
import { DepositLookup } from './deposit-lookup';
import { DepositResponse } from './dto/deposit.response';

/** Tells webhooks of deposits, in the transaction that makes it true. */
@Injectable()
export class DepositEvents {
  constructor(
    private readonly lookup: DepositLookup,
    private readonly outbox: EventOutbox,
    private readonly clock: Clock,
  ) {}

  async write(tx: SqlTransaction, event: DepositEventType, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const timestamp = this.clock.now().toISOString();
    const views = await this.lookup.find(ids, tx);
    await this.outbox.write(
      tx,
      views.map((view) => ({ userId: view.user_id, event, timestamp, data: convert(DepositResponse, view) })),
    );
  }
}
