export const SEARCH_PATH = '/panel/search';

/** Leads to what it names, or to all that it may mean. */
export function searchHref(text: string): string {
  return `${SEARCH_PATH}?${new URLSearchParams({ q: text }).toString()}`;
}
