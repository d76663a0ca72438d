import { fillIn } from './fill-in';
import { ACTIONS, KINDS, NEXT_STEPS, REASONS, SUBJECTS, TERMS } from './finding.chinese';
import type { Locale } from './locale';

/** A text, and whether it had to stay in English: what a later version says is shown as it is. */
export interface FindingText {
  readonly text: string;
  readonly lang?: 'en';
}

export const findingText = {
  kind: (kind: string, locale: Locale) => (locale === 'zh' ? (KINDS[kind] ?? kind) : kind),
  subject: (subject: string, locale: Locale) =>
    locale === 'zh' ? (inPatterns(subject, SUBJECTS) ?? subject) : subject,
  reason: (reason: string, locale: Locale) => inChinese(reason, locale, chineseReason),
  nextStep: (step: string, locale: Locale) => inChinese(step, locale, (text) => NEXT_STEPS[text]),
  action: (action: string, locale: Locale) => inChinese(action, locale, (text) => inPatterns(text, ACTIONS)),
};

function inChinese(text: string, locale: Locale, translate: (text: string) => string | undefined): FindingText {
  if (locale === 'en') return { text };
  const chinese = translate(text);
  return chinese === undefined ? { text, lang: 'en' } : { text: chinese };
}

/** Findings of earlier versions were written in sun: their amounts stay what they are. */
function chineseReason(reason: string): string | undefined {
  const unit = / sun\b/.test(reason) ? ' sun' : ' TRX';
  return inPatterns(reason.replaceAll(/ sun\b/g, ' TRX'), REASONS, TERMS)?.replaceAll(' TRX', unit);
}

function inPatterns(
  text: string,
  patterns: readonly (readonly [RegExp, string])[],
  terms: Readonly<Record<string, string>> = {},
): string | undefined {
  const known = patterns.find(([pattern]) => pattern.test(text));
  return known && fillIn(text, known, terms);
}
