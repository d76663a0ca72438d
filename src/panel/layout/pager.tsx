import { useVisit, useMessages } from './current-visit';

export const PAGE_SIZE = 50;

/** A page of a list, cut by key: one row more than shown was read to know whether there is more. */
export interface PageOf<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null on the last one. */
  readonly next: string | null;
}

export function cutPage<Row>(found: readonly Row[], keyOf: (row: Row) => string): PageOf<Row> {
  const rows = found.slice(0, PAGE_SIZE);
  return { rows, next: found.length > PAGE_SIZE ? keyOf(rows.at(-1)!) : null };
}

export interface PagerProps {
  readonly page: PageOf<unknown>;
  /** What the next page holds. */
  readonly newestFirst?: boolean;
  /** Where a page has several lists, one of them: its place in the query, and the id of its heading. */
  readonly list?: string;
  /** A file beside the list has all of its rows. */
  readonly csv?: boolean;
}

/** Not the first page: an empty one does not mean that the list is empty. */
export function isLaterPage(url: string, list = 'after'): boolean {
  return new URLSearchParams(url.split('?')[1]).has(list);
}

/** Beside a place in the query, the number of the row that stands there: a page that is cut by key does not know it. */
export function rowPlace(place: string): string {
  return `${place}-row`;
}

/** The file of all that the filter finds, not this page of it alone. */
export function wholeList(url: string, path: string): string {
  const query = new URLSearchParams(url.split('?')[1]);
  query.delete('after');
  query.delete(rowPlace('after'));
  return `${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** The same page with other words in its query. Null: without this one. */
export function fromTheFirstPage(url: string, changes: Readonly<Record<string, string | null>>): string {
  const [path, search] = url.split('?') as [string, string?];
  const query = new URLSearchParams(search);
  for (const name of ['lang', 'after', rowPlace('after')]) query.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return `${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
}

/** Filters and the positions of other lists stay. */
export function Pager({ page: { rows, next }, newestFirst = true, list, csv = false }: PagerProps) {
  const { url } = useVisit();
  const messages = useMessages('layout');
  const [path, search] = url.split('?') as [string, string?];
  const query = new URLSearchParams(search);
  const place = list ?? 'after';
  const heading = list === undefined ? '' : `#${list}`;
  const later = query.has(place);
  const from = later ? rowIn(query, place) : 1;
  query.delete(place);
  query.delete(rowPlace(place));
  const first = `${path}${query.size > 0 ? `?${query.toString()}` : ''}${heading}`;
  if (next) query.set(place, next);
  if (next && from !== null) query.set(rowPlace(place), String(from + rows.length));
  if (!next && !later) return null;
  return (
    <>
      {rows.length > 0 && (
        <p class="on-paper">
          {from === null ? messages.somePrinted(rows.length) : messages.printed(from, from + rows.length - 1)}
          {csv && ` ${messages.allInCsv}`}
        </p>
      )}
      <nav class="pager" aria-label={messages.pages}>
        {later && <a href={first}>{newestFirst ? messages.newer : messages.firstPage}</a>}
        {next && (
          <a href={`${path}?${query.toString()}${heading}`} rel="next">
            {newestFirst ? messages.older : messages.nextPage}
          </a>
        )}
      </nav>
    </>
  );
}

/** Null: the page was opened by a link without it. */
function rowIn(query: URLSearchParams, place: string): number | null {
  const text = query.get(rowPlace(place)) ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
