import type { refusal as English } from '../../en/panel/refusal';
import { filled } from '../../filled';

export const refusal: typeof English = {
  title: '被拒绝的请求',
  text: '以下请求在成为订单之前就被拒绝，均不收费。仅保留最近 200 条，相同的请求合为一行。',
  all: '全部失败说明',
  allTitle: '失败说明',
  allText: 'API 在 X-Error-Code 中返回的全部代码、含义与处理方法。只有已交付的能量才收费。',
  toOrders: '订单',
  empty: '没有被拒绝的请求。',
  emptyRange: '仅保留最近 200 条的详情，此范围内的详情已不再保留。',
  last: '时间',
  timesSince: (times, at) => filled`${times} 次，始于 ${at}`,
  todo: '处理方法',
  asked: '请求内容',
  amountOf: (amount) => `${amount} 笔`,
  to: (receiver) => filled`至 ${receiver}`,
  fields: (names) => `字段：${names}`,
  request: (id) => filled`请求编号 ${id}`,
  status: '状态码',
  code: '代码',
  notCharged: '未向您扣费。',
  notChargedEver: '不会向您扣费。',
  notChargedLate: '即使能量之后到账，也不会向您扣费。',
  recently: (count) => `最近 7 天有 ${count} 个请求在成为订单之前被拒绝。`,
  see: '查看原因',
};
