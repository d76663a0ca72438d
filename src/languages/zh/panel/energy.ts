import type { energy as English } from '../../en/panel/energy';

export const energy: typeof English = {
  title: '能量',
  unknown: '尚不清楚钱包有多少能量：还没有钱包能从链上读取。',
  available: (amount, transactions) => `当前可用：${amount}能量，可供 ${transactions} 笔交易`,
  availableAndIdle: (amount, transactions, idle) =>
    `当前可用：${amount}能量，可供 ${transactions} 笔交易。另有 ${idle}能量闲置，其钱包不接单`,
  availableNow: '当前可用',
  transactions: (count) => `${count} 笔交易`,
  lent: '已委托',
  lentNote: '目前在接收地址',
  nextHour: '一小时内回收',
  nextHourNote: '按接收地址均未使用计算',
  lasts: '可维持',
  lastsNote: (amount) => `按最近一小时的速度，每小时 ${amount}`,
  empty: '已无可用',
  longer: '> 24 小时',
  hoursAndMinutes: (hours, minutes) => (hours === 0 ? `${minutes} 分钟` : `${hours} 小时 ${minutes} 分钟`),
  forecast: '未来 24 小时可用能量',
  forecastNote: '假设没有新订单。下限：接收地址用尽全部能量。上限：接收地址完全不用。',
  curve: (now, least, most) => `未来 24 小时可用能量：现在 ${now}，届时 ${least} 至 ${most}`,
  inHours: (hours) => (hours === 0 ? '现在' : `+${hours} 时`),
  at: '时间',
  least: '下限',
  most: '上限',
  leastTransactions: '至少可支持的交易笔数',
  returned: '较上一行新增回收',
};
