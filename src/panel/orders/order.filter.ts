import { characterCount } from '../../common/text';
import type { OrderCriteria, OrderLookup, OrderView } from '../../delegation/lookup/order-lookup';
import { ORDER_SORTS, type OrderSort, RANKING_SORTS } from '../../common/order-sorts';
import { MOST_SUMMED, type OrderFigures, type OrderTotals } from '../../reporting/books/order-figures';
import { STUCK_KINDS } from '../../delegation/lookup/stuck-orders';
import { ORDER_STATES, type OrderState } from '../../common/order.states';
import { type AskedRange, isActive, momentsOf, readRange } from '../dates/date-range';
import { type Form, textOf, uuidOf } from '../http/form';
import type { UserVisit } from '../http/visit';
import { PAGE_SIZE } from '../layout/pager';

const ADDRESS_LENGTH = 34;
const TXID = /^[0-9a-f]{64}$/i;

type FilterProblem =
  | { readonly field: 'receiver'; readonly text: 'badReceiver' }
  | { readonly field: 'txid'; readonly text: 'badTxid' }
  | { readonly field: 'user'; readonly text: 'unknownUser' };

/** The filter as it was typed, and the query it means. */
export interface OrderFilter {
  readonly typed: {
    readonly state: string;
    readonly receiver: string;
    readonly txid: string;
    readonly user: string;
    readonly stuck: string;
    readonly trouble: string;
  };
  readonly asked: AskedRange;
  readonly problem: FilterProblem | null;
  readonly active: boolean;
  /** By more than a range that a link beside the form leads to. */
  readonly narrows: boolean;
  /** By the link of a column. */
  readonly sort: OrderSort;
  readonly query: OrderCriteria;
}

export interface ListedOrders {
  /** One more than a page has, if there are more. */
  readonly found: OrderView[];
  /** Null: the filter is wrong. */
  readonly totals: OrderTotals | null;
  /** How they are sorted: by time, where more are found than are counted. */
  readonly sort: OrderSort;
}

/** `userId`: whose orders; undefined: everybody's. */
export function readOrderFilter({ user: reader }: UserVisit, form: Form, userId?: string): OrderFilter {
  const typed = {
    state: textOf(form, 'state'),
    receiver: textOf(form, 'receiver'),
    txid: textOf(form, 'txid'),
    user: textOf(form, 'user'),
    stuck: userId === undefined ? textOf(form, 'stuck') : '',
    trouble: textOf(form, 'trouble') === 'yes' ? 'yes' : '',
  };
  const asked = readRange(form, { timeZone: reader.timeZone });
  const isNamed = Object.entries(typed).some(([name, value]) => value !== '' && name !== 'trouble');
  return {
    typed,
    asked,
    problem: problemOf(typed),
    active: isActive(asked) || isNamed || typed.trouble !== '',
    narrows: isNamed || (isActive(asked) && asked.preset === null),
    sort: ORDER_SORTS.find((sort) => sort === textOf(form, 'sort')) ?? 'newest',
    query: {
      userId,
      state: isState(typed.state) ? typed.state : null,
      stuck: STUCK_KINDS.find((kind) => kind === typed.stuck) ?? null,
      troubled: typed.trouble !== '',
      receiver: typed.receiver || null,
      txId: typed.txid.toLowerCase() || null,
      ...momentsOf(asked),
      before: uuidOf(form, 'after'),
    },
  };
}

export function hasProblem({ problem, asked }: Pick<OrderFilter, 'problem' | 'asked'>): boolean {
  return problem !== null || asked.problem !== null;
}

/** A page of what a filter finds, and how much it finds; nothing while it is wrong. */
export async function listed(
  lookup: OrderLookup,
  figures: OrderFigures,
  { query, sort: asked, ...filter }: OrderFilter,
): Promise<ListedOrders> {
  if (hasProblem(filter)) return { found: [], totals: null, sort: asked };
  const list = (sort: OrderSort) => lookup.list({ ...query, sort, limit: PAGE_SIZE + 1 });
  if (RANKING_SORTS.includes(asked)) {
    const totals = await figures.totals(query);
    const sort = isRankable(totals) ? asked : 'newest';
    return { found: await list(sort), totals, sort };
  }
  const [found, totals] = await Promise.all([list(asked), figures.totals(query)]);
  return { found, totals, sort: asked };
}

/** Their sums read each of them anyway. */
export function isRankable({ orders }: OrderTotals): boolean {
  return orders <= MOST_SUMMED;
}

function problemOf({ receiver, txid }: OrderFilter['typed']): FilterProblem | null {
  if (receiver !== '' && characterCount(receiver) !== ADDRESS_LENGTH) return { field: 'receiver', text: 'badReceiver' };
  return txid !== '' && !TXID.test(txid) ? { field: 'txid', text: 'badTxid' } : null;
}

function isState(text: string): text is OrderState {
  return (ORDER_STATES as readonly string[]).includes(text);
}
