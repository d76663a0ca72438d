import { Injectable } from '@nestjs/common';
import { LedgerService, type LedgerEntryView } from '../../balance/ledger.service';
import { type ListedHold, HoldListRepository } from '../../billing/hold-list.repository';
import { type ListedSubscription, SubscriptionListRepository } from '../../billing/subscription-list.repository';
import { type AskedRange, momentsOf, readRange } from '../dates/date-range';
import { type Form, uuidOf, textOf } from '../http/form';
import type { UserVisit } from '../http/visit';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

const LIMIT = PAGE_SIZE + 1;

export interface LedgerOfRange extends PageOf<LedgerEntryView> {
  readonly asked: AskedRange;
}

/** The lists of a user's money, a page at a time. */
@Injectable()
export class MoneyPages {
  constructor(
    private readonly ledgerService: LedgerService,
    private readonly holdList: HoldListRepository,
    private readonly subscriptionList: SubscriptionListRepository,
  ) {}

  async holds(userId: string, query: Form): Promise<PageOf<ListedHold>> {
    const found = await this.holdList.page(userId, { after: uuidOf(query, 'holds'), limit: LIMIT });
    return cutPage(found, ({ delegationId }) => delegationId);
  }

  /** `place`: the field of the query that says where the page begins. */
  async subscriptions(userId: string, query: Form, place: string): Promise<PageOf<ListedSubscription>> {
    const found = await this.subscriptionList.page(userId, { after: uuidOf(query, place), limit: LIMIT });
    return cutPage(found, ({ id }) => id);
  }

  /** Of a range of dates, when the query has one. */
  async ledger({ user: reader }: UserVisit, userId: string, query: Form): Promise<LedgerOfRange> {
    const asked = readRange(query, { timeZone: reader.timeZone });
    if (asked.problem) return { asked, rows: [], next: null };
    const after = textOf(query, 'ledger');
    const beforeId = /^\d{1,18}$/.test(after) ? BigInt(after) : undefined;
    const page = { limit: LIMIT, beforeId, ...momentsOf(asked) };
    const found = await this.ledgerService.listEntries(userId, page);
    return { asked, ...cutPage(found, ({ id }) => id.toString()) };
  }
}
