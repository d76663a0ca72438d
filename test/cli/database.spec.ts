import { PROPERTY_DEPS_METADATA } from '@nestjs/common/constants';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/cli.module';
import { acquireEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres';
import { ensureBuild } from '../support/build';
import { Child } from '../support/child';
import { CommandLine } from '../support/command-line';
import { runProgram } from '../support/program';
import { createEmptyDatabase } from '../support/test-database';

const CREATE = ['user:create', '--email', 'ann@example.com', '--name', 'Ann'];
const CREDIT = ['balance:credit', '--user', 'ann@example.com', '--amount', '100', '--note', 'first'];

describe('the database of a command', () => {
  const directory = mkdtempSync(join(tmpdir(), 'command-database-'));
  // The server of root passes through as another user.
  chmodSync(directory, 0o755);
  let started: Child | undefined;
  afterAll(() => {
    started?.process.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  /** As typed in this folder, which holds the settings file. */
  const run = (args: string[], env: Record<string, string> = {}) =>
    runProgram([process.execPath, join(ensureBuild(), 'src/cli/main.js'), ...args], { cwd: directory, env });

  it.each([
    ['that changes something', CREDIT],
    ['that only reads', ['user:list']],
    ['that compares', ['audit']],
  ])('is never made by a command %s: it refuses and says where it looked', async (_, args) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^No database: DATABASE_URL is not set, and no service has made .*energy-cli.*\n$/);
    expect(stderr).toContain(`in ${join(directory, '.data')} (DATA_DIR)`);
    expect(stderr).toContain(`the environment alone: ${join(directory, '.env')} does not exist`);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is not made in a data directory that has none, and the settings file that was read is named', async () => {
    writeFileSync(join(directory, '.env'), 'DATA_DIR=data\n');
    const { code, stderr } = await run(CREDIT);
    expect(code).toBe(1);
    expect(stderr).toContain(`in ${join(directory, 'data')} (DATA_DIR)`);
    expect(stderr).toContain(`the environment and ${join(directory, '.env')}.`);
    rmSync(join(directory, '.env'));
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is not made in production either, by a command or by a start', async () => {
    const env = { NODE_ENV: 'production', TRON_FULL_NODE_URLS: 'http://127.0.0.1:1', DATA_DIR: 'data' };
    started = new Child([join(ensureBuild(), 'src/main.js')], env, directory);
    for (const { code, stderr } of [await run(CREDIT, env), await started.ended]) {
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^The settings are wrong:\n {2}- DATABASE_URL is required in production.*\nSettings are read/,
      );
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is a finding of doctor when there is none', async () => {
    const { code, stdout } = await run(['doctor', '--json']);
    expect(code).toBe(1);
    const said = expect.stringContaining(join(directory, '.data')) as string;
    expect(JSON.parse(stdout)).toMatchObject({ findings: [{ kind: 'no_database', reason: said }] });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('gets its tables when DATABASE_URL names an empty one', async () => {
    const database = await createEmptyDatabase();
    const commandLine = CommandLine.on(database.url);
    const { stderr } = await commandLine.run(...CREATE);
    expect(stderr).toBe('');
    expect(await commandLine.json('user:list')).toMatchObject([{ email: 'ann@example.com' }]);
    await database.drop();
  });

  it('is the embedded one that a service has made, also while no service runs, and a command that changes something names it', async () => {
    const data = join(directory, 'made');
    await (await acquireEmbeddedPostgres(data)).release();
    const changed = await run(CREATE, { DATA_DIR: data });
    expect(changed).toMatchObject({ code: 0, stderr: `Database: embedded PostgreSQL in ${join(data, 'postgres')}\n` });
    const listed = await run(['user:list', '--json'], { DATA_DIR: data });
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(listed.stdout)).toHaveLength(1);
    expect(existsSync(join(data, 'postgres/data/postmaster.pid'))).toBe(false);
    rmSync(data, { recursive: true });
  });
});

describe('what a command says of itself', () => {
  /** Its own and those of the command it extends. */
  const servicesOf = (command: object): { type: { name?: string } }[] =>
    (Reflect.getMetadata(PROPERTY_DEPS_METADATA, command) as { type: { name?: string } }[] | undefined) ?? [];
  /** Everything that a command changes goes through `src/admin`. */
  const changes = (command: object): boolean =>
    servicesOf(command).some(({ type: { name = '' } }) => name.endsWith('AdminService'));

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    '%s: that it changes something exactly when it does',
    (_, command) => {
      expect(command.effect === 'changes').toBe(changes(command));
    },
  );
});
