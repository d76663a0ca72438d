import { bilingual } from './bilingual';

export const PREFERENCES_MESSAGES = bilingual({
  en: {
    title: 'Time and language',
    timeZone: 'Time zone',
    language: 'Language',
    asBrowser: 'as the browser has it',
    save: 'Save',
    saved: 'Time zone and language were saved.',
    withoutScript:
      'Point at a time to see it in UTC. Days of a range are those of this zone. Without JavaScript and without a zone of yours, times and days are in UTC.',
  },
  zh: {
    title: '时间与语言',
    timeZone: '时区',
    language: '语言',
    asBrowser: '按浏览器设置',
    save: '保存',
    saved: '时区与语言已保存。',
    withoutScript:
      '将指针移到时间上可查看 UTC 时间。日期范围按此时区计。未启用 JavaScript 且未设置时区时，时间与日期以 UTC 计。',
  },
});
