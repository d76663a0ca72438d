import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/cli.module';
import { ERROR_CODES } from '../../src/common/errors/error-codes';

const read = (path: string) => readFileSync(join(__dirname, '..', '..', path), 'utf8');
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const matches = (text: string, pattern: RegExp) => sorted([...text.matchAll(pattern)].map(([, name]) => name!));

describe('the lists of the documents', () => {
  it('have every setting of .env.example, and no other', () => {
    const rows = read('docs/settings.md').match(/^\| `[^|]+\|/gm)!;
    const settings = matches(rows.join(), /`([A-Z][A-Z0-9_]+)`/g);
    expect(settings).toEqual(matches(read('.env.example'), /^#?([A-Z][A-Z0-9_]+)=/gm));
  });

  it('have every command, and no other', () => {
    const names = COMMANDS.map(
      (command) => (Reflect.getMetadata('CommandBuilder:Command:Meta', command) as { name: string }).name,
    );
    const rows = read('docs/commands.md').match(/^\| `[^|]+\|/gm)!;
    const listed = matches(rows.join(), /`([a-z-]+(?::[a-z-]+)?)(?= [A-Z]|`)/g);
    expect(listed).toEqual(sorted(names));
  });

  it('have every error code', () => {
    const listed = matches(read('docs/customers/en/errors.md'), /`([A-Z][A-Z_]+)`/g);
    const missing = ERROR_CODES.filter((code) => !listed.includes(code));
    expect(missing).toEqual([]);
  });

  it('have each dependency of the service and its tests', () => {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const scoped = matches(read('docs/dependencies.md'), /`([@a-z][\w./-]*)`/g);
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
    // The first name of a scope has the scope, and the others follow without it.
    const isListed = (name: string) => scoped.includes(name) || scoped.includes(name.replace(/^@[^/]+\//, ''));
    expect(names.filter((name) => !name.startsWith('@types/') && !isListed(name))).toEqual([]);
  });

  it('have each decision in a file that is named by its number, and one line for it in the index', () => {
    const files = readdirSync(join(__dirname, '../../docs/decisions')).filter((name) => name !== 'README.md');
    const headings = files.map((name) => /^# (\d+)\. /.exec(read(`docs/decisions/${name}`))?.[1]?.padStart(3, '0'));
    expect(headings).toEqual(files.map((name) => name.slice(0, 3)));
    expect(new Set(headings).size).toBe(files.length);
    const lines = [...read('docs/decisions/README.md').matchAll(/^- \[(\d+)\]\((\d{3})-[a-z0-9-]+\.md\): /gm)];
    expect(lines.map(([, number, name]) => [number!.padStart(3, '0'), name])).toEqual(
      files.map((name) => [name.slice(0, 3), name.slice(0, 3)]),
    );
  });
});
