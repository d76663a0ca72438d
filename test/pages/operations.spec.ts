import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { parseEnvironmentFile } from '../../scripts/with-settings.mjs';
import type { Child } from '../support/child';
import { Host } from '../support/host';
import { Mainnet } from '../support/mainnet';
import { type NotRun, Page } from '../support/page';
import { SharedCommandLine } from '../support/shared-command-line';

const ROOT = join(__dirname, '..', '..');
const PASSWORD = 'letters4and6digits';
const OPERATOR = 'olga@example.com';

const NOT_RUN: NotRun = [
  [/^npm ci$/, 'downloads all libraries; .ci/run begins with it'],
  [/^useradd /, 'changes the accounts of the machine; the test has another one in its place'],
  [/^systemctl /, 'needs systemd; the test starts what the unit says'],
  [/^docker /, 'needs Docker'],
  [/^podman /, 'needs Podman'],
  [/^install -D -o 1000 /, "a key for a container's user"],
  [/^promtool /, 'npm run check runs it where promtool is installed'],
  [/^pg_dump /, "needs PostgreSQL's client programs; test/reconciliation/restore.spec.ts restores"],
  [/^deposit:credit-unexplained /, 'needs an address that was paid; test/cli/deposits.spec.ts runs it'],
  [/^(energy-cli )?deposit:sweep-/, 'needs deposits and a treasury; test/cli/deposit-sweeps.spec.ts runs them'],
  [/^npm run bench/, 'measures for minutes'],
  [/^npm test /, 'a part of the run that this test belongs to'],
  [/^npm run --silent cli --$/, "refuses in this reader's shell: a test of its own"],
];

/** Complete commands that find nothing to do here. */
const REFUSED: Readonly<Record<string, string>> = {
  'energy-cli notify:test': 'No channel is set up',
  'energy-cli witnesses:accept DIGEST': 'the nodes name no other set of witnesses',
  'witnesses:accept DIGEST': 'the nodes name no other set of witnesses',
  'chain:accept-branch BLOCK_ID': 'undoes no final block',
  'chain:accept-block HEIGHT': 'can be proved',
  'energy-cli restore:confirm': 'nothing to confirm',
  'deposit:rate --trx-per-usdt R': 'deposits are off',
  'deposit:rate --trx-per-usdt R --credit-waiting': 'deposits are off',
  'deposit:credit ID --note T': 'unknown deposit',
};

describe('a reader of docs/operations.md', () => {
  const page = new Page('docs/operations.md', NOT_RUN);
  let mainnet: Mainnet;
  let host: Host;
  let database: Client;
  let service: Child;
  let url: string;

  beforeAll(async () => {
    mainnet = await Mainnet.open();
    host = new Host();
  });
  afterAll(async () => {
    await service?.stop('SIGTERM');
    await database?.end();
    host?.close();
    await mainnet?.close();
  });

  const databaseUrl = (user: string) =>
    Object.assign(new URL(mainnet.databaseUrl), { username: user, password: PASSWORD, pathname: '/energy' }).href;

  /** As root types it, in a shell that has none of the service's settings. */
  const type = async (...lines: string[]) => {
    const script = mainnet.fill(host.place(lines.map((line) => page.runnable(line)).join('\n')), url);
    expect(script).not.toContain('…');
    const result = await host.shell(script);
    expect({ script, ...result }).toMatchObject({ code: 0 });
    for (const line of lines) page.sayRan(line);
    return result;
  };

  /** The page's own, with our node and server, and a free port in the place of its own. */
  const settings = () =>
    page.blocks
      .find(({ language }) => language === 'ini')!
      .text.replace(/^(DATABASE_URL)=.*$/m, `$1=${databaseUrl('energy_app')}`)
      .replace(/^(DATABASE_MIGRATION_URL)=.*$/m, `$1=${databaseUrl('energy_owner')}`)
      .replaceAll(/^(TRON_\w+_URLS)=.*$/gm, `$1=${mainnet.chain.url}`)
      .replace(/^METRICS_PORT=.*$/m, 'PORT=0')
      .concat(`NODE_COMPILE_CACHE=${host.data}/compile-cache\n`);

  it('comes from an empty server to the first order, and its money is where the service looks', async () => {
    const roles = page.blocks.find(({ language }) => language === 'sql')!;
    await mainnet.asSuperuser(roles.text.replaceAll('…', PASSWORD));
    const [program, check, order] = page.scripts;
    await type(...program!);
    const early = await host.shell('energy-cli user:list');
    expect(early).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(host.place('/etc/energy-delegation/env')) as string,
    });
    host.write('/etc/energy-delegation/env', settings());
    await type('chmod 600 /etc/energy-delegation/env');
    const install = page.inline.find((command) => /^install -o root .* key \S+keys\/main$/.test(command))!;
    host.write('/root/key', mainnet.keys.activate);
    await type(install.replace('keys/main', 'keys/activation'));
    host.write('/root/key', mainnet.keys.delegate);
    await type(install);
    const file = '/etc/energy-delegation/env';
    host.write(file, `\ufeff${settings()}`);
    await expect(host.startUnit()).rejects.toThrow(`${host.place(file)} cannot be used: it has a byte-order mark`);
    host.write(file, settings());
    service = await host.startUnit();
    url = (await service.waitFor(/API +(http:\/\/\S+)/))[1]!;

    const ok = expect.stringContaining('ok: settings, database, nodes and keys') as string;
    expect(await type(...check!)).toMatchObject({ stdout: ok, stderr: '' });
    expect((await type(...order!)).stdout).toContain('"success":true');

    database = new Client(databaseUrl('energy_owner'));
    await database.connect();
    const { rows } = await database.query(
      `select u.email, l.amount_sun::text as credited, (select count(*)::integer from delegations) as orders
         from ledger_entries l join users u on u.id = l.user_id where l.kind = 'credit'`,
    );
    expect(rows).toEqual([{ email: 'a@example.com', credited: '100000000', orders: 1 }]);
    expect(databasesIn(host.folder)).toEqual([]);
  });

  it('has in energy-cli what the unit has', () => {
    const unit = readFileSync(join(ROOT, 'deploy/systemd/energy-delegation.service'), 'utf8');
    const script = readFileSync(join(ROOT, 'deploy/systemd/energy-cli'), 'utf8');
    const [user, program, file, data] = ['user', 'program', 'settings', 'data'].map(
      (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(script)![1]!,
    );
    const mask = /^umask (\d+)$/m.exec(script)![1]!;
    expect(script).toContain(' NODE_ENV=production DATA_DIR="$data" SETTINGS_FILE="$settings" ');
    expect(unit.match(/^(User|Group|WorkingDirectory|Environment|EnvironmentFile|UMask)=.*$/gm)).toEqual([
      `User=${user}`,
      `Group=${user}`,
      `WorkingDirectory=${program}`,
      'Environment=NODE_ENV=production',
      `EnvironmentFile=${file}`,
      `Environment=SETTINGS_FILE=${file}`,
      `Environment=DATA_DIR=${data}`,
      `UMask=${mask}`,
    ]);
    const check = `${program}/node_modules/.bin/node scripts/with-settings.mjs --check ${file}`;
    expect(unit.match(/^ExecStartPre=.*$/gm)).toEqual([`ExecStartPre=+${check}`]);
  });

  it('who forgets energy-cli is refused, and no other database comes into being', async () => {
    const credit = `npm run --silent cli -- balance:credit --user a@example.com --amount 100 --note 'second payment'`;
    const { code, stdout, stderr } = await host.shell(credit, '/opt/energy-delegation');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`no service has made an embedded database in ${host.program}/.data (DATA_DIR)`);
    expect(databasesIn(host.folder)).toEqual([]);
  });

  it('finds in the audit log who has typed a command, which runs as the account of the service', async () => {
    const { rows } = await database.query<{ address: string }>('select distinct address from audit_log');
    expect(rows).toEqual([{ address: expect.stringMatching(host.commandsActAs) as string }]);
  });

  /** In one process for all, with what energy-cli gives each: the tests above show how it comes to one. */
  it('can type every other command of the page', async () => {
    const cli = SharedCommandLine.inClone(host.program, {
      ...parseEnvironmentFile(settings()),
      NODE_ENV: 'production',
      DATA_DIR: host.data,
      INIT_CWD: join(host.folder, '/root'),
    });
    for (const command of page.left) {
      const line = command.replace(/^energy-cli /, '');
      const name = line.split(' ')[0]!;
      const result = line.startsWith('openssl ')
        ? await host.shell(host.place(line)).then(({ code, ...said }) => ({ exitCode: code, ...said }))
        : await cli.type(host.place(await fillPlaceholders(line)));
      const says = REFUSED[command];
      const expected =
        says === undefined ? { exitCode: 0 } : { exitCode: 1, stderr: expect.stringContaining(says) as string };
      expect({ command, ...result }).toMatchObject(expected);
      if (name === 'user:invite') expect(result.stdout).toContain('https://energy.example/panel/invitation?key=');
      page.sayRan(command);
    }
    await cli.close();
  });

  /** In capitals the page writes what its reader knows. */
  async function fillPlaceholders(line: string): Promise<string> {
    const name = line.split(' ')[0]!;
    const words: Readonly<Record<string, string>> = {
      // The last operator could not be disabled.
      E: name === 'user:disable' ? 'a@example.com' : ABOUT_STRANGERS.test(name) ? STRANGER : OPERATOR,
      F: 'zoe@new.example',
      EMAIL: OPERATOR,
      HEIGHT: '1',
      N: 'Olga',
      T: 'replaced',
      "'…'": "'a test'",
      R: '0.31',
      PATH: '/etc/energy-delegation/keys/main',
      // Two addresses: whether they are witnesses is for doctor and the findings.
      'T…=60,T…=40': 'TLyqzVGLV1srkB7dToTAEqgDSfPtXRJZYH=60,TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9=40',
      NAME: /drain|remove/.test(name) ? 'activation' : 'main',
    };
    const filled = line.split(' ').map((word) => words[word] ?? word);
    const prepare = PREPARED[name];
    if (prepare === undefined) return filled.join(' ');
    const { rows } = await database.query<{ id: string }>(prepare);
    return filled.map((word) => (word === 'ID' ? rows[0]!.id : word)).join(' ');
  }

  it('meets no command that is neither run here nor has a reason why it cannot be', () => {
    page.expectAllRun();
  });

  it.each(filesIn('deploy'))('meets no other command in %s', (path) => {
    const file = new Page(path, NOT_RUN);
    for (const command of page.ran) file.sayRan(command);
    expect(file.left).toEqual([]);
  });
});

/** Somebody who has signed up; once approved, a user. */
const STRANGER = 'zoe@shop.example';
const ABOUT_STRANGERS = /^user:(?:approve|refuse|change-email)$/;
const SIGNED_UP = `insert into sign_ups (id, email, name, password_hash, language, network, confirmed_at)
  values (gen_random_uuid(), '${STRANGER}', 'Zoe', 'x', 'en', '192.0.2.1', now()) returning id`;

/** What a command needs to be there, and the id that it is given. */
const PREPARED: Readonly<Record<string, string>> = {
  'user:approve': SIGNED_UP,
  'user:refuse': SIGNED_UP,
  'token:revoke': 'select id from api_tokens',
  'token:update': 'select id from api_tokens',
  'delegation:show': 'select id from delegations',
  'webhook:deliveries': `insert into webhooks (id, user_id, url, events, secret)
    select gen_random_uuid(), id, 'https://shop.example/', '{}', 's' from users where email = 'a@example.com' returning id`,
  'deposit:credit': 'select gen_random_uuid() as id',
  'finding:acknowledge': `insert into findings (kind, subject, reason, next_step, amount_sun)
    values ('shortage', 'x', 'r', 'n', 5) returning id`,
  'user:reset-second-factor': `insert into second_factors (user_id, secret, last_step)
    select id, 'plain.AA==', 0 from users where email = '${OPERATOR}' returning user_id as id`,
};

/** Every embedded database below a folder. */
function databasesIn(folder: string): string[] {
  // With types, links are not followed: into node_modules.
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found.filter(({ name }) => name === 'PG_VERSION').map(({ parentPath }) => parentPath);
}

function filesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
  return names.filter((name) => statSync(join(ROOT, name)).isFile());
}
