import { LANGUAGE_CODES } from '../../../config/languages';
import { CATALOGUES } from '../messages/catalogues';
import { useVisit, useMessages } from './current-visit';

/** This page in another language, from now on in this browser. */
export function LanguageSwitch() {
  const current = useVisit();
  return (
    <nav aria-label={useMessages('layout').language} class="languages">
      {LANGUAGE_CODES.filter((locale) => locale !== current.locale).map((locale) => (
        <a
          key={locale}
          href={switchTo(current.url, locale)}
          lang={CATALOGUES[locale].language.tag}
          hreflang={CATALOGUES[locale].language.tag}
        >
          {CATALOGUES[locale].language.name}
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
