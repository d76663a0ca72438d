import { characterCount } from '../../common/text';
import type { OrderCriteria, OrderLookup, OrderView } from '../../delegation/lookup/order-lookup';
import type { OrderFigures, OrderTotals } from '../../reporting/books/order-figures';
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
  readonly query: OrderCriteria;
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

export function hasProblem({ problem, asked }: OrderFilter): boolean {
  return problem !== null || asked.problem !== null;
}

/** A page of what a filter finds, and how much it finds; nothing while it is wrong. */
export function listed(
  lookup: OrderLookup,
  figures: OrderFigures,
  filter: OrderFilter,
): Promise<[OrderView[], OrderTotals | null]> {
  if (hasProblem(filter)) return Promise.resolve([[], null]);
  return Promise.all([lookup.list({ ...filter.query, limit: PAGE_SIZE + 1 }), figures.totals(filter.query)]);
}

function problemOf({ receiver, txid }: OrderFilter['typed']): FilterProblem | null {
  if (receiver !== '' && characterCount(receiver) !== ADDRESS_LENGTH) return { field: 'receiver', text: 'badReceiver' };
  return txid !== '' && !TXID.test(txid) ? { field: 'txid', text: 'badTxid' } : null;
}

function isState(text: string): text is OrderState {
  return (ORDER_STATES as readonly string[]).includes(text);
}
