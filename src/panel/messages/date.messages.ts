import { bilingual } from './bilingual';

export const DATE_MESSAGES = bilingual({
  en: {
    range: 'Range of dates',
    presets: { 1: 'Today', 7: '7 days', 30: '30 days' },
    all: 'All',
    from: (zone: string) => `From (${zone})`,
    to: (zone: string) => `Until, included (${zone})`,
    show: 'Show',
    printed: (from: string, last: string, zone: string) => `${from} to ${last} (${zone})`,
    badDate: 'A date has the form 2026-01-31, and is a day of the calendar.',
    wrongOrder: 'The last day is before the first.',
  },
  zh: {
    range: '日期范围',
    presets: { 1: '今天', 7: '7 天', 30: '30 天' },
    all: '全部',
    from: (zone: string) => `开始日期（${zone}）`,
    to: (zone: string) => `结束日期，含当日（${zone}）`,
    show: '显示',
    printed: (from: string, last: string, zone: string) => `${from} 至 ${last}（${zone}）`,
    badDate: '日期格式为 2026-01-31，且须是真实存在的日期。',
    wrongOrder: '结束日期早于开始日期。',
  },
});

export type DateMessages = (typeof DATE_MESSAGES)['en'];
