import { renderToString } from 'preact-render-to-string';
import type { AccountState } from '../http/account-state';
import type { Visit } from '../http/visit';
import type { Page } from '../http/reply';
import { CurrentVisit } from './current-visit';
import { Layout } from './layout';
import { OpenFindings } from './navigation';

/** The one place where a page becomes text; its templates have escaped everything in it. */
export function renderPage(
  visit: Visit,
  { title, content, status }: Page,
  account: AccountState | null = null,
): string {
  const shownTitle = status === 422 || status === 401 ? visit.messages.layout.refused(title) : title;
  return `<!doctype html>${renderToString(
    <Layout visit={visit} title={shownTitle} account={account}>
      {content}
    </Layout>,
  )}`;
}

/** What changes of a page that keeps itself up to date. */
export function renderFragment(visit: Visit, { content }: Page, account: AccountState | null): string {
  return renderToString(
    <CurrentVisit.Provider value={visit}>
      <OpenFindings openFindings={account?.openFindings ?? null} />
      {content}
    </CurrentVisit.Provider>,
  );
}
