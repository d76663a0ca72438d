import { ORDER_STATE_TERMS } from '../findings/terms';

const OF_ORDERS = {
  ordered: '已下单',
  answered: '已应答',
  'shortage read': '发现质押缺少',
  'shortage proved': '已查明质押去向',
  'reclaim failed': '回收失败，稍后重试',
};
const PURPOSES = {
  activation: '激活交易',
  delegation: '委托交易',
  reclaim: '回收交易',
};
const OUTCOMES = {
  sent: '已发送',
  included: '已上链',
  final: '已最终确认',
  dead: '已失效',
  'dropped by a fork': '因分叉被移除',
};

/** As the rows name them: purpose and outcome of the transaction. */
const OF_TRANSACTIONS = Object.entries(PURPOSES).flatMap(([purpose, transaction]) =>
  Object.entries(OUTCOMES).map(([outcome, became]) => [`${purpose} ${outcome}`, transaction + became] as const),
);

const EVENTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ORDER_STATE_TERMS),
  ...OF_TRANSACTIONS,
  ...Object.entries(OF_ORDERS),
]);

/** One of a newer version stays as the row has it. */
export function eventInChinese(kind: string): string {
  return EVENTS.get(kind) ?? kind;
}
