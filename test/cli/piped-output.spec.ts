import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { createTestApp } from '../support/test-app';

const USERS = 3_000;
const PIPE_BYTES = 65_536;

describe('the output of a command', () => {
  let folder: string;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'output-'));
    database = await createTestDatabase();
    const service = await createTestApp({ databaseUrl: database.url, backgroundWork: false });
    const values = `select gen_random_uuid(), 'user' || n || '@example.com', 'A customer with number ' || n from generate_series(1, ${USERS}) n`;
    await service.sql.execute({ name: '', text: `insert into users (id, email, name) ${values}` });
    await service.sql.execute({ name: '', text: 'insert into accounts (user_id) select id from users' });
    await service.close();
    // Builds what is out of date, which it says on stderr.
    await shell('CLI --help');
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const shell = (script: string) => CommandLine.on(database.url, { FOLDER: folder }).shell(script);
  const rowsIn = (text: string) => (JSON.parse(text) as unknown[]).length;

  it('is whole in a pipe whose reader is slow', async () => {
    const { code, stdout, stderr } = await shell('CLI user:list --json | { head -c 1; sleep 1; cat; }');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.length).toBeGreaterThan(4 * PIPE_BYTES);
    expect(rowsIn(stdout)).toBe(USERS);
  });

  it('is whole for people too, and in a file', async () => {
    const table = await shell('CLI user:list | { head -c 1; sleep 1; cat; }');
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(USERS + 1);
    const file = join(folder, 'whole');
    expect(await shell('CLI user:list --json >"$FOLDER/whole"')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(rowsIn(readFileSync(file, 'utf8'))).toBe(USERS);
  });

  it.each([
    'CLI user:list --json | head -c 1',
    'CLI user:list | head -n 1',
    'CLI user:list --json | true',
    'CLI token:create --user user1@example.com --name t --permissions balance | true',
  ])('that no one reads on ends the command without a word: %s', async (script) => {
    const { code, stderr } = await shell(`${script} >/dev/null`);
    expect({ code, stderr }).toEqual({ code: 141, stderr: '' });
  });

  it('is not said to be whole where its place is full', async () => {
    for (const options of ['--json', '']) {
      const { code, stderr } = await shell(`CLI user:list ${options} >/dev/full`);
      expect({ code, stderr }).toEqual({ code: 1, stderr: 'The output is incomplete: ENOSPC\n' });
    }
    // So much of it fits; a single call of the system would take it and say nothing of the rest.
    const { code, stderr } = await shell(`ulimit -f 100; CLI user:list --json >"$FOLDER/cut"`);
    expect(statSync(join(folder, 'cut')).size).toBe(100 * 1024);
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'The output is incomplete: EFBIG\n' });
  });

  it('says nothing where no program reads its errors, and the exit code still says it', async () => {
    const { code } = await shell(
      'CLI user:list --nonsense 2>&1 >/dev/null | true; echo ${PIPESTATUS[0]} >"$FOLDER/code"',
    );
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'code'), 'utf8')).toBe('2\n');
    expect((await shell('CLI --help | true')).stderr).toBe('');
  });
});
