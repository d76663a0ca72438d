import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findCircles, type Import, readImports, sourceFiles } from './import-graph';
import { NEVER, PACKAGES, ROOMS, WORKSPACES } from './rooms';

type Room = (typeof ROOMS)[number];
const FILES_OF_APP = ['src/app.module.ts', 'src/main.ts'];
/** Larger, and a room is two. The panel is pages. */
const MOST_LINES = 5_000;
const LARGE: readonly Room[] = ['panel'];
/** Says again what `src/languages/en` says: a reader reads one of them. */
const isTranslation = (file: string) => /^src\/languages\/(?!en\/)\w+\//.test(file);

function roomOf(file: string): Room {
  const [top = '', folder = '', inner = '', ...more] = file.replace(/\.tsx?$/, '').split('/');
  if (FILES_OF_APP.includes(file)) return 'app';
  const name = top === 'config' ? 'config' : folder === 'chain' && more.length > 0 ? `chain/${inner}` : folder;
  const room = ROOMS.find((known) => known === name);
  if (room === undefined) throw new Error(`${file} is in no room of rooms.ts`);
  return room;
}

const workspaceOf = (name: string) => WORKSPACES.find((folder) => name.startsWith(`${folder}/`));
const isFile = (name: string) => /^(src|config)\//.test(name);
const rank = (file: string) => ROOMS.indexOf(roomOf(file));

/** The service and the packages are programs of their own, which know each other by what they say over HTTP. */
function findAcross(imports: readonly Import[]): string[] {
  return imports
    .filter(({ to }) => isFile(to) || workspaceOf(to) !== undefined)
    .filter(({ from, to }) => workspaceOf(from) !== workspaceOf(to))
    .map(({ from, to }) => `${from} imports ${to}`);
}

function findUpward(imports: readonly Import[]): string[] {
  const between = imports.filter(({ from, to }) => isFile(from) && isFile(to) && roomOf(from) !== roomOf(to));
  const wrong = between.filter(
    ({ from, to }) => rank(from) < rank(to) || NEVER[roomOf(from)]?.includes(roomOf(to)) === true,
  );
  return wrong.map(({ from, to }) => `${from} imports ${to}`);
}

function findPackages(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, to }) => isFile(from) && PACKAGES[to]?.includes(roomOf(from)) === false)
    .map(({ from, to }) => `${from} imports ${to}`);
}

describe('the rooms of the service', () => {
  const imports = readImports();

  it('import rooms below them alone', () => {
    expect(imports.length).toBeGreaterThan(3_000);
    expect(findUpward(imports)).toEqual([]);
  });

  it('share no line with the packages of the repository', () => {
    for (const folder of WORKSPACES) expect(imports.filter(({ from }) => from.startsWith(folder))).not.toEqual([]);
    expect(findAcross(imports)).toEqual([]);
  });

  it('have no file that imports itself, by whatever way', () => expect(findCircles(imports)).toEqual([]));

  it('leave tronweb to the chain', () => expect(findPackages(imports)).toEqual([]));

  it('are no larger than one reader can hold', () => {
    const lines = new Map<Room, number>();
    for (const file of sourceFiles().filter((name) => isFile(name) && !isTranslation(name))) {
      const count = readFileSync(join(__dirname, '../..', file), 'utf8').split('\n').length - 1;
      lines.set(roomOf(file), (lines.get(roomOf(file)) ?? 0) + count);
    }
    const large = [...lines].filter(([room, count]) => count > MOST_LINES && !LARGE.includes(room));
    expect(large).toEqual([]);
    expect(ROOMS.filter((room) => !lines.has(room))).toEqual([]);
  });

  it.each([
    ['src/common/clock.ts', 'src/panel/panel.module.ts'],
    ['src/chain/proof/judge.ts', 'src/chain/tron/addresses.ts'],
    ['src/panel/panel.module.ts', 'src/database/sql.ts'],
    ['config/configuration.ts', 'src/common/clock.ts'],
  ])('would be told of %s importing %s', (from, to) => {
    expect(findUpward([{ from, to }])).toEqual([`${from} imports ${to}`]);
  });

  it.each([
    ['local-chain/src/main.ts', 'src/common/clock.ts'],
    ['src/seed/seed.module.ts', 'local-chain/src/local-chain.ts'],
    ['clients/typescript/src/index.ts', 'local-chain/src/local-chain.ts'],
  ])('would be told of %s importing %s, from one package to another', (from, to) => {
    expect(findAcross([{ from, to }])).toEqual([`${from} imports ${to}`]);
  });

  it('would be told of a circle, of tronweb elsewhere, and of a new folder', () => {
    const [a, b, c] = ['src/a/a.ts', 'src/b/b.ts', 'src/c/c.ts'] as const;
    const line = [
      { from: a, to: b },
      { from: b, to: c },
    ];
    expect(findCircles(line)).toEqual([]);
    expect(findCircles([...line, { from: c, to: a }])).toEqual([[a, b, c]]);
    expect(findPackages([{ from: 'src/panel/panel.module.ts', to: 'tronweb' }])).toHaveLength(1);
    expect(() => findUpward([{ from: a, to: b }])).toThrow('is in no room');
  });
});
