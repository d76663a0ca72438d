import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageContext, SignedInPageContext } from '../http/page-context';
import type { Messages } from '../messages/catalogues';

/** The page that is being rendered: its components read it here. */
export const CurrentPage = createContext<PageContext | null>(null);

export function useCurrentPage(): PageContext {
  const pageContext = useContext(CurrentPage);
  if (!pageContext) throw new Error('Rendered outside a page');
  return pageContext;
}

/** For a page behind a guard that lets only users in. */
export function useSignedInPage(): SignedInPageContext {
  const pageContext = useCurrentPage();
  if (!pageContext.user) throw new Error('Rendered for nobody');
  return pageContext as SignedInPageContext;
}

/** An area's texts, in the language of the page. */
export function useMessages<Area extends keyof Messages>(area: Area): Messages[Area] {
  return useCurrentPage().messages[area];
}

/** Links and forms in it lead to this page, not to the URL that answered with it. */
export function ShownAt({ url, children }: { url: string; children: ComponentChildren }) {
  return <CurrentPage.Provider value={{ ...useCurrentPage(), url }}>{children}</CurrentPage.Provider>;
}
