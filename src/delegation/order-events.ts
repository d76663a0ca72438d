import { Injectable } from '@nestjs/common';
import { convert } from '../common/convert';
import type { SqlTransaction } from '../database/sql';
import { EventOutbox } from '../webhooks/event-outbox';
import type { OrderEventType } from '../webhooks/webhook-events';
import { OrderResponse } from './dto/order.response';
import { OrderLookup } from './lookup/order-lookup';
import type { OrderState } from '../common/order.states';

/** What a change into this state tells the caller; an order that is about to be taken back unpaid has failed. */
const EVENTS: Readonly<Partial<Record<OrderState, OrderEventType>>> = {
  included: 'delegation.included',
  delegated: 'delegation.delegated',
  failed: 'delegation.failed',
  taking_back: 'delegation.failed',
  reclaimed: 'delegation.reclaimed',
  taken_back: 'delegation.reclaimed',
};

/** Found in a final block without having been seen in a head block: it is in a block all the same. */
const ALSO_INCLUDED: readonly OrderState[] = ['delegated', 'taking_back'];

export interface OrderChange {
  readonly id: string;
  readonly state: OrderState;
  /** What it has left, where that is known. */
  readonly before?: OrderState;
}

/**
 * Tells webhooks of orders that have changed their state, in the transaction that changes it. An order is shown as it is there, by
 * the look-up's own answer.
 */
@Injectable()
export class OrderEvents {
  constructor(
    private readonly views: OrderLookup,
    private readonly outbox: EventOutbox,
  ) {}

  async changed(tx: SqlTransaction, changes: readonly OrderChange[]): Promise<void> {
    const events = changes.flatMap(({ id, ...change }) => eventsOf(change).map((event) => ({ id, event })));
    if (events.length === 0) return;
    const views = await this.views.wantedByWebhooks(tx, events);
    await this.outbox.write(
      tx,
      views.map((view) => ({
        userId: view.user_id,
        event: view.event,
        timestamp: view.now,
        data: convert(OrderResponse, view),
      })),
    );
  }
}

function eventsOf({ state, before }: Omit<OrderChange, 'id'>): OrderEventType[] {
  const event = EVENTS[state];
  if (event === undefined) return [];
  return ALSO_INCLUDED.includes(state) && before !== 'included' ? ['delegation.included', event] : [event];
}
