import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { SharedCommandLine } from '../support/shared-command-line';
import { createTestApp } from '../support/test-app';
import { HOOK_PATH, NoticeWorld, OPERATOR, SECRET, TOKEN } from './notice-world';

describe('notices', () => {
  let world: NoticeWorld;
  beforeAll(async () => {
    world = await NoticeWorld.open();
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());
  afterEach(() => jest.restoreAllMocks());

  it('have a page with a test for each way, which shows no secret and is for operators alone', async () => {
    const operator = await insertPanelUser(world.service, { operator: true });
    const user = await insertPanelUser(world.service);
    const client = new PanelClient(world.service.url);
    await client.signIn(operator.email, operator.password);
    const path = '/panel/operator/notices';
    for (const channel of ['email', 'telegram', 'webhook']) {
      expect((await client.submit(path, `${path}/${channel}/test`)).location).toBe(path);
      expect((await client.get(path)).text).toContain('The test was sent.');
    }
    expect(world.mail.to(OPERATOR)[0]!.text).toContain('This is a test notice');
    expect(world.http.received).toHaveLength(2);
    world.http.answerStatus(HOOK_PATH, 403);
    await client.submit(path, `${path}/webhook/test`);
    const { text } = await client.get(path);
    expect(text).toContain('The test was not sent: 403.');
    for (const secret of [TOKEN, SECRET, world.mail.password, 'secret-path']) expect(text).not.toContain(secret);
    await client.submit(path, `${path}/email/kinds`, { kinds: ['finding', 'made-up'] });
    expect(await world.rows('select channel, kinds from notice_choices')).toEqual([
      { channel: 'email', kinds: ['finding'] },
    ]);
    expect((await client.submit(path, `${path}/customers/test`)).status).toBe(404);
    const plain = new PanelClient(world.service.url);
    await plain.signIn(user.email, user.password);
    expect((await plain.get(path)).status).toBe(404);
    expect((await plain.submit('/panel/account', `${path}/email/test`)).status).toBe(404);
    const acts = await world.rows<{ act: string }>(
      `select action || ' ' || outcome as act from audit_log where actor_id = '${operator.id}' and action like 'notices.%' order by id`,
    );
    expect(acts.map(({ act }) => act)).toEqual([
      ...[1, 2, 3, 4].flatMap(() => ['notices.test begun', 'notices.test done']),
      'notices.choose done',
    ]);
  });

  it('are tested from the command line on every way that is set up; mail without addresses goes to every operator who is not disabled', async () => {
    const operator = await insertPanelUser(world.service, { operator: true });
    const former = await insertPanelUser(world.service, { operator: true });
    await world.run(`update users set disabled_at = now() where id = '${former.id}'`);
    const { NOTIFY_EMAIL: _nobody, ...settings } = world.env;
    const cli = SharedCommandLine.on(world.service.databaseUrl, settings);
    world.http.answerStatus(HOOK_PATH, 403);
    world.mail.received.length = 0;
    const { exitCode, stdout } = await cli.run('notify:test', '--json');
    expect(JSON.parse(stdout)).toEqual([
      { channel: 'email', ok: true, reason: null },
      { channel: 'telegram', ok: true, reason: null },
      { channel: 'webhook', ok: false, reason: '403' },
    ]);
    expect(exitCode).toBe(1);
    expect(world.mail.to(operator.email)).toHaveLength(1);
    expect(world.mail.to(former.email)).toEqual([]);
    await cli.close();
  });

  it('are nothing where nothing is set up', async () => {
    const bare = await createTestApp({ backgroundWork: false, databaseUrl: world.service.databaseUrl });
    await world.lowStake();
    await world.look(bare);
    expect(await world.rows('select from notice_marks')).toEqual([]);
    const operator = await insertPanelUser(world.service, { operator: true });
    const client = new PanelClient(bare.url);
    await client.signIn(operator.email, operator.password);
    expect((await client.get('/panel/operator/notices')).text).toContain(
      'Not set up: SMTP_URL, MAIL_FROM, NOTIFY_EMAIL.',
    );
    await client.submit('/panel/account', '/panel/operator/notices/telegram/test');
    expect((await client.get('/panel/operator/notices')).text).toContain('This channel is not set up.');
    await bare.close();
  });
});
