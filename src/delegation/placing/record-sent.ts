import { Injectable } from '@nestjs/common';
import { Outbox, type Sent } from '../../chain/transactions/outbox/outbox';
import { awaitAll } from '../../common/concurrency/await-all';
import { Sql } from '../../database/sql';
import { DatabaseRetry } from '../database-retry';
import { OrderRepository } from '../order.repository';

/** Notes what the nodes said, and that the order was sent. */
@Injectable()
export class RecordSent {
  constructor(
    private readonly sql: Sql,
    private readonly outbox: Outbox,
    private readonly orders: OrderRepository,
    private readonly databaseRetry: DatabaseRetry,
  ) {}

  record(orderId: string, sent: Sent): Promise<unknown> {
    return this.databaseRetry.throughOutage(() =>
      this.sql.transaction((tx) => awaitAll(this.outbox.record(tx, [sent]), this.orders.markSent(tx, orderId))),
    );
  }
}
