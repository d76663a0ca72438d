import type { Locale } from '../../i18n/locale';
import { ACTIONS, KINDS, NEXT_STEPS, REASONS } from './finding.chinese';

/** A text, and whether it had to stay in English: what a later version says is shown as it is. */
export interface FindingText {
  readonly text: string;
  readonly lang?: 'en';
}

export const findingText = {
  kind: (kind: string, locale: Locale) => (locale === 'zh' ? (KINDS[kind] ?? kind) : kind),
  reason: (reason: string, locale: Locale) => inChinese(reason, locale, replaceBy(REASONS)),
  nextStep: (step: string, locale: Locale) => inChinese(step, locale, (text) => NEXT_STEPS[text]),
  action: (action: string, locale: Locale) => inChinese(action, locale, replaceBy(ACTIONS)),
};

function inChinese(text: string, locale: Locale, translate: (text: string) => string | undefined): FindingText {
  if (locale === 'en') return { text };
  const chinese = translate(text);
  return chinese === undefined ? { text, lang: 'en' } : { text: chinese };
}

function replaceBy(patterns: readonly (readonly [RegExp, string])[]) {
  return (text: string): string | undefined => {
    const known = patterns.find(([pattern]) => pattern.test(text));
    return known && text.replace(...known);
  };
}
