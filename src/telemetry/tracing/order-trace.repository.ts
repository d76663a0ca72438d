import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';

interface OrderedEvent {
  readonly at: Date;
  readonly traceparent: string | null;
}

const ORDERED = statement<[orderId: string], OrderedEvent>(
  'trace_of_order',
  `select at, detail->>'traceparent' as traceparent from delegation_events
    where delegation_id = $1 and kind = 'ordered' limit 1`,
);

@Injectable()
export class OrderTraceRepository {
  constructor(private readonly sql: Sql) {}

  /** When the order was placed, and the trace that its request belonged to. */
  find(orderId: string): Promise<OrderedEvent | null> {
    return this.sql.row(ORDERED, [orderId]);
  }
}
