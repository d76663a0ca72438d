import { BackgroundJob } from '../../src/common/background-job';
import { SendNotice } from '../../src/notices/channels/send-notice';
import { chatBody } from '../../src/notices/channels/webhook-body';
import { NoticeDispatcher } from '../../src/notices/notice-dispatcher';
import { CHANNELS } from '../../src/notices/notice-kinds';
import { NoticeRepository } from '../../src/notices/notice.repository';
import { NoticesSchedule } from '../../src/notices/notices.schedule';
import { TricklingServer } from '../support/trickling-server';
import { stopTurns } from '../support/scheduled-turns';
import { until } from '../support/until';
import { HOOK_PATH, NoticeWorld, OPERATOR, TELEGRAM_PATH } from './notice-world';

describe('notices', () => {
  let world: NoticeWorld;
  beforeAll(async () => {
    world = await NoticeWorld.open();
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());
  afterEach(() => jest.restoreAllMocks());

  it('that a server refuses are sent again later and given up at last, without its words, and hold up no other way', async () => {
    world.mail.refuse(451);
    world.http.answerStatus(HOOK_PATH, 500);
    await world.lowStake();
    await world.lookAndSend();
    expect(world.http.at(TELEGRAM_PATH)).toHaveLength(1);
    const state = () =>
      world.rows<{ channel: string; state: string; attempts: number; error: string | null }>(
        `select channel, state, attempts, error from notice_deliveries order by channel`,
      );
    expect(await state()).toEqual([
      { channel: 'email', state: 'pending', attempts: 1, error: 'SMTP 451' },
      { channel: 'telegram', state: 'sent', attempts: 1, error: null },
      { channel: 'webhook', state: 'pending', attempts: 1, error: '500' },
    ]);
    await world.send();
    expect((await state())[0]!.attempts).toBe(1);
    world.mail.refuse(null);
    for (let attempt = 2; attempt <= 7; attempt++) {
      await world.run(`update notice_deliveries set next_at = now() where state = 'pending'`);
      await world.send();
    }
    expect(await state()).toMatchObject([
      { channel: 'email', state: 'sent', attempts: 2 },
      { channel: 'telegram', state: 'sent' },
      { channel: 'webhook', state: 'failed', attempts: 6 },
    ]);
    expect(world.mail.to(OPERATOR)).toHaveLength(1);
  });

  it('are sent again no sooner than their receiver asks for, nor later than after six hours for its sake', async () => {
    const minutesTo = async () => {
      const [row] = await world.rows<{ minutes: number }>(
        `select extract(epoch from next_at - now())::float8 / 60 as minutes from notice_deliveries where channel = 'webhook'`,
      );
      return Math.round(row!.minutes);
    };
    await world.lowStake();
    await world.look();
    for (const [seconds, minutes] of [
      ['3600', 60],
      ['999999', 360],
      ['1', 30],
    ] as const) {
      world.http.answer(HOOK_PATH, (response) => response.writeHead(429, { 'retry-after': seconds }).end());
      await world.run(`update notice_deliveries set next_at = now() where state = 'pending'`);
      await world.send();
      expect(await minutesTo()).toBe(minutes);
    }
  });

  it('follow no redirect: an address that answers whatever comes would take them for delivered', async () => {
    world.http.answer(HOOK_PATH, (response) =>
      response.writeHead(302, { location: world.http.url('/elsewhere') }).end(),
    );
    await world.lowStake();
    await world.lookAndSend();
    const sent = `select state, error from notice_deliveries where channel = 'webhook'`;
    expect(await world.rows(sent)).toEqual([{ state: 'pending', error: '302' }]);
    expect(world.http.at('/elsewhere')).toEqual([]);
  });

  it('that an ended instance has claimed are sent by another, whose late word changes nothing', async () => {
    await world.lowStake();
    await world.look();
    const notices = world.service.app.get(NoticeRepository);
    const lost = (await Promise.all(CHANNELS.map((channel) => notices.claim(channel, 10)))).flat();
    expect(lost).toHaveLength(3);
    await world.send(world.second);
    expect(world.mail.received).toEqual([]);
    await world.run(`update notice_deliveries set claimed_until = now() - interval '1 second'`);
    await world.send(world.second);
    expect(world.mail.to(OPERATOR)).toHaveLength(1);
    for (const claim of lost) await notices.record(claim, 'failed', 'late', null);
    expect(await world.rows(`select state from notice_deliveries where state <> 'sent'`)).toEqual([]);
  });

  it('in a copy of the database reach operators alone: its original sends them to customers', async () => {
    const email = 'copied@example.com';
    await world.lowStake();
    await world.lowBalanceOf(email);
    await world.look();
    await world.run('update database_identity set database_oid = database_oid + 1');
    await world.send();
    expect(world.mail.to(OPERATOR)).toHaveLength(1);
    expect(world.mail.to(email)).toEqual([]);
    await world.run('update database_identity set database_oid = database_oid - 1');
    await world.send();
    expect(world.mail.to(email)).toHaveLength(1);
  });

  it('are cut to what a chat takes, within no character, and name thirty things and the number of the others', async () => {
    const send = (count: number, word: string) => {
      const items = Array.from({ length: count }, () => ({ kind: 'finding' as const, text: { en: word } }));
      return world.service.app.get(SendNotice).send('telegram', { id: 'long', items }, null);
    };
    await send(32, 'one');
    await send(30, '字'.repeat(200));
    const texts = world.http.at(TELEGRAM_PATH).map((one) => (JSON.parse(one.text) as { text: string }).text);
    expect(texts[0]!.match(/- one/g)).toHaveLength(30);
    expect(texts[0]).toContain('And 2 more');
    expect(texts[1]).toHaveLength(4_000);
    expect(chatBody('wecom', '字'.repeat(1_000))).toEqual({ msgtype: 'text', text: { content: '字'.repeat(682) } });
  });

  it('that end each instance that sends them are given up after as many attempts as others', async () => {
    await world.lowStake();
    await world.look();
    const notices = world.service.app.get(NoticeRepository);
    for (let attempt = 1; attempt <= 6; attempt++) {
      expect(await notices.claim('email', 10)).toMatchObject([{ attempts: attempt }]);
      await world.run(`update notice_deliveries set claimed_until = now() - interval '1 second'`);
    }
    await world.send();
    expect(world.mail.to(OPERATOR)).toEqual([]);
    expect(await world.rows(`select state, error from notice_deliveries where channel = 'email'`)).toEqual([
      { state: 'failed', error: 'EATTEMPTS' },
    ]);
  });

  it('wait for no other way, nor operators for customers: a mail server that never gets to the end holds up its own alone', async () => {
    const slow = await TricklingServer.open();
    const working = await world.withMailServer(slow.url);
    const { app } = working;
    // With work in the background, one of its own turns would send some of them.
    await stopTurns(app);
    jest.spyOn(app.get(BackgroundJob), 'run').mockImplementation(async (_name, work) => void (await work()));
    const limits = Array.from({ length: 20 }, () => new AbortController());
    let mails = 0;
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => limits[mails++]!.signal);
    for (let n = 0; n < 12; n++) await world.lowBalanceOf(`low${n}@example.com`);
    await world.look(working);
    const schedule = app.get(NoticesSchedule);
    // Ten of the twelve are under way and get nowhere.
    const customers = schedule.sendToCustomers();
    await until('ten are connected', () => Promise.resolve(slow.open === 10));
    timeout.mockRestore();
    await world.lowStake();
    await schedule.look();
    await Promise.all([schedule.sendTelegrams(), schedule.sendWebhooks()]);
    expect(world.http.received).toHaveLength(2);
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
    const working = await world.withMailServer(slow.url);
    await world.lowStake();
    await world.look(working);
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const sending = working.app.get(NoticeDispatcher).sendDue('email');
    await until('it has said much', () => Promise.resolve(slow.said > 20));
    expect(timeout.mock.calls).toEqual([[45_000]]);
    limit.abort();
    await sending;
    expect(await world.rows(`select state, error from notice_deliveries where channel = 'email'`)).toEqual([
      { state: 'pending', error: 'ETIMEDOUT' },
    ]);
    await until('nothing is left of it', () => Promise.resolve(slow.open === 0));
    await working.close();
    await slow.close();
  });
});
