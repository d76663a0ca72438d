import type { overview as English } from '../../en/panel/overview';
import { filled } from '../../filled';

export const overview: typeof English = {
  title: '总览',
  lastHour: '最近一小时',
  perMinute: '每分钟订单数',
  perMinuteNote: (orders) => `最近一小时 ${orders} 笔订单`,
  success: '成功率',
  noOrders: '没有订单',
  successNote: (succeeded, failed) => `成功 ${succeeded}，失败 ${failed}`,
  seconds: (seconds) => `${seconds} 秒`,
  inclusion: '上链用时',
  inclusionNote: (slow) => `95 % 在 ${slow} 秒内`,
  noneSettled: '尚无已结算订单',
  now: '当前',
  lent: '已委托能量',
  lentNote: '已上链的订单',
  out: '委托中的能量',
  outNote: (orders, stake) => `${orders} 笔订单，质押 ${stake} TRX`,
  heldNote: (holds, quota) => `${holds} 笔冻结，另有 ${quota} 笔套餐额度`,
  chart: (orders) => `最近 60 分钟每分钟的订单数，共 ${orders} 个`,
  attention: '需要关注',
  urgent: '出现故障',
  nothing: '一切正常：服务正在接受新订单，没有需要您处理的事项。',
  failures: (failed, answered) => `最近一小时应答的 ${answered} 笔订单中有 ${failed} 笔失败`,
  since: (at) => filled`始于 ${at}`,
  waitingDeposits: (count) => `${count} 笔充值等待您处理`,
  stolenKey: (count) => `${count} 个异常可能意味着钱包密钥被盗`,
  nodeBehind: (host, blocks, left, all) => `节点 ${host} 落后 ${blocks} 个区块，暂不使用。${nodesLeft(left, all)}`,
  nodeFails: (host, left, all) => `节点 ${host} 出现故障，暂不使用。${nodesLeft(left, all)}`,
  causes: {
    despite: (count) => `${count} 个钱包有未解决的异常，但仍在接单`,
    quarantined: (count) => `${count} 个钱包因异常未解决而自动暂停`,
    key: (count) => `${count} 个启用的钱包密钥无法读取或使用`,
    unread: (count) => `${count} 个启用的钱包无法从链上读取`,
    rests: (count) => `${count} 个启用的钱包因网络拒绝其交易而暂停接单`,
    stake: (count) => `${count} 个启用的钱包剩余能量不足一笔交易`,
    fees: (count) => `${count} 个启用的钱包缺少带宽或 TRX，无法再接一笔订单`,
    paused: (count) => `${count} 个钱包已暂停`,
    draining: (count) => `${count} 个钱包停用中`,
  },
  overdue: (count) => `${count} 笔回收逾期超过 15 分钟`,
  failing: (count) => `${count} 笔订单的回收失败，正在重试`,
  undecided: (count) => `${count} 笔已过期的交易仍未结算`,
  abandoned: (count) => `${count} 笔订单超过 10 分钟仍未完成`,
  findings: (count) => `${count} 个异常未解决`,
  orders: '订单数',
};

function nodesLeft(left: number, all: number): string {
  return left === 0 ? '没有其他可用节点。' : `服务目前使用 ${all} 个节点中的 ${left} 个。`;
}
