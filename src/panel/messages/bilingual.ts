import type { Locale } from './locale';

/** The words of one area, in both languages: what English has and Chinese lacks does not compile. */
export function bilingual<Words>(words: { en: Words; zh: NoInfer<Words> }): Readonly<Record<Locale, Words>> {
  return words;
}
