import { v7 as uuid } from 'uuid';
import { lastTimeOfDay } from '../../src/notices/glance/glance-turn.repository';
import { SendGlance } from '../../src/notices/glance/send-glance';
import { insertUser } from '../support/factories';
import { breaksTheLedger } from '../support/ledger-consistency';
import { liftPromises } from '../support/lifted-promises';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { type TestApp } from '../support/test-app';
import { HOOK_PATH, NoticeWorld, OPERATOR, TELEGRAM_PATH, WALLET } from './notice-world';

// Orders for their figures alone, without holds.
breaksTheLedger();

describe('the morning glance', () => {
  let world: NoticeWorld;
  let ann: string;
  let bob: string;
  beforeAll(async () => {
    world = await NoticeWorld.open();
    await liftPromises((text) => world.run(text));
    ann = await insertUser(world.service.orm, { email: 'ann@example.com', balance: 10 });
    bob = await insertUser(world.service.orm, { email: 'bob@example.com', balance: 500 });
    const cat = await insertUser(world.service.orm, { email: 'cat@example.com', balance: 500 });
    // Ann spends 7 TRX a day and has 10; Bob has ordered on six days and not for five; Cat orders still.
    for (const day of [5, 6, 7, 8, 9, 10]) {
      await orderDay(bob, day, 20);
      await orderDay(cat, day, 5);
    }
    // Dan is disabled, and has nothing.
    const dan = await insertUser(world.service.orm, { email: 'dan@example.com' });
    for (const day of [5, 6, 7, 8, 9, 10]) await orderDay(dan, day, 30);
    await order(dan, '5 days', 30);
    await world.run(`update users set disabled_at = now() where id = '${dan}'`);
    for (const day of [1, 2, 3, 4, 5, 6]) await orderDay(ann, day, 7);
    await order(ann, '1 hour', 7);
    await order(cat, '2 hours', 5);
    await order(cat, '7 days 1 hour', 4);
    await order(cat, '6 days 1 hour', 100);
    await order(bob, '5 days', 20);
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    await world.clear();
    await world.run('delete from job_runs');
  });

  const orderDay = (user: string, daysAgo: number, trx: number) =>
    world.run(`insert into order_days (day, user_id, paid_by, orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun)
      values ((now() at time zone 'utc')::date - ${daysAgo}, '${user}', 'balance', 1, 1, 0, ${trx}000000, 65000, 1, 0, 0)`);
  const order = (user: string, ago: string, trx: number) =>
    world.run(`insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun,
        cost_sun, paid_by, answer, created_at, delegated_at, reclaimed_at)
      values ('${uuid()}', '${user}', 'T', '1', 65000, 10, false, 'reclaimed', '${WALLET.id}', 1, ${trx}000000, 'balance', 'success',
        now() - interval '${ago}', now() - interval '${ago}', now() - interval '${ago}')`);
  const sendDue = ({ app }: TestApp) => app.get(SendGlance).sendDue();
  const bothSend = () => Promise.all([sendDue(world.service), sendDue(world.second)]);
  const aDayPasses = () => world.run(`update job_runs set ran_at = ran_at - interval '1 day'`);

  it('is sent once a day by one of several instances, on every way, and not before the first chosen hour', async () => {
    await bothSend();
    expect(await world.told()).toEqual([]);
    for (const day of [1, 2]) {
      await aDayPasses();
      await bothSend();
      await bothSend();
      expect((await world.told()).map(({ channel }) => channel).toSorted()).toEqual(
        ['email', 'telegram', 'webhook'].flatMap((channel) => Array<string>(day).fill(channel)),
      );
    }
    await world.send();
    expect(world.mail.to(OPERATOR)).toHaveLength(2);
    expect(world.http.at(TELEGRAM_PATH)).toHaveLength(2);
    expect(world.http.at(HOOK_PATH)).toHaveLength(2);
  });

  it('says what needs an operator, energy, revenue, money in, what is owed, who runs dry and who went quiet', async () => {
    await world.move(bob, 'credit', 250n);
    await bothSend();
    await aDayPasses();
    await bothSend();
    await world.send();
    const [mail] = world.mail.to(OPERATOR);
    const text = mail!.text.replaceAll('\u202f', ' ').replaceAll('\r\n', '\n');
    expect(mail!.head).toMatch(/^Subject: Energy: \d+ things? needs? you\r?$/m);
    expect(text).toContain('https://energy.example/panel/operator/wallets\n');
    expect(text).toContain('- Energy: –, no wallet could be read from the chain yet\n');
    expect(text).toContain('- Revenue in the last 24 hours: 12 TRX, 4 TRX in the same 24 hours last week\n');
    expect(text).toMatch(/- Received in the last 24 hours: 1 260 TRX, \d payments\n/);
    expect(text).toMatch(/- Owed to customers: 1 260 TRX, 3 balances\n/);
    expect(text).toMatch(
      /- Customers whose balance runs out within 3 days: ann@example\.com \(10 TRX left, [78]\.?\d* TRX a day\)\n/,
    );
    expect(text).toMatch(/- Customers who went quiet: bob@example\.com \(last order \d{4}-\d\d-\d\d\)\n/);
    expect(text).toContain('Panel: https://energy.example/panel/operator/today');
    for (const items of (await world.told()).map((one) => one.items)) {
      expect(items.every(({ kind }) => kind === 'glance')).toBe(true);
    }
  });

  it('is the first page of an operator, without a table', async () => {
    const operator = await insertPanelUser(world.service, { operator: true });
    const client = new PanelClient(world.service.url);
    await client.signIn(operator.email, operator.password);
    // As after the first order of a service that was set up.
    const { text } = await client.get('/panel/operator/today');
    expect(text).not.toContain('<table');
    expect(text).toContain('aria-current="page">Today');
  });

  it('is left out on a way that an operator has chosen it off for', async () => {
    await world.run(`insert into notice_choices (channel, kinds) values ('email', '{finding}'), ('telegram', '{}')`);
    await bothSend();
    await aDayPasses();
    await bothSend();
    expect((await world.told()).map(({ channel }) => channel)).toEqual(['webhook']);
  });

  it.each([
    ['2026-03-29T00:30:00Z', '02:30', 'Europe/Berlin', '2026-03-28T01:30:00Z'],
    ['2026-03-29T06:00:00Z', '08:00', 'Europe/Berlin', '2026-03-29T06:00:00Z'],
    ['2026-10-25T06:59:00Z', '08:00', 'Europe/Berlin', '2026-10-24T06:00:00Z'],
    ['2026-10-25T07:00:00Z', '08:00', 'Europe/Berlin', '2026-10-25T07:00:00Z'],
    ['2026-05-01T23:59:59Z', '08:00', 'Asia/Shanghai', '2026-05-01T00:00:00Z'],
    ['2026-05-02T00:00:00Z', '08:00', 'Asia/Shanghai', '2026-05-02T00:00:00Z'],
  ])('at %s was due last at %s of %s: %s', async (at, timeOfDay, zone, due) => {
    const moment = lastTimeOfDay(`'${at}'::timestamptz`, `'${timeOfDay}'::interval`, `'${zone}'`);
    const [row] = await world.rows<{ due: Date }>(`select ${moment} as due`);
    expect(row!.due).toEqual(new Date(due));
  });
});
