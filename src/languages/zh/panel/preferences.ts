import type { preferences as English } from '../../en/panel/preferences';

export const preferences: typeof English = {
  title: '时间与语言',
  timeZone: '时区',
  asBrowser: '与浏览器一致',
  saved: '时区与语言已保存。',
  withoutScript:
    '将指针移到时间上，即可查看 UTC 时间。日期范围按此时区计算。如果浏览器未启用 JavaScript，您也没有设置时区，时间与日期均为 UTC。',
};
