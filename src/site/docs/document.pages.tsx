import type { Language } from '../../../config/languages';
import { LANGUAGES } from '../../languages/languages';
import type { DocumentPage, Pages } from './document-library';
import { documentPath } from './page-names';
import { type Hit, LONGEST_QUERY } from './search-sections';

interface Props {
  readonly language: Language;
  readonly pages: Pages;
  readonly statusPage: boolean;
}

/** A page beside the menu of all; on a phone the menu stands below it. */
export function DocumentContent({ language, pages, statusPage, page }: Props & { page: DocumentPage }) {
  return (
    <div class="frame">
      <main id="content" tabindex={-1}>
        {page.name !== 'index' && <SearchForm language={language} />}
        <div class="prose" dangerouslySetInnerHTML={{ __html: page.html }} />
        {page.name === 'index' && <SearchForm language={language} />}
      </main>
      <DocumentMenu {...{ language, pages, statusPage }} current={page.name} />
    </div>
  );
}

export function SearchContent({
  language,
  pages,
  statusPage,
  query,
  hits,
}: Props & { query: string; hits: readonly Hit[] }) {
  const texts = LANGUAGES[language].site.docs;
  return (
    <div class="frame">
      <main id="content" tabindex={-1}>
        <h1>{texts.search}</h1>
        <SearchForm language={language} query={query} />
        <p role="status">
          {query === '' ? texts.ask : hits.length === 0 ? texts.none : texts.results(hits.length, query)}
        </p>
        <ol class="hits">
          {hits.map((hit) => (
            <li key={`${hit.page}#${hit.id}`}>
              <a href={`${documentPath(language, hit.page)}${hit.id && `#${hit.id}`}`}>
                {hit.id === '' ? hit.pageTitle : `${hit.pageTitle} › ${hit.title}`}
              </a>
              <p>{hit.excerpt.map(({ text, found }) => (found ? <mark key={text}>{text}</mark> : text))}</p>
            </li>
          ))}
        </ol>
      </main>
      <DocumentMenu {...{ language, pages, statusPage }} />
    </div>
  );
}

function SearchForm({ language, query = '' }: { language: Language; query?: string }) {
  const texts = LANGUAGES[language].site.docs;
  return (
    <form class="search" role="search" action={`/docs/${language}/search`}>
      <input
        type="search"
        name="q"
        value={query}
        maxlength={LONGEST_QUERY}
        aria-label={texts.search}
        placeholder={texts.search}
      />
      <button type="submit">{texts.submit}</button>
    </form>
  );
}

function DocumentMenu({ language, pages, statusPage, current }: Props & { current?: string }) {
  const texts = LANGUAGES[language].site;
  return (
    <nav class="pages" aria-label={texts.docs.pages}>
      <ul>
        {[...pages.values()].map(({ name, title, path }) => (
          <li key={name}>
            <a href={path} aria-current={name === current ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
        <li>
          <a href="/docs/api">{texts.reference}</a>
        </li>
        {statusPage && (
          <li>
            <a href={`/status?lang=${language}`}>{texts.status.title}</a>
          </li>
        )}
      </ul>
    </nav>
  );
}
