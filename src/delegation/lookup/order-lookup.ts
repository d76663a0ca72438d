import { Injectable } from '@nestjs/common';
import { type HistoryEntry, OrderEventRepository, type PagedHistoryEntry } from '../order-event.repository';
import {
  type OrderCriteria,
  type OrderScope,
  type OrderTarget,
  type OrderView,
  OrderViewRepository,
} from './order-view.repository';

export type { HistoryEntry, OrderCriteria, OrderScope, OrderTarget, OrderView, PagedHistoryEntry };

/** Orders and their histories, for their callers and for operators. */
@Injectable()
export class OrderLookup {
  constructor(
    private readonly views: OrderViewRepository,
    private readonly events: OrderEventRepository,
  ) {}

  /** Newest first, paged by key. */
  list(criteria: OrderCriteria): Promise<OrderView[]> {
    return this.views.list(criteria);
  }

  /** Null when there is none in this scope. */
  find(id: string, scope?: OrderScope): Promise<OrderView | null> {
    return this.views.find(id, scope);
  }

  /** Receiver and txid of many orders, by order. */
  targets(ids: readonly string[]): Promise<Map<string, OrderTarget>> {
    return this.views.targets(ids);
  }

  history(id: string): Promise<HistoryEntry[]> {
    return this.events.history(id);
  }

  /** Oldest first, paged by key. */
  historyPage(id: string, page: { after: bigint | null; limit: number }): Promise<PagedHistoryEntry[]> {
    return this.events.historyPage(id, page);
  }

  /** Histories of many orders, by order. */
  histories(ids: readonly string[]): Promise<Map<string, HistoryEntry[]>> {
    return this.events.histories(ids);
  }
}
