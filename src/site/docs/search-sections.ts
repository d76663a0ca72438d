import type { PageName } from './page-names';
import type { Section } from './markdown';

/** A query is a few words; more of them would only cost time. */
export const LONGEST_QUERY = 100;
const MOST_WORDS = 6;
const MOST_FOUND = 20;
const EXCERPT = 160;

export interface Searched extends Section {
  readonly page: PageName;
  readonly pageTitle: string;
}

export interface Hit extends Searched {
  /** Pieces of text around the first word, with what was looked for apart. */
  readonly excerpt: readonly { readonly text: string; readonly found: boolean }[];
}

/** The sections that have every word, those with the words in their title first. */
export function searchSections(sections: readonly Searched[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }));
}

function wordsOf(query: string): string[] {
  const words = query.slice(0, LONGEST_QUERY).toLowerCase().split(/\s+/);
  return [...new Set(words.filter((word) => word !== ''))].slice(0, MOST_WORDS);
}

function scoreOf({ title, text }: Searched, words: readonly string[]): number {
  const [inTitle, inText] = [title.toLowerCase(), text.toLowerCase()];
  const scores = words.map((word) => {
    if (inTitle === word) return 100;
    return (inTitle.includes(word) ? 10 : 0) + (inText.includes(word) ? 1 : 0);
  });
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

function excerptOf(text: string, words: readonly string[]): Hit['excerpt'] {
  const low = text.toLowerCase();
  const first = Math.min(...words.map((word) => low.indexOf(word)).filter((at) => at !== -1), text.length);
  const start = first === text.length ? 0 : Math.max(0, first - EXCERPT / 4);
  const shown = `${start > 0 ? '…' : ''}${text.slice(start, start + EXCERPT)}${start + EXCERPT < text.length ? '…' : ''}`;
  const pieces: { text: string; found: boolean }[] = [];
  let rest = shown;
  while (rest !== '') {
    const at = nearest(rest.toLowerCase(), words);
    if (at === null) break;
    if (at.start > 0) pieces.push({ text: rest.slice(0, at.start), found: false });
    pieces.push({ text: rest.slice(at.start, at.end), found: true });
    rest = rest.slice(at.end);
  }
  return rest === '' ? pieces : [...pieces, { text: rest, found: false }];
}

function nearest(text: string, words: readonly string[]): { start: number; end: number } | null {
  const found = words
    .map((word) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length }))
    .filter(({ start }) => start !== -1);
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end)[0] ?? null;
}
