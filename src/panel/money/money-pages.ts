import { Injectable } from '@nestjs/common';
import { LEDGER_KINDS, type LedgerKind } from '../../balance/balance.entities';
import { LedgerService, type LedgerEntryView } from '../../balance/ledger.service';
import { type ListedHold, HoldListRepository } from '../../billing/hold-list.repository';
import { type ListedSubscription, SubscriptionListRepository } from '../../billing/subscription-list.repository';
import { OrderFigures } from '../../reporting/books/order-figures';
import { AccountStatement, type RangeTotals } from '../../reporting/books/account-statement';
import { type AskedRange, momentsOf, rangeName, readRange, spanOf } from '../dates/date-range';
import { type Form, numberOf, textOf, uuidOf } from '../http/form';
import { PanelError } from '../http/panel-errors';
import { Export } from '../http/reply';
import type { UserVisit } from '../http/visit';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';
import { ledgerCsv } from './ledger.csv';

const LIMIT = PAGE_SIZE + 1;

export interface LedgerOfRange extends PageOf<LedgerEntryView> {
  readonly asked: AskedRange;
  /** Null: every kind. */
  readonly kind: LedgerKind | null;
  /** Of a range; null: of all time. */
  readonly totals: RangeTotals | null;
}

/** The lists of a user's money, a page at a time. */
@Injectable()
export class MoneyPages {
  constructor(
    private readonly ledgerService: LedgerService,
    private readonly holdList: HoldListRepository,
    private readonly subscriptionList: SubscriptionListRepository,
    private readonly orders: OrderFigures,
    private readonly statements: AccountStatement,
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
    const kind = kindOf(query);
    if (asked.problem) return { asked, kind, totals: null, rows: [], next: null };
    const page = { limit: LIMIT, beforeId: numberOf(query, 'ledger') ?? undefined, kind, ...momentsOf(asked) };
    const { range, timeZone } = asked;
    const [found, totals] = await Promise.all([
      this.ledgerService.listEntries(userId, page),
      range && this.statements.totals(userId, spanOf({ range, timeZone })),
    ]);
    return { asked, kind, totals, ...cutPage(found, ({ id }) => id.toString()) };
  }

  /** As a file: of the range in the query, or all of it. @throws PanelError not-found for a range that is none */
  ledgerFile({ user: reader }: UserVisit, userId: string, query: Form): Export {
    const asked = readRange(query, { timeZone: reader.timeZone });
    if (asked.problem) throw new PanelError('not-found');
    const chunks = ledgerCsv(this.ledgerService, this.orders, userId, { ...momentsOf(asked), kind: kindOf(query) });
    return new Export(`ledger${rangeName(asked)}.csv`, chunks);
  }
}

function kindOf(query: Form): LedgerKind | null {
  return LEDGER_KINDS.find((kind) => kind === textOf(query, 'kind')) ?? null;
}
