import type { home as English } from '../../en/panel/home';

export const home: typeof English = {
  title: '首页',
  available: '可用余额（TRX）',
  held: (trx) => `另有 ${trx} TRX 为进行中的订单预留`,
  price: '您的价格（TRX）',
  priceNote: (energy) => `每笔交易（${energy} 能量）`,
  orders: '今日订单',
  ordersNote: (energy, trx) => `已交付能量 ${energy}，扣费 ${trx} TRX`,
  success: '今日成功率',
  successNote: (succeeded, failed) => `成功 ${succeeded}，失败 ${failed}`,
  askOperator: '请向运营人员咨询付款方式，由运营人员为您入账。',
  failures: '最近的失败',
  noFailures: '最近 7 天没有被拒绝的请求，也没有失败的订单。',
  at: '时间',
  why: '原因',
  neverLanded: '交易未能上链。',
  order: '订单',
  noOrder: '被拒绝，未成为订单',
  see: '查看订单',
  allOrders: '全部订单',
  allRefused: '全部被拒绝的请求',
};
