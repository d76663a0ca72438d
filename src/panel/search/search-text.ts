/** What the search takes a text for: one thing by its whole name, several by what it begins with (and ends with), or words. */
export interface SearchText {
  /** As it was typed, or what stands for one thing in it: in the URL of an explorer, behind a word, before a comma. */
  readonly text: string;
  /** Of the panel's short form `6791ba…c3b6dc`, or of an id or address that breaks off. Null: the text is no such beginning. */
  readonly begin: string | null;
  readonly end: string;
}

export const TXID = /^(?:0x)?([0-9a-f]{64})$/i;
export const ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
/** Browsers show and copy some without a scheme. */
const URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?\/)/i;
const ID =
  /(?<![0-9A-Za-z])(?:0[xX])?([0-9a-fA-F]{64}|T[1-9A-HJ-NP-Za-km-z]{33}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?![0-9A-Za-z])/g;
const SHORTENED = /^(?:0x)?([0-9a-z-]{4,})\s?(?:…|\.{2,3})\s?([0-9a-z-]{2,})$/i;
/** Fewer characters are a part of too many names; an address tells itself apart sooner. */
const BEGINNING = /^(?:0x)?([0-9a-f][0-9a-f-]{5,})$/i;
const ADDRESS_BEGINNING = /^T[1-9A-HJ-NP-Za-km-z]{4,32}$/;

export function readSearchText(typed: string): SearchText {
  return readAsTyped(meantIn(typed) ?? typed);
}

/** With no look at what it may hold: a key or a reference may have an id in it. */
export function readAsTyped(text: string): SearchText {
  const shortened = SHORTENED.exec(text);
  if (shortened) return { text, begin: shortened[1]!, end: shortened[2]! };
  if (ADDRESS_BEGINNING.test(text)) return { text, begin: text, end: '' };
  return { text, begin: BEGINNING.exec(text)?.[1] ?? null, end: '' };
}

/** Null where no single thing is meant. */
function meantIn(typed: string): string | null {
  if (URL.test(typed)) {
    const path = typed.split('?')[0]!;
    // The last one: a path may hold ids of other things before it.
    return idsIn(path).at(-1) ?? idsIn(typed).at(-1) ?? null;
  }
  const ids = idsIn(typed);
  return [ids.filter((id) => TXID.test(id)), ids].find(({ length }) => length === 1)?.[0] ?? null;
}

function idsIn(text: string): string[] {
  return [...new Set([...text.matchAll(ID)].map(([, id]) => id!))];
}
