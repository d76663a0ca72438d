import type { preferences as English } from '../../en/panel/preferences';

export const preferences: typeof English = {
  title: '时间与语言',
  timeZone: '时区',
  asBrowser: '按浏览器设置',
  saved: '时区与语言已保存。',
  withoutScript:
    '将指针移到时间上可查看 UTC 时间。日期范围按此时区计。未启用 JavaScript 且未设置时区时，时间与日期以 UTC 计。',
};
