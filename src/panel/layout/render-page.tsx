import { renderToString } from 'preact-render-to-string';
import type { Page } from '../http/reply';
import type { Visit } from '../http/page-context';
import { Layout } from './layout';
import { LAYOUT_WORDS } from '../messages/layout.messages';

/** The one place where a page becomes text; everything in it was escaped by its template. */
export function renderPage(visit: Visit, { title, content, status }: Page): string {
  const told = status === 422 || status === 401 ? LAYOUT_WORDS[visit.locale].refused(title) : title;
  return `<!doctype html>${renderToString(
    <Layout visit={visit} title={told}>
      {content}
    </Layout>,
  )}`;
}
