import { renderToString } from 'preact-render-to-string';
import type { Page } from '../http/reply';
import type { Visit } from '../http/visit';
import { Layout } from './layout';

/** The one place where a page becomes text; everything in it was escaped by its template. */
export function renderPage(visit: Visit, { title, content }: Page): string {
  return `<!doctype html>${renderToString(
    <Layout visit={visit} title={title}>
      {content}
    </Layout>,
  )}`;
}
