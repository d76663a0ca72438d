import { Injectable } from '@nestjs/common';
import type { SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
import { type WebhookEvent, wantsEvent } from './webhook-events';

export interface NewEvent {
  readonly userId: string;
  readonly event: WebhookEvent;
  /** ISO 8601: when it became true. */
  readonly timestamp: string;
  /** As it is shown; amounts are exact JSON numbers. */
  readonly data: object;
}

/** Stores the body once, and a row for each webhook of the user that wants the event. */
const WRITE = statement<[events: string]>(
  'webhook_write_events',
  `with given as materialized (
         select nextval('webhook_events_id_seq') as id, e.user_id, e.event, e.body
           from json_to_recordset($1::json) as e (user_id uuid, event text, body text)
       ), wanted as materialized (
         select e.id, e.event, e.body, w.id as webhook_id from given e join webhooks w on w.user_id = e.user_id
          where ${wantsEvent('e.event')}
       ), said as (
         insert into webhook_events (id, body) select distinct id, body from wanted
       )
       insert into webhook_deliveries (id, webhook_id, event, event_id, next_at, limited)
         select gen_random_uuid(), webhook_id, event, id, clock_timestamp(), event not like 'delegation.%'
           from wanted`,
);

/** Where the rest of the service puts events: into the transaction that makes them true, so that none is sent before its commit. */
@Injectable()
export class EventOutbox {
  private listener: () => void = () => undefined;

  /** There is one listener: the dispatcher, which need not wait for its next second then. */
  listen(listener: () => void): void {
    this.listener = listener;
  }

  /** Something is to be sent that was not before. */
  written(): void {
    this.listener();
  }

  async write(tx: SqlTransaction, events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map(({ userId, event, timestamp, data }) => ({
      user_id: userId,
      event,
      body: JSON.stringify({ type: event, timestamp, data }),
    }));
    await tx.execute(WRITE, [JSON.stringify(rows)]);
    tx.afterCommit(() => this.written());
  }
}
