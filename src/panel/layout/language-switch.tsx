import { CATALOGUES } from '../messages/catalogues';
import { LOCALES } from '../messages/locale';
import { useVisit, useMessages } from './current-visit';

/** This page in the other language, from now on in this browser. */
export function LanguageSwitch() {
  const current = useVisit();
  return (
    <nav aria-label={useMessages('layout').language} class="languages">
      {LOCALES.filter((locale) => locale !== current.locale).map((locale) => (
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
