import { FREE_STATES, sqlList } from './order.states';

export const ORDER_SORTS = ['newest', 'oldest', 'energy', 'price'] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

/** An index has the orders by their time. By these, the whole of what a filter finds is read and sorted. */
export const RANKING_SORTS: readonly OrderSort[] = ['energy', 'price'];

/** SQL: what an order costs, or cost: 0 for one that was answered with a failure or never landed. */
export const costOf = (order: string) =>
  `case when ${order}.answer = 'failure' or ${order}.state in ${sqlList(FREE_STATES)} then 0 else ${order}.cost_sun end`;

const VALUES: Readonly<Partial<Record<OrderSort, (order: string) => string>>> = {
  energy: (order) => `${order}.energy`,
  price: costOf,
};

/** SQL: what orders are sorted by. The id comes last, so that no two orders share a place. */
function keysOf(sort: OrderSort, order: string): string[] {
  const value = VALUES[sort]?.(order);
  return [...(value === undefined ? [] : [value]), `${order}.created_at`, `${order}.id`];
}

/** SQL: the orders `d` in this order. */
export function orderBy(sort: OrderSort): string {
  return `order by ${keysOf(sort, 'd')
    .map((key) => (sort === 'oldest' ? key : `${key} desc`))
    .join(', ')}`;
}

/** SQL: the orders `d` that come after the order `b` for which a condition holds. */
export function afterRow(sort: OrderSort, isRow: string): string {
  const [keys, place] = [keysOf(sort, 'd').join(', '), keysOf(sort, 'b').join(', ')];
  return `(${keys}) ${sort === 'oldest' ? '>' : '<'} (select ${place} from delegations b where ${isRow})`;
}
