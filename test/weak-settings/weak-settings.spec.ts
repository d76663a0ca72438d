import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { RequestOrigins } from '../../src/common/http/request-origins';
import { SendMail } from '../../src/mail/send-mail';
import { TermsSchedule } from '../../src/reconciliation/terms/terms.schedule';
import { openFiles } from '../../src/weak-settings/open-files';
import { WeakSettings } from '../../src/weak-settings/weak-settings';
import { insertUser } from '../support/factories';
import { MailServer } from '../support/mail-server';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { ServiceProcess } from '../support/service-process';
import { SharedCommandLine } from '../support/shared-command-line';
import { createTestApp, type TestApp } from '../support/test-app';

const NODES = { TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' };
const KEYS = ['dzpPopuI4/KNx+qnj3WNpMLS2v0Vek+qyopYqciI7cE=', 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA='] as const;

interface Found {
  readonly kind: string;
  readonly subject: string;
  readonly reason: string;
}

describe('the list of weak settings', () => {
  const env = {
    WEBHOOK_ALLOW_PRIVATE: 'on',
    PUBLIC_URL: 'https://energy.example',
    TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1',
  };
  let service: TestApp;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env });
    cli = SharedCommandLine.on(service.databaseUrl);
  });
  afterAll(async () => {
    await cli.close();
    await service.close();
  });

  const doctor = async (settings: Record<string, string>) => {
    const { stdout } = await cli.runWith({ ...cli.env, ...settings }, 'doctor', '--json');
    return JSON.parse(stdout) as { findings: Found[]; warnings: Found[] };
  };
  const list = async (app: TestApp) => app.app.get(WeakSettings).list();

  it('is the same at a start, by doctor, and on the page Settings in both languages', async () => {
    const { findings, warnings } = await doctor(env);
    expect(findings.map(({ kind }) => kind)).toContain('proxy_trusts_everybody');
    // The role of the tests is a superuser.
    expect(warnings.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['webhooks_may_be_private', 'role_superuser']),
    );
    const listed = (await list(service)).map(({ kind }) => kind);
    const said = [...findings, ...warnings].filter(({ kind }) => (listed as string[]).includes(kind));
    expect(said.map(({ kind }) => kind).toSorted()).toEqual(listed.toSorted());

    const operator = await insertPanelUser(service, { operator: true });
    const client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
    const page = (await client.get('/panel/operator/settings')).text;
    for (const { subject, reason } of said) for (const text of [subject, reason]) expect(page).toContain(escaped(text));
    const chinese = (await client.get('/panel/operator/settings?lang=zh')).location!;
    expect((await client.get(chinese)).text).toContain('WEBHOOK_ALLOW_PRIVATE=on：客户可以让本机调用');

    const process = new ServiceProcess({ ...NODES, ...env, DATABASE_URL: service.databaseUrl });
    await process.waitFor(/API +http/);
    await process.stop('SIGTERM');
    for (const { reason } of said) expect(process.stdout).toContain(JSON.stringify(reason).slice(1, -1));
  });

  it('is empty where everything is sound', async () => {
    const sound = await createTestApp({ backgroundWork: false, databaseUrl: service.databaseUrl });
    const kinds = (await list(sound)).map(({ kind }) => kind);
    await sound.close();
    expect(kinds.filter((kind) => kind !== 'role_superuser' && kind !== 'file_open_to_others')).toEqual([]);
  });

  it('says that instances have other SECRET_KEYS, and nothing while they have the same in any order', async () => {
    const [first, second, turned] = await Promise.all(
      [KEYS[0], KEYS.join(), [...KEYS].toReversed().join()].map((SECRET_KEYS) =>
        createTestApp({ backgroundWork: false, databaseUrl: service.databaseUrl, env: { SECRET_KEYS } }),
      ),
    );
    const differing = async (app: TestApp) => (await list(app)).filter(({ kind }) => kind === 'secret_keys_differ');
    await second!.app.get(TermsSchedule).begin();
    expect(await differing(turned!)).toEqual([]);
    await turned!.app.get(TermsSchedule).begin();
    const [found] = await differing(first!);
    expect(found).toMatchObject({ subject: 'SECRET_KEYS' });
    const [{ reason }] = (await doctor({ SECRET_KEYS: KEYS[0] })).findings.filter(
      ({ kind }) => kind === 'secret_keys_differ',
    ) as [Found];
    expect(reason).toMatch(/SECRET_KEYS: [\da-f]{8}\+[\da-f]{8} \(\S+\), [\da-f]{8} \(this process\)/);
    for (const key of KEYS) expect(reason).not.toContain(key);
    for (const app of [first!, second!, turned!]) await app.close();
  });

  it('says what requests come as where PUBLIC_URL says otherwise, and nothing once they come as it says', async () => {
    const app = await createTestApp({
      backgroundWork: false,
      databaseUrl: service.databaseUrl,
      env: { PUBLIC_URL: 'https://energy.example', TRUST_PROXY: 'loopback' },
    });
    const terms = app.app.get(TermsSchedule);
    await terms.begin();
    const userId = await insertUser(app.orm);
    const { token } = await app.app.get(ApiTokenService).create({ userId, name: 'shop', permissions: ['balance'] });
    const differing = async () => {
      await terms.begin();
      return (await doctor({ PUBLIC_URL: 'https://energy.example', TRUST_PROXY: 'loopback' })).warnings.filter(
        ({ kind }) => kind === 'public_url_differs',
      );
    };
    const ask = (headers: Record<string, string>, path = '/api/user/token') =>
      new Promise<void>((resolve, reject) => {
        const sent = request(app.url + path, { headers }, (answer) => {
          answer.resume().once('end', () => resolve());
        });
        sent.once('error', reject).end();
      });
    const authorization = `Bearer ${token}`;

    // Strangers write whatever they like.
    await ask({ host: 'evil.example' });
    expect(await differing()).toEqual([]);
    // The API may have other names than the panel, inside as well.
    await ask({ host: 'api.example', 'x-forwarded-proto': 'https', authorization });
    await ask({ host: 'service-1:3000', authorization });
    expect(await differing()).toEqual([]);
    await ask({ host: 'energy.example', authorization });
    expect(await differing()).toMatchObject([
      { subject: 'PUBLIC_URL', reason: expect.stringContaining(' as http://energy.example:') as string },
    ]);
    await ask({ host: 'energy.example', 'x-forwarded-proto': 'https', authorization });
    expect(await differing()).toEqual([]);
    await app.close();
  });

  it('says what the panel is opened as where PUBLIC_URL says another host', async () => {
    const app = await createTestApp({
      backgroundWork: false,
      databaseUrl: service.databaseUrl,
      env: { PUBLIC_URL: 'https://energy.example', TRUST_PROXY: 'loopback' },
    });
    const { email, password } = await insertPanelUser(app);
    const client = new PanelClient(app.url);
    await client.signIn(email, password);
    expect((await client.get('/panel/account')).status).toBe(200);
    expect(app.app.get(RequestOrigins).other).toBe(new URL(app.url).origin);
    await app.close();
  });
});

describe('a file that others can read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'open-files-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is one with rights for others in folders that they can enter', () => {
    const inner = join(folder, 'keys');
    mkdirSync(inner);
    const path = join(inner, 'main');
    writeFileSync(path, 'key');
    const found = (mode: number, folders = 0o755) => {
      chmodSync(folder, folders);
      chmodSync(path, mode);
      return openFiles([path, path]).map(({ parameters }) => parameters);
    };
    expect([found(0o600), found(0o640), found(0o660)]).toEqual([[], [], []]);
    expect(found(0o644)).toEqual([{ path, mode: '0644' }]);
    expect(found(0o602)).toEqual([{ path, mode: '0602' }]);
    expect(found(0o644, 0o750)).toEqual([]);
    expect(openFiles([join(folder, 'none')])).toEqual([]);
  });

  it('is looked for among the key files of the pool', async () => {
    chmodSync(folder, 0o755);
    const path = join(folder, 'pool-key');
    writeFileSync(path, '1'.repeat(64));
    chmodSync(path, 0o644);
    const app = await createTestApp({ backgroundWork: false });
    await app.sql.rows(
      {
        name: 'a_wallet',
        text: `insert into pool_wallets (id, name, address, role, key_source) values (gen_random_uuid(), 'main', 'T', 'delegate', $1)`,
      },
      [`file:${path}`],
    );
    const found = await app.app.get(WeakSettings).list();
    await app.close();
    expect(found).toContainEqual({ kind: 'file_open_to_others', subject: path, parameters: { path, mode: '0644' } });
  });
});

describe('a password of mail', () => {
  it('goes to no server on another machine that offers no TLS, unless SMTP_ALLOW_PLAIN=on', async () => {
    const mail = await MailServer.open();
    // To the kernel this machine, to us a host like any other.
    const SMTP_URL = mail.url.replace('127.0.0.1', '0.0.0.0');
    const send = async (env: Record<string, string>) => {
      const app = await createTestApp({ backgroundWork: false, env: { MAIL_FROM: 'a@b.example', ...env } });
      const sent = app.app.get(SendMail).send({ id: '1', to: ['c@d.example'], subject: 's', text: 't' });
      const outcome = await sent.then(
        () => 'taken',
        (error: Error) => error.message,
      );
      await app.close();
      return outcome;
    };
    expect(await send({ SMTP_URL })).not.toBe('taken');
    expect([mail.received, mail.attempts]).toEqual([[], 0]);
    expect(await send({ SMTP_URL, SMTP_ALLOW_PLAIN: 'on' })).toBe('taken');
    expect(await send({ SMTP_URL: mail.url })).toBe('taken');
    await mail.close();
  });
});

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
