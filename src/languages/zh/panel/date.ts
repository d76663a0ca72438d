import type { date as English } from '../../en/panel/date';

export const date: typeof English = {
  range: '日期范围',
  presets: { 1: '今天', 7: '7 天', 30: '30 天' },
  all: '全部',
  from: (zone) => `开始日期（${zone}）`,
  to: (zone) => `结束日期，含当日（${zone}）`,
  show: '显示',
  printed: (from, last, zone) => `${from} 至 ${last}（${zone}）`,
  badDate: '请按 2026-01-31 的格式填写日历中存在的日期。',
  wrongOrder: '结束日期不能早于开始日期。',
};
