import '../../src/app.module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { RIGHTS } from '../../src/database/grant-to-application';
import { diagnoseRole } from '../../src/database/diagnose-role';
import { migrateDatabase } from '../../src/database/migrate-database';
import { statementTexts } from '../../src/database/statement';
import { CommandLine } from '../support/command-line';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database';

/** As the page has it, from an empty server on, under names of this run. */
const NAME = `role_${process.pid}`;
const PAGE = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
const MADE = /```sql\n([^`]*create role energy_owner[^`]*)```/.exec(PAGE)![1]!.replaceAll('energy', NAME);

/** What this release promises; a table that moves out of these lists is a change of what the service may do. */
const APPEND_ONLY = ['ledger_entries', 'audit_log', 'order_keys', 'delegation_events'];
const KEPT = ['users', 'accounts', 'holds', 'delegations', 'chain_transactions', 'subscriptions', 'token_days'];

describe('the role of the service, made as docs/operations.md says', () => {
  let server: TestDatabase;
  let superuser: Client;
  let owner: Client;
  let service: Client;
  const urlOf = (role: string) =>
    Object.assign(new URL(server.url), { pathname: NAME, username: `${NAME}_${role}`, password: '…' }).href;
  const migrate = () => migrateDatabase({ url: urlOf('app'), migrationUrl: urlOf('owner') });

  beforeAll(async () => {
    server = await createEmptyDatabase();
    superuser = new Client(server.url);
    await superuser.connect();
    for (const text of MADE.split(';').filter((each) => each.trim() !== '')) await superuser.query(text);
    await migrate();
    [owner, service] = [new Client(urlOf('owner')), new Client(urlOf('app'))];
    await Promise.all([owner.connect(), service.connect()]);
    await service.query(
      `insert into audit_log (address, action, subject, outcome) values ('', 'act', 'subject', 'done')`,
    );
  });
  afterAll(async () => {
    await Promise.all([owner, service].map((client) => client.end()));
    await superuser.query(`drop database ${NAME} with (force)`);
    for (const role of ['app', 'owner']) await superuser.query(`drop role ${NAME}_${role}`);
    await superuser.end();
    await server.drop();
  });

  it.each([...statementTexts])('may run %s', async (_, text) => {
    await expect(service.query(`explain (generic_plan) ${text}`)).resolves.toBeDefined();
  });

  it('has rights on every table, each named in the code', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'mikro_orm_migrations' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(RIGHTS));
  });

  it.each(APPEND_ONLY)('may add to %s, and neither change nor delete nor empty it', async (table) => {
    for (const text of [
      `update ${table} set ${table === 'order_keys' ? 'key = key' : 'id = id'}`,
      `delete from ${table}`,
      `truncate ${table}`,
    ])
      await expect(service.query(text)).rejects.toThrow(`permission denied for table ${table}`);
    const { rows } = await service.query(`select has_table_privilege(current_user, $1, 'insert') as may`, [table]);
    expect(rows).toEqual([{ may: true }]);
    expect((await service.query('select action from audit_log')).rows).toEqual([{ action: 'act' }]);
  });

  it.each(KEPT)('deletes no row of %s', async (table) => {
    for (const text of [`delete from ${table}`, `truncate ${table} cascade`])
      await expect(service.query(text)).rejects.toThrow(/permission denied for table/);
  });

  it.each([
    'alter table audit_log disable trigger all',
    'drop trigger audit_log_append_only on audit_log',
    'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return null; end $$',
    'set session_replication_role = replica',
    `select setval('ledger_entries_id_seq', 1)`,
  ])('has no way around it: %s', async (text) => {
    await expect(service.query(text)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('is what doctor asks for: it names one that owns the tables, and a superuser', async () => {
    const found = async (client: Client) => (await diagnoseRole(client, 'database')).map(({ kind }) => kind);
    expect([await found(service), await found(owner)]).toEqual([[], ['role_owns_tables']]);
    const one = Object.assign(new URL(server.url), { pathname: NAME }).href;
    for (const [url, kinds] of [
      [urlOf('app'), []],
      [urlOf('owner'), ['role_owns_tables']],
      [one, ['role_superuser']],
    ] as const) {
      const { stdout } = await CommandLine.on(url).run('doctor', '--json');
      const { warnings } = JSON.parse(stdout) as { warnings: { kind: string }[] };
      expect(warnings.map(({ kind }) => kind)).toEqual(kinds);
    }
  });

  it('loses with the next start what it may not have, whichever role has granted it', async () => {
    await owner.query(`grant update, delete on ${[...APPEND_ONLY, ...KEPT].join(', ')} to ${NAME}_app`);
    await migrate();
    await expect(service.query('delete from delegation_events')).rejects.toThrow('permission denied');
    await expect(service.query('update audit_log set action = action')).rejects.toThrow('permission denied');
    await expect(service.query('delete from accounts')).rejects.toThrow('permission denied');
    await expect(service.query('update accounts set held_sun = held_sun')).resolves.toBeDefined();
  });
});
