import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_CODES } from '../../config/languages';
import { isLanguage, LANGUAGES } from '../../src/languages/languages';
import { customerText, operatorText } from '../../src/notices/channels/notice-message';

/** As JSON has it, without the name of a function that differs: which texts there are, and which of them take values. */
function shapeOf(texts: unknown): unknown {
  if (typeof texts === 'function') return 'a text with values';
  if (typeof texts !== 'object' || texts === null) return typeof texts;
  return Object.fromEntries(
    Object.entries(texts)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, text]) => [name, shapeOf(text)]),
  );
}

/** The decimal numbers of each sentence, by its place: most are prices. A sentence that takes values gets them in each language. */
function numbersIn(texts: unknown, place = ''): [place: string, numbers: string[]][] {
  if (typeof texts === 'string') return [[place, (texts.match(/\d+\.\d+/g) ?? []).toSorted()]];
  if (typeof texts !== 'object' || texts === null) return [];
  return Object.entries(texts).flatMap(([name, text]) => numbersIn(text, `${place}.${name}`));
}

/** Every text that takes no values. */
function textsOf(texts: unknown): string[] {
  if (typeof texts === 'string') return [texts];
  return typeof texts === 'object' && texts !== null ? Object.values(texts).flatMap(textsOf) : [];
}

/** What the documents of customers have in quotes, outside of code: pages, fields and buttons of the panel. */
function quotedIn(code: string): string[] {
  const folder = join(__dirname, '../../docs/customers', code);
  return readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll(/^ *```[^]*?^ *```$|`[^`]*`/gm, '');
    return [...text.matchAll(/“([^”]+)”|"([A-Z][^"]*)"/g)].map(([, chinese, english]) =>
      (chinese ?? english!).replace(/^\[(.*)\]\(.*\)$/, '$1'),
    );
  });
}

describe('languages', () => {
  it.each(LANGUAGE_CODES)('%s has every text of English, and a name and tag of its own', (code) => {
    expect(shapeOf(LANGUAGES[code])).toEqual(shapeOf(LANGUAGES.en));
    const named = Object.values(LANGUAGES).map(({ panel: { language } }) => `${language.name} ${language.tag}`);
    expect(new Set(named).size).toBe(LANGUAGE_CODES.length);
    expect(LANGUAGES[code].panel.language.tag).toMatch(new RegExp(`^${code}\\b`));
  });

  it.each(LANGUAGE_CODES)('%s names the prices that English names', (code) => {
    const english = numbersIn(LANGUAGES.en);
    expect(english.filter(([, numbers]) => numbers.length > 0).length).toBeGreaterThan(0);
    expect(new Map(numbersIn(LANGUAGES[code]))).toEqual(new Map(english));
  });

  it.each(LANGUAGE_CODES)('%s has its documents name pages and buttons as the panel does', (code) => {
    const texts = textsOf(LANGUAGES[code].panel);
    const quoted = quotedIn(code);
    expect(quoted.length).toBeGreaterThan(5);
    expect(quoted.filter((text) => !texts.includes(text))).toEqual([]);
  });

  it('are known by their codes alone', () => {
    expect(LANGUAGE_CODES.filter(isLanguage)).toEqual(Object.keys(LANGUAGES));
    for (const other of ['', 'xx', 'toString', '__proto__', 'EN', null, undefined, 1])
      expect(isLanguage(other)).toBe(false);
  });

  it('that a waiting notice was not written in leave its English to operators, and no gap to a customer', () => {
    const before = { id: '7', items: [{ kind: 'low_balance' as const, text: { en: 'Low.' } }] };
    expect(operatorText(before, 'zh', 'https://e.example')).toBe('- Low.\n\n面板: https://e.example');
    expect(customerText(before, 'https://e.example')).toBe(
      'Low.\n\nhttps://e.example/panel/balance\n\nhttps://e.example/docs/top-up',
    );
    // Where deposits are on, the mail leads to the page that shows the customer's address.
    expect(customerText(before, 'https://e.example', { deposits: true, text: 'Or by bank.' })).toBe(
      'Low.\n\nOr by bank.\n\nhttps://e.example/panel/top-up\n\nhttps://e.example/docs/top-up',
    );
  });
});
