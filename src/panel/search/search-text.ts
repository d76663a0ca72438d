/** What the search takes a text for: one thing by its whole name, several by what it begins with (and ends with), or words. */
export interface SearchText {
  /** As it was typed, or what stands for one thing in the URL of an explorer. */
  readonly text: string;
  /** Of the panel's short form `6791ba…c3b6dc`, or of an id or address that breaks off. Null: the text is no such beginning. */
  readonly begin: string | null;
  readonly end: string;
}

export const TXID = /^(?:0x)?([0-9a-f]{64})$/i;
export const ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const URL = /^[a-z][a-z0-9+.-]*:\/\//i;
/** The last one of a URL: a path may hold ids of other things before it. */
const IN_URL = /[0-9a-f]{64}|T[1-9A-HJ-NP-Za-km-z]{33}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const SHORTENED = /^(?:0x)?([0-9a-z-]{4,})\s?(?:…|\.{2,3})\s?([0-9a-z-]{2,})$/i;
/** Fewer characters are a part of too many names; an address tells itself apart sooner. */
const BEGINNING = /^(?:0x)?([0-9a-f][0-9a-f-]{5,})$/i;
const ADDRESS_BEGINNING = /^T[1-9A-HJ-NP-Za-km-z]{4,32}$/;

export function readSearchText(typed: string): SearchText {
  const text = URL.test(typed) ? (typed.match(IN_URL)?.at(-1) ?? typed) : typed;
  const shortened = SHORTENED.exec(text);
  if (shortened) return { text, begin: shortened[1]!, end: shortened[2]! };
  if (ADDRESS_BEGINNING.test(text)) return { text, begin: text, end: '' };
  return { text, begin: BEGINNING.exec(text)?.[1] ?? null, end: '' };
}
