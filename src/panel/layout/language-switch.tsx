import { LAYOUT_MESSAGES } from '../messages/layout.messages';
import { LANGUAGE_TAGS, type Locale, LOCALES } from '../messages/locale';
import { useCurrentPage, useMessages } from './current-page';

export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { en: 'English', zh: '中文' };

/** This page in the other language, from now on in this browser. */
export function LanguageSwitch() {
  const current = useCurrentPage();
  return (
    <nav aria-label={useMessages(LAYOUT_MESSAGES).language} class="languages">
      {LOCALES.filter((locale) => locale !== current.locale).map((locale) => (
        <a
          key={locale}
          href={switchTo(current.url, locale)}
          lang={LANGUAGE_TAGS[locale]}
          hreflang={LANGUAGE_TAGS[locale]}
        >
          {LANGUAGE_NAMES[locale]}
        </a>
      ))}
    </nav>
  );
}

function switchTo(url: string, locale: string): string {
  const query = new URLSearchParams(url.split('?')[1] ?? '');
  query.set('lang', locale);
  return `?${query.toString()}`;
}
