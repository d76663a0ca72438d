import type { Locale } from './locale';

/** The messages of one area, in both languages: what English has and Chinese lacks does not compile. */
export function bilingual<Messages>(messages: {
  en: Messages;
  zh: NoInfer<Messages>;
}): Readonly<Record<Locale, Messages>> {
  return messages;
}
