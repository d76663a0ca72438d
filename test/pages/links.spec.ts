import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { anchorOf } from '../../src/site/docs/markdown';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['docs', 'examples', 'clients', 'local-chain', 'signer', 'deploy', 'src', 'config', 'test', 'scripts'];
/** With the address of a service that shows the page. */
const OUTSIDE = /^(https?:|#|\{\{base_url\}\})/;

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

function filesBelow(folder: string): string[] {
  const found = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const files = found.filter((file) => file.isFile() && !file.parentPath.includes('node_modules'));
  return files.map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));
}

const AT_ROOT = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
/** The words of docs/safety.md link from where that page lies. */
const PAGES = [...AT_ROOT, ...FOLDERS.flatMap(filesBelow)].filter(
  (name) => name.endsWith('.md') && name !== 'scripts/safety/words.md',
);

const linksOf = (page: string) =>
  [...read(page).matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g)].map(([, link, image]) => link ?? image!);

/** The anchors of its headings. The second of two that are alike has a number on GitHub. */
function anchorsOf(page: string): string[] {
  const text = read(page).replaceAll(/^ *(```+)[^]*?^ *\1/gm, '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
  return headings.map((anchor, at) => {
    const before = headings.slice(0, at).filter((one) => one === anchor).length;
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

describe('a reader of the documents', () => {
  it.each(PAGES)('finds what %s links to', (page) => {
    const links = linksOf(page);
    const inside = links.filter((link) => !OUTSIDE.test(link)).map((link) => link.replace(/#.*$/, ''));
    expect(inside.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);
  });

  it.each(PAGES)('finds the section of a page that %s links to', (page) => {
    const sections = linksOf(page)
      .filter((link) => /^[^:]*#/.test(link))
      .map((link) => link.split('#') as [string, string])
      .map(([file, anchor]) => ({ in: file === '' ? page : join(dirname(page), file), anchor: decodeURI(anchor) }));
    expect(sections.filter((section) => !anchorsOf(section.in).includes(section.anchor))).toEqual([]);
  });

  it('finds a file for each decision that code or a document names by its number', () => {
    const decisions = readdirSync(join(ROOT, 'docs/decisions')).map((name) => Number(name.slice(0, 3)));
    const named = [...AT_ROOT, ...FOLDERS.flatMap(filesBelow)]
      .filter((path) => /\.(md|ts|tsx|mjs|sql|yml|yaml)$/.test(path))
      .flatMap((path) => [...read(path).matchAll(/\bdecisions? (\d+)\b/gi)].map(([, number]) => ({ path, number })));
    expect(named.filter(({ number }) => !decisions.includes(Number(number)))).toEqual([]);
  });

  it('has README in one sitting', () => {
    expect(Buffer.byteLength(read('README.md'))).toBeLessThan(10_000);
  });
});
