import { Fragment } from 'preact';
import { searchHref } from '../search/search-path';
import { LongId } from './long-id';
import { Instant } from './values';

/** A txid, an id, an address, a moment, as sentences of findings and errors have them. */
const NAMED =
  /\b(?:[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|T[1-9A-HJ-NP-Za-km-z]{33}|\d{4}-\d\d-\d\dT[\d:.]+Z)\b/g;
const MOMENT = /^\d{4}-\d\d-\d\dT/;

/** A sentence in which everything that the search finds leads there, and moments are the reader's. */
export function LinkedText({ text, lang }: { readonly text: string; readonly lang?: string }) {
  const names = text.match(NAMED) ?? [];
  return (
    <span lang={lang}>
      {text.split(NAMED).map((part, index) => {
        const name = names[index];
        return (
          <Fragment key={index}>
            {part}
            {name !== undefined &&
              (MOMENT.test(name) ? (
                <Instant at={name} form="exact" />
              ) : (
                <LongId value={name} href={searchHref(name)} />
              ))}
          </Fragment>
        );
      })}
    </span>
  );
}
