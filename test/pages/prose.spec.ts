import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['docs', 'docs/decisions', 'docs/customers/en'];
const pagesOf = (folder: string) => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
/** docs/safety.md by its words: its rows are what tests have recorded. */
const DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  'clients/typescript/README.md',
  'scripts/safety/words.md',
  ...FOLDERS.flatMap((folder) => pagesOf(folder).map((name) => join(folder, name))),
].filter((path) => path !== 'docs/safety.md');

/** Sentences whose subject is not in the system: a reader has to guess which caller, node or operator is meant. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'a subject that is nobody in particular': /\b(nobody|somebody|anybody|everybody|whoever|anew|mended)\b/gi,
  '"is no X" for "is not an X"': /(?<!\bthere )\bis no (?!longer|more)\w+/gi,
  'a line that begins with a headless question':
    /^(?:[-*] |#+ (?:\d+\. )?|\d+\. |\| )?\**(?:Of|Who|Whoever|What is) /gm,
};

describe('the prose of the documents', () => {
  it.each(Object.entries(SHAPES))('has not %s', (_, shape) => {
    const found = DOCUMENTS.flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8').replaceAll(/^ *```[^]*?^ *```$/gm, '');
      return [...text.matchAll(shape)].map(({ index }) => `${path}: ${text.slice(index, index + 60)}`);
    });
    expect(found).toEqual([]);
  });
});
