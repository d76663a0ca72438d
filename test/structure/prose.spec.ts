import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTexts, type Text } from './prose';

const ROOT = join(__dirname, '../..');
const FOLDERS = ['config', 'local-chain/src', 'scripts', 'signer/src', 'src', 'test'];
/** Their texts come with the panel's issue. */
const NOT_DONE = ['src/panel/', 'src/languages/en/panel/', 'test/panel/'];
/** A comment, message or name of a test without the subject that its first word stands for. */
const HEADLESS = /^(?:Of|Who|Whoever|What is) /;
const WORDS = /\b(?:nobody|whoever|is no(?= ))\b/i;

const TRANSLATION = /^src\/languages\/(?!en\/)\w+\//;

/** A string without a space is a value. What a test's strings say is data, but for its name, and a translation's strings are not English. */
function isProse({ kind, text }: Text, isCode: boolean): boolean {
  return kind === 'comment' || kind === 'test name' || (isCode && text.includes(' '));
}

/** Shapes that a reader has to read twice: `file:line what`. */
function findShapes(name: string, source: string): string[] {
  const isCode = !name.startsWith('test/') && !TRANSLATION.test(name);
  return readTexts(name, source)
    .filter((text) => isProse(text, isCode))
    .flatMap(({ kind, line, text }) => {
      const found = [HEADLESS.exec(text)?.[0].trim(), WORDS.exec(text)?.[0].toLowerCase()];
      if (kind === 'hint' && text.includes(';')) found.push('a semicolon in a hint');
      return found.filter((shape) => shape !== undefined).map((shape) => `${name}:${line} ${shape}`);
    });
}

function sourceFiles(): string[] {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  return names.filter((name) => /\.(?:[cm]?[jt]s|tsx)$/.test(name)).toSorted();
}

describe('the prose in the code', () => {
  it('has a subject in each comment, message and name of a test, and hints of sentences', () => {
    const files = sourceFiles();
    expect(files.length).toBeGreaterThan(1_500);
    const found = files
      .filter((name) => !NOT_DONE.some((room) => name.startsWith(room)))
      .flatMap((name) => findShapes(name, readFileSync(join(ROOT, name), 'utf8')));
    expect(found).toEqual([]);
  });

  it('has no room on the list of those not done that is done, or gone', () => {
    const files = sourceFiles();
    const done = NOT_DONE.filter(
      (room) =>
        !files.some(
          (name) => name.startsWith(room) && findShapes(name, readFileSync(join(ROOT, name), 'utf8')).length > 0,
        ),
    );
    expect(done).toEqual([]);
  });

  it.each([
    ['/** Of the block. */', 'Of'],
    ['/**\n * Who pays.\n */', 'Who'],
    ['  // Whoever pays.', 'Whoever'],
    ['/* What is lent. */', 'What is'],
    ['const a = 1; // Waits for nobody.', 'nobody'],
    ['call(/* whoever asks */ 1);', 'whoever'],
    ['// A mark that\n// is no letter.', 'is no'],
    ["log.warn('Of two nodes one is late');", 'Of'],
    ['throw new Error(`${name} is no address`);', 'is no'],
    ["log.warn('Asked by ' + 'nobody at all');", 'nobody'],
    ["const row = { nextStep: () => 'Stop it; start it.' };", 'a semicolon in a hint'],
    ['const next_step = `Stop ${name}; start it.`;', 'a semicolon in a hint'],
  ])('would be found wanting with %s', (source, shape) => {
    const found = findShapes('src/a.ts', `\n${source}\nexport const END = 1;\n`);
    expect(found.map((one) => one.replace(/^src\/a\.ts:[234] /, '').toLowerCase())).toContain(shape.toLowerCase());
  });

  it.each([
    ["it('is no test', () => {});", 'is no'],
    ["describe.each([1])('nobody', () => {});", 'nobody'],
    ["it.each`a`('Who pays', () => {});", 'who'],
    ["it.skip('asks whoever comes', () => {});", 'whoever'],
    ['// Who pays.', 'who'],
  ])('would be found wanting in a test with %s', (source, shape) => {
    expect(findShapes('test/a.spec.ts', source).map((one) => one.toLowerCase())).toEqual([`test/a.spec.ts:1 ${shape}`]);
  });

  it.each([
    ['a statement', "const FIND = statement('find', `select 1 -- of nobody`);"],
    ['a tagged statement', 'const text = sql`where it is no more`;'],
    ['a Chinese text', "log.warn('没有人 nobody 知道');"],
    ['a value', "const user = 'nobody';"],
    ['a type', "type Kind = 'of nobody';"],
    ['slashes in a value', "const url = 'https://nobody';"],
    ['a regular expression', 'const words = /nobody is no \\/\\* one/;'],
    ['a word that only begins so', '// Often done, and is now noted.'],
  ])('leaves %s alone', (_what, source) => {
    expect(findShapes('src/a.ts', source)).toEqual([]);
  });

  it('reads the comments of a translation, and leaves its strings alone', () => {
    const source = "// Of hints.\nconst hint = 'Halt; an; nobody';\n";
    expect(findShapes('src/languages/de/notices.ts', source)).toEqual(['src/languages/de/notices.ts:1 Of']);
    expect(findShapes('src/languages/en/notices.ts', source)).toHaveLength(3);
  });

  it('tells the line of what it finds', () => {
    const source =
      'const a = `${1}\n`;\n\n// A first line.\n// The second is for nobody.\nlog.warn(`${a} is no one`);\n';
    expect(findShapes('src/a.ts', source)).toEqual(['src/a.ts:4 nobody', 'src/a.ts:6 is no']);
  });
});
