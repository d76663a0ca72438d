import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageContext } from '../http/page-context';

/** Of the page that is being rendered, for small parts that are used everywhere. */
export const CurrentPage = createContext<PageContext | null>(null);

export function useCurrentPage(): PageContext {
  const pageContext = useContext(CurrentPage);
  if (!pageContext) throw new Error('Rendered outside a page');
  return pageContext;
}
