import { CHINESE } from '../../../common/errors/domain-errors.chinese';
import type { language as English } from '../en/language';

const COMPACT = new Intl.NumberFormat('zh-Hans', { notation: 'compact', maximumSignificantDigits: 3 });

export const language: typeof English = {
  name: '中文',
  tag: 'zh-Hans',
  compact: (value) => COMPACT.format(value),
  refusal: (error) => error.textIn(CHINESE),
};
