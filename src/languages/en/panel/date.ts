export const date = {
  range: 'Range of dates',
  presets: { 1: 'Today', 7: '7 days', 30: '30 days' },
  all: 'All',
  from: (zone: string) => `From (${zone})`,
  to: (zone: string) => `Through (${zone})`,
  show: 'Show',
  printed: (from: string, last: string, zone: string) => `${from} to ${last} (${zone})`,
  badDate: 'Enter a date such as 2026-01-31.',
  wrongOrder: 'The last day is before the first.',
};
