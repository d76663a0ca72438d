import { Webhook as StandardWebhook } from 'standardwebhooks';
import { v7 as uuid } from 'uuid';
import { NoticeAdminService } from '../../src/admin/notice-admin.service';
import { LedgerService } from '../../src/balance/ledger.service';
import { addressOfKey } from '../../src/chain/addresses';
import { NodeClient } from '../../src/chain/node/node-client';
import { BackgroundJob } from '../../src/common/background-job';
import { finding } from '../../src/findings/finding';
import { FindingRepository } from '../../src/findings/finding.repository';
import { NoticeDispatcher } from '../../src/notices/notice-dispatcher';
import { CHANNELS } from '../../src/notices/notice-kinds';
import { NoticeRepository } from '../../src/notices/notice.repository';
import { NoticesSchedule } from '../../src/notices/notices.schedule';
import { WatchTroubles } from '../../src/notices/watch-troubles';
import { UserService } from '../../src/users/user.service';
import { StopWebhook } from '../../src/webhooks/stop-webhook';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertUser } from '../support/factories';
import { MailServer } from '../support/mail-server';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { SharedCommandLine } from '../support/shared-command-line';
import { createTestApp, type TestApp } from '../support/test-app';
import { TricklingServer } from '../support/trickling-server';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';

const TOKEN = '123456:a-token-that-nobody-may-ever-see';
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const OPERATOR = 'olga@example.com';
const WALLET = { id: '01890a5d-ac96-774b-bcce-b302099a8057', name: 'main' };
const TRX = 1_000_000n;
const CLI = { id: null, address: 'test' };

describe('notices', () => {
  let mail: MailServer;
  let http: WebhookReceiver;
  let service: TestApp;
  let second: TestApp;
  let env: Record<string, string>;

  beforeAll(async () => {
    [mail, http] = await Promise.all([MailServer.open(), WebhookReceiver.open()]);
    env = {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Energy <energy@example.com>',
      NOTIFY_EMAIL: OPERATOR,
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_CHAT_ID: '-1001234',
      TELEGRAM_API_URL: http.url(''),
      NOTIFY_WEBHOOK_URL: http.url('/hooks/secret-path'),
      NOTIFY_WEBHOOK_SECRET: SECRET,
      PUBLIC_URL: 'https://energy.example',
      WEBHOOK_ALLOW_PRIVATE: 'on',
    };
    service = await createTestApp({ backgroundWork: false, env });
    second = await createTestApp({ backgroundWork: false, env, databaseUrl: service.databaseUrl });
    await run(
      `insert into pool_wallets (id, name, address, role, key_source) values ('${WALLET.id}', 'main', 'a', 'delegate', 'env:NO_KEY')`,
    );
  });
  afterAll(async () => {
    await second?.close();
    await service?.close();
    http?.close();
    await mail?.close();
  });
  beforeEach(async () => {
    for (const table of ['notice_marks', 'notice_deliveries', 'notice_choices', 'findings'])
      await run(`delete from ${table}`);
    await run('update accounts set low_balance_sun = null, low_since = null');
    mail.refuse(null);
    mail.received.splice(0);
    http.received.splice(0);
    http.answerStatus('/hooks/secret-path', 204);
    http.answerStatus(`/bot${TOKEN}/sendMessage`, 200);
  });
  afterEach(() => jest.restoreAllMocks());

  const run = (text: string) => service.sql.execute({ name: '', text });
  const rows = <Row>(text: string) => service.sql.rows<Row>({ name: '', text });
  const look = (app = service) => app.app.get(WatchTroubles).look();
  const send = async (app = service) => {
    for (const channel of CHANNELS) await app.app.get(NoticeDispatcher).sendDue(channel);
  };
  const lookAndSend = async () => {
    await look();
    await send();
  };
  const told = () =>
    rows<{ channel: string; items: { kind: string }[] }>(
      'select channel, items from notice_deliveries order by created_at, channel',
    );
  const countTold = async () => (await told()).length;
  /** As if that much time had passed since all was told. */
  const later = async (hours: number) => {
    const ago = `- interval '${hours} hours'`;
    await run(`update notice_marks set noticed_at = noticed_at ${ago}, begun_at = begun_at ${ago}`);
    await run(`update findings set first_seen_at = first_seen_at ${ago}`);
    await run(`update accounts set low_since = low_since ${ago}`);
  };

  const lowStake = () =>
    service.app
      .get(FindingRepository)
      .seen(finding('low_stake', { transactions: '3' }, { type: 'wallet', walletId: WALLET.id, wallet: WALLET.name }));
  const gone = () => service.app.get(FindingRepository).resolveOthers([]);

  it('go to every way that is set up, each once, and show no secret', async () => {
    await lowStake();
    await lookAndSend();
    expect(mail.to(OPERATOR)).toHaveLength(1);
    expect(mail.received[0]!.text).toContain('Subject: Energy service: 1 notice');
    expect(mail.received[0]!.text).toContain('main');
    expect(mail.received[0]!.text).toContain('https://energy.example/panel/operator');
    const [telegram] = http.at(`/bot${TOKEN}/sendMessage`);
    const said = JSON.parse(telegram!.text) as { chat_id: string; text: string };
    expect(said).toMatchObject({ chat_id: '-1001234', text: expect.stringContaining('main') as string });
    const [hook] = http.at('/hooks/secret-path');
    const verified = new StandardWebhook(SECRET).verify(hook!.text, hook!.headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'notice', data: { notices: [{ kind: 'low_stake' }] } });
    const kept = JSON.stringify([await told(), await rows('select row_to_json(d)::text from notice_deliveries d')]);
    for (const secret of [TOKEN, SECRET, mail.password, 'secret-path']) expect(kept).not.toContain(secret);
    await send();
    expect(mail.received).toHaveLength(1);
    expect(http.received).toHaveLength(2);
  });

  it('come once for the same thing, however many instances look at the same moment', async () => {
    await Promise.all([lowStake(), lowBalanceOf('first@example.com')]);
    await Promise.all([service, second, service, second, service, second].map((app) => look(app)));
    await Promise.all([service, second, service].map((app) => send(app)));
    expect((await told()).map(({ channel }) => channel).toSorted()).toEqual([
      'customers',
      'email',
      'telegram',
      'webhook',
    ]);
    expect(mail.to(OPERATOR)).toHaveLength(1);
    expect(mail.to('first@example.com')).toHaveLength(1);
    expect(http.received).toHaveLength(2);
    // Both know of it by now, and it is an hour ago: of two that remind, one does.
    await later(25);
    await Promise.all([service, second, service, second].map((app) => look(app)));
    expect(await countTold()).toBe(7);
  });

  it('come again after a day while it lasts, and not before', async () => {
    await lowStake();
    await look();
    await later(23);
    await look();
    expect(await countTold()).toBe(3);
    await later(1);
    await look();
    expect(await countTold()).toBe(6);
  });

  it('of what comes and goes never come twice within the hour, and are not forgotten behind it', async () => {
    await lowStake();
    await look();
    await gone();
    await look();
    await lowStake();
    await look();
    expect(await countTold()).toBe(3);
    // An hour after it was told of first, it is there again, or still.
    await run(`update notice_marks set noticed_at = noticed_at - interval '1 hour'`);
    await look();
    expect(await countTold()).toBe(6);
    await look();
    expect(await countTold()).toBe(6);
  });

  it('tell of what was chosen alone, and of what is chosen later then', async () => {
    const admin = service.app.get(NoticeAdminService);
    await admin.choose(CLI, 'telegram', ['orders_failing']);
    await admin.choose(CLI, 'webhook', []);
    await admin.choose(CLI, 'email', ['finding']);
    await lowStake();
    await look();
    expect(await countTold()).toBe(0);
    await admin.choose(CLI, 'email', ['low_stake']);
    await look();
    expect((await told()).map(({ channel }) => channel)).toEqual(['email']);
  });

  async function lowBalanceOf(email: string): Promise<string> {
    const userId = await insertUser(service.orm, { email, balance: 100 });
    await service.app.get(UserService).update(email, { lowBalanceSun: 50n * TRX });
    await move(userId, 'debit', 60n);
    return userId;
  }
  const move = (userId: string, kind: 'credit' | 'debit', trx: bigint) =>
    service.sql.transaction((tx) =>
      service.app.get(LedgerService).move(kind, { userId, amountSun: trx * TRX, note: 'x', reference: uuid() }, tx),
    );

  it('tell a customer that the balance is low once, in both languages, and again when it has become low again', async () => {
    const email = 'ann@example.com';
    const userId = await lowBalanceOf(email);
    await lookAndSend();
    await later(25);
    await lookAndSend();
    const [first, ...more] = mail.to(email);
    expect(more).toEqual([]);
    expect(first!.text).toContain('40 TRX can be spent');
    expect(first!.text).toContain('可用余额为 40 TRX');
    expect(first!.to).toEqual([email]);
    await move(userId, 'credit', 60n);
    await lookAndSend();
    await move(userId, 'debit', 60n);
    await lookAndSend();
    expect(mail.to(email)).toHaveLength(2);
    await service.app.get(NoticeAdminService).choose(CLI, 'customers', []);
    await lowBalanceOf('not-told@example.com');
    await lookAndSend();
    expect(mail.to('not-told@example.com')).toEqual([]);
  });

  it('that a server refuses are sent again later and given up at last, without its words, and hold up no other way', async () => {
    mail.refuse(451);
    http.answerStatus('/hooks/secret-path', 500);
    await lowStake();
    await lookAndSend();
    expect(http.at(`/bot${TOKEN}/sendMessage`)).toHaveLength(1);
    const state = () =>
      rows<{ channel: string; state: string; attempts: number; error: string | null }>(
        `select channel, state, attempts, error from notice_deliveries order by channel`,
      );
    expect(await state()).toEqual([
      { channel: 'email', state: 'pending', attempts: 1, error: 'SMTP 451' },
      { channel: 'telegram', state: 'sent', attempts: 1, error: null },
      { channel: 'webhook', state: 'pending', attempts: 1, error: '500' },
    ]);
    await send();
    expect((await state())[0]!.attempts).toBe(1);
    mail.refuse(null);
    for (let attempt = 2; attempt <= 7; attempt++) {
      await run(`update notice_deliveries set next_at = now() where state = 'pending'`);
      await send();
    }
    expect(await state()).toMatchObject([
      { channel: 'email', state: 'sent', attempts: 2 },
      { channel: 'telegram', state: 'sent' },
      { channel: 'webhook', state: 'failed', attempts: 6 },
    ]);
    expect(mail.to(OPERATOR)).toHaveLength(1);
  });

  it('that an ended instance has claimed are sent by another, whose late word changes nothing', async () => {
    await lowStake();
    await look();
    const notices = service.app.get(NoticeRepository);
    const lost = (await Promise.all(CHANNELS.map((channel) => notices.claim(channel, 10)))).flat();
    expect(lost).toHaveLength(3);
    await send(second);
    expect(mail.received).toEqual([]);
    await run(`update notice_deliveries set claimed_until = now() - interval '1 second'`);
    await send(second);
    expect(mail.to(OPERATOR)).toHaveLength(1);
    for (const claim of lost) await notices.record(claim, 'failed', 'late', null);
    expect(await rows(`select state from notice_deliveries where state <> 'sent'`)).toEqual([]);
  });

  it('wait for no other way, nor operators for customers: a mail server that never gets to the end holds up its own alone', async () => {
    const slow = await TricklingServer.open();
    const working = await createTestApp({
      backgroundWork: false,
      databaseUrl: service.databaseUrl,
      env: { ...env, SMTP_URL: slow.url },
    });
    const { app } = working;
    jest.spyOn(app.get(BackgroundJob), 'run').mockImplementation(async (_name, work) => void (await work()));
    const limits = Array.from({ length: 20 }, () => new AbortController());
    let mails = 0;
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => limits[mails++]!.signal);
    for (let n = 0; n < 12; n++) await lowBalanceOf(`low${n}@example.com`);
    await look(working);
    const schedule = app.get(NoticesSchedule);
    // Ten of the twelve are under way and get nowhere.
    const customers = schedule.sendToCustomers();
    await until('ten are connected', () => Promise.resolve(slow.open === 10));
    timeout.mockRestore();
    await lowStake();
    await schedule.look();
    await Promise.all([schedule.sendTelegrams(), schedule.sendWebhooks()]);
    expect(http.received).toHaveLength(2);
    // Operators' mail has its own turn, with the server that it has to put up with.
    jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => limits[mails++]!.signal);
    const operators = schedule.sendMails();
    await until('theirs is connected too', () => Promise.resolve(slow.open === 11));
    jest.restoreAllMocks();
    jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    for (const limit of limits) limit.abort();
    await Promise.all([customers, operators]);
    await working.close();
    await slow.close();
  });

  it('are given up for now when a mail server says a little now and then for 45 seconds', async () => {
    const slow = await TricklingServer.open();
    const working = await createTestApp({
      backgroundWork: false,
      databaseUrl: service.databaseUrl,
      env: { ...env, SMTP_URL: slow.url },
    });
    await lowStake();
    await look(working);
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const sending = working.app.get(NoticeDispatcher).sendDue('email');
    await until('it has said much', () => Promise.resolve(slow.said > 20));
    expect(timeout.mock.calls).toEqual([[45_000]]);
    limit.abort();
    await sending;
    expect(await rows(`select state, error from notice_deliveries where channel = 'email'`)).toEqual([
      { state: 'pending', error: 'ETIMEDOUT' },
    ]);
    await until('nothing is left of it', () => Promise.resolve(slow.open === 0));
    await working.close();
    await slow.close();
  });

  it('tell of orders that fail, a wallet that was paused, a node that is set aside and a webhook that was given up', async () => {
    const userId = await insertUser(service.orm, { email: 'shop@example.com' });
    await run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
           paid_by, answer, answer_code, answered_at)
         select gen_random_uuid(), '${userId}', 'T' || n, '1', 65000, 10, false, 'failed', '${WALLET.id}', 1, 3000000, 'balance',
                case when n = 1 then 'success' else 'failure' end, 'x', now() from generate_series(1, 3) n`,
    );
    const findings = service.app.get(FindingRepository);
    const about = {
      type: 'delegated_resource',
      walletId: WALLET.id,
      wallet: WALLET.name,
      receiver: 'TReceiver',
    } as const;
    const { id } = (await findings.seen(finding('delegation_foreign', { lent_sun: '5', most_sun: '0' }, about)))!;
    await findings.acted(id, 'wallet_paused', 'main');
    const { webhook } = await service.app.get(WebhookService).create({ userId, url: http.url('/customer?key=hidden') });
    await service.sql.transaction((tx) => service.app.get(StopWebhook).stop(webhook.id, 'gone', tx));
    // No node listens: its first call fails, and a minute later it is still so.
    await service.app
      .get(NodeClient)
      .ask('wallet', 'getnowblock', {}, () => undefined)
      .catch(() => undefined);
    const ahead = performance.now();
    await look();
    jest.spyOn(performance, 'now').mockReturnValue(ahead + 60_000);
    await look();
    jest.restoreAllMocks();
    const kinds = (await told())
      .filter(({ channel }) => channel === 'email')
      .flatMap(({ items }) => items.map(({ kind }) => kind));
    expect(kinds.toSorted()).toEqual(['node_set_aside', 'orders_failing', 'quarantine', 'webhook_disabled']);
    const words = JSON.stringify(await told());
    expect(words).toContain('of 3 answers in the last hour 1 were successes');
    expect(words).toContain('127.0.0.1:1');
    expect(words).not.toContain('hidden');
    await run('delete from delegations');
    await run('delete from webhooks');
  });

  it('tell that no order can be taken, with the answer and why, once it was so for three minutes', async () => {
    const key = '1'.repeat(64);
    process.env['NOTICES_KEY'] = key;
    const stake = (sun: bigint) =>
      run(`update pool_wallets set address = '${addressOfKey(key)}', key_source = 'env:NOTICES_KEY', delegable_sun = ${sun},
             balance_sun = 100000000, bandwidth = 5000, observed_at = now() where id = '${WALLET.id}'`);
    const begun = performance.now();
    const lookAfter = async (minutes: number) => {
      jest.spyOn(performance, 'now').mockReturnValue(begun + minutes * 60_000);
      await look();
    };
    const refused = async () =>
      (await told()).flatMap(({ items }) => items).filter(({ kind }) => kind === 'orders_failing');
    await stake(20_000_000n * TRX);
    await lookAfter(0);
    await stake(0n);
    for (const minutes of [1, 2, 3]) await lookAfter(minutes);
    await stake(20_000_000n * TRX);
    await lookAfter(3.9);
    await stake(0n);
    for (const minutes of [5, 6, 7]) await lookAfter(minutes);
    expect(await refused()).toEqual([]);
    await lookAfter(8);
    await lookAfter(9);
    const words = await refused();
    expect(words).toHaveLength(3);
    expect(JSON.stringify(words[0])).toContain(
      'each is refused with 501 INSUFFICIENT_ENERGY: no active wallet has the stake left for one transaction.',
    );
  });

  it('have a page with a test for each way, which shows no secret and is for operators alone', async () => {
    const operator = await insertPanelUser(service, { operator: true });
    const user = await insertPanelUser(service);
    const client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
    const path = '/panel/operator/notices';
    for (const channel of ['email', 'telegram', 'webhook']) {
      expect((await client.submit(path, `${path}/${channel}/test`)).location).toBe(path);
      expect((await client.get(path)).text).toContain('The test was taken.');
    }
    expect(mail.to(OPERATOR)[0]!.text).toContain('This is a test of the notices.');
    expect(http.received).toHaveLength(2);
    http.answerStatus('/hooks/secret-path', 403);
    await client.submit(path, `${path}/webhook/test`);
    const { text } = await client.get(path);
    expect(text).toContain('The test was not taken: 403.');
    for (const secret of [TOKEN, SECRET, mail.password, 'secret-path']) expect(text).not.toContain(secret);
    await client.submit(path, `${path}/email/kinds`, { kinds: ['finding', 'made-up'] });
    expect(await rows('select channel, kinds from notice_choices')).toEqual([{ channel: 'email', kinds: ['finding'] }]);
    expect((await client.submit(path, `${path}/customers/test`)).status).toBe(404);
    const plain = new PanelClient(service.url);
    await plain.signIn(user.email, user.password);
    expect((await plain.get(path)).status).toBe(404);
    expect((await plain.submit('/panel/account', `${path}/email/test`)).status).toBe(404);
    const acts = await rows<{ act: string }>(
      `select action || ' ' || outcome as act from audit_log where actor_id = '${operator.id}' and action like 'notices.%' order by id`,
    );
    expect(acts.map(({ act }) => act)).toEqual([
      ...[1, 2, 3, 4].flatMap(() => ['notices.test begun', 'notices.test done']),
      'notices.choose done',
    ]);
  });

  it('are tested from the command line on every way that is set up; mail without addresses goes to every operator', async () => {
    const operator = await insertPanelUser(service, { operator: true });
    const { NOTIFY_EMAIL: _nobody, ...settings } = env;
    const cli = SharedCommandLine.on(service.databaseUrl, settings);
    http.answerStatus('/hooks/secret-path', 403);
    mail.received.length = 0;
    const { exitCode, stdout } = await cli.run('notify:test', '--json');
    expect(JSON.parse(stdout)).toEqual([
      { channel: 'email', ok: true, reason: null },
      { channel: 'telegram', ok: true, reason: null },
      { channel: 'webhook', ok: false, reason: '403' },
    ]);
    expect(exitCode).toBe(1);
    expect(mail.to(operator.email)).toHaveLength(1);
    await cli.close();
  });

  it('are nothing where nothing is set up', async () => {
    const bare = await createTestApp({ backgroundWork: false, databaseUrl: service.databaseUrl });
    await lowStake();
    await look(bare);
    expect(await rows('select from notice_marks')).toEqual([]);
    const operator = await insertPanelUser(service, { operator: true });
    const client = new PanelClient(bare.url);
    await client.signIn(operator.email, operator.password);
    expect((await client.get('/panel/operator/notices')).text).toContain(
      'Not set up: SMTP_URL, MAIL_FROM, NOTIFY_EMAIL.',
    );
    await client.submit('/panel/account', '/panel/operator/notices/telegram/test');
    expect((await client.get('/panel/operator/notices')).text).toContain('This way is not set up.');
    await bare.close();
  });
});
