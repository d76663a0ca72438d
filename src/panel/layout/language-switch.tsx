import type { PageContext } from '../http/page-context';
import { LAYOUT_MESSAGES } from '../messages/layout.messages';
import { LANGUAGE_TAGS, type Locale, LOCALES } from '../messages/locale';

export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { en: 'English', zh: '中文' };

/** This page in the other language, from now on in this browser. */
export function LanguageSwitch({ pageContext }: { pageContext: PageContext }) {
  return (
    <nav aria-label={LAYOUT_MESSAGES[pageContext.locale].language} class="languages">
      {LOCALES.filter((locale) => locale !== pageContext.locale).map((locale) => (
        <a
          key={locale}
          href={switchTo(pageContext.url, locale)}
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
