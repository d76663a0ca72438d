import type { energy as English } from '../../en/panel/energy';

export const energy: typeof English = {
  title: '能量',
  unknown: '尚不清楚钱包质押可换取多少能量：还没有钱包能从链上读取。',
  available: (amount, transactions) => `当前可用：${amount} 能量 = ${transactions} 笔交易`,
  availableAndIdle: (amount, transactions, idle) =>
    `当前可用：${amount} 能量 = ${transactions} 笔交易。闲置：${idle} 能量，所在钱包不接单`,
  availableNow: '当前可用',
  transactions: (count) => `${count} 笔交易`,
  lent: '已借出',
  lentNote: '目前在接收方',
  nextHour: '一小时内收回',
  nextHourNote: '若未被使用',
  lasts: '可维持',
  lastsNote: (amount) => `按最近一小时速度，每小时 ${amount}`,
  empty: '已无可用',
  longer: '> 24 小时',
  hoursAndMinutes: (hours, minutes) => (hours === 0 ? `${minutes} 分钟` : `${hours} 小时 ${minutes} 分钟`),
  forecast: '未来 24 小时可用能量',
  forecastNote: '假设不再借出：下限为接收方用尽全部能量，上限为完全未使用。',
  curve: (now, least, most) => `未来 24 小时可用能量：现在 ${now}，届时 ${least} 至 ${most}`,
  inHours: (hours) => (hours === 0 ? '现在' : `+${hours} 时`),
  at: '时间',
  least: '下限',
  most: '上限',
  leastTransactions: '至少可供交易数',
  returned: '较上一行新增到期',
};
