import type { Visit } from '../http/visit';
import { LAYOUT_WORDS } from './layout.words';

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

/** Filters stay as they are; `newestFirst` says what the next page holds. */
export function Pager({
  visit,
  next,
  newestFirst = true,
}: {
  visit: Visit;
  next: string | null;
  newestFirst?: boolean;
}) {
  const words = LAYOUT_WORDS[visit.locale];
  const [path, search] = visit.url.split('?') as [string, string?];
  const query = new URLSearchParams(search);
  const later = query.has('after');
  query.delete('after');
  const first = query.size > 0 ? `${path}?${query.toString()}` : path;
  if (next) query.set('after', next);
  if (!next && !later) return null;
  return (
    <nav class="pager" aria-label={words.pages}>
      {later && <a href={first}>{newestFirst ? words.newer : words.firstPage}</a>}
      {next && (
        <a href={`${path}?${query.toString()}`} rel="next">
          {newestFirst ? words.older : words.nextPage}
        </a>
      )}
    </nav>
  );
}
