import type { language as English } from '../../en/panel/language';
import { refusals } from '../refusals';

const COMPACT = new Intl.NumberFormat('zh-Hans', { notation: 'compact', maximumSignificantDigits: 3 });

export const language: typeof English = {
  name: '中文',
  tag: 'zh-Hans',
  compact: (value) => COMPACT.format(value),
  refusal: (error) => error.textIn(refusals),
};
