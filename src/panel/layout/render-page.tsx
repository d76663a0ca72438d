import { renderToString } from 'preact-render-to-string';
import type { Attention } from '../http/account-attention';
import type { PageContext } from '../http/page-context';
import type { Page } from '../http/reply';
import { CurrentPage } from './current-page';
import { Layout } from './layout';
import { OpenFindings } from './navigation';

/** The one place where a page becomes text; its templates have escaped everything in it. */
export function renderPage(
  pageContext: PageContext,
  { title, content, status }: Page,
  attention: Attention | null = null,
): string {
  const shownTitle = status === 422 || status === 401 ? pageContext.messages.layout.refused(title) : title;
  return `<!doctype html>${renderToString(
    <Layout pageContext={pageContext} title={shownTitle} attention={attention}>
      {content}
    </Layout>,
  )}`;
}

/** What changes of a page that keeps itself up to date. */
export function renderFragment(pageContext: PageContext, { content }: Page, attention: Attention | null): string {
  return renderToString(
    <CurrentPage.Provider value={pageContext}>
      <OpenFindings openFindings={attention?.openFindings ?? null} />
      {content}
    </CurrentPage.Provider>,
  );
}
