import { Webhook as StandardWebhook } from 'standardwebhooks';
import { NoticeAdminService } from '../../src/admin/notice-admin.service';
import { addressOfKey } from '../../src/chain/tron/addresses';
import { NodeClient } from '../../src/chain/tron/node/node-client';
import { finding } from '../../src/findings/finding';
import { FindingRepository } from '../../src/findings/finding.repository';
import { NoticeRepository } from '../../src/notices/notice.repository';
import { WatchTroubles } from '../../src/notices/watch-troubles';
import { StopWebhook } from '../../src/webhooks/stop-webhook';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { liftPromises } from '../support/lifted-promises';
import { insertUser } from '../support/factories';
import { CLI, HOOK_PATH, NoticeWorld, OPERATOR, SECRET, TELEGRAM_PATH, TOKEN, TRX, WALLET } from './notice-world';

describe('notices', () => {
  let world: NoticeWorld;
  beforeAll(async () => {
    world = await NoticeWorld.open();
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());
  afterEach(() => jest.restoreAllMocks());

  it('go to every way that is set up, each once, and show no secret', async () => {
    await world.lowStake();
    await world.lookAndSend();
    expect(world.mail.to(OPERATOR)).toHaveLength(1);
    expect(world.mail.received[0]!.text).toContain('Subject: Energy: 1 notice');
    expect(world.mail.received[0]!.text).toContain('main');
    expect(world.mail.received[0]!.text).toContain('https://energy.example/panel/operator');
    const [telegram] = world.http.at(TELEGRAM_PATH);
    const said = JSON.parse(telegram!.text) as { chat_id: string; text: string };
    expect(said).toMatchObject({ chat_id: '-1001234', text: expect.stringContaining('main') as string });
    const [hook] = world.http.at(HOOK_PATH);
    const verified = new StandardWebhook(SECRET).verify(hook!.text, hook!.headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'notice', data: { notices: [{ kind: 'low_stake' }] } });
    const kept = JSON.stringify([
      await world.told(),
      await world.rows('select row_to_json(d)::text from notice_deliveries d'),
    ]);
    for (const secret of [TOKEN, SECRET, world.mail.password, 'secret-path']) expect(kept).not.toContain(secret);
    await world.send();
    expect(world.mail.received).toHaveLength(1);
    expect(world.http.received).toHaveLength(2);
  });

  it('come once for the same thing, however many instances look at the same moment', async () => {
    await Promise.all([world.lowStake(), world.lowBalanceOf('first@example.com')]);
    await Promise.all(
      [world.service, world.second, world.service, world.second, world.service, world.second].map((app) =>
        world.look(app),
      ),
    );
    await Promise.all([world.service, world.second, world.service].map((app) => world.send(app)));
    expect((await world.told()).map(({ channel }) => channel).toSorted()).toEqual([
      'customers',
      'email',
      'telegram',
      'webhook',
    ]);
    expect(world.mail.to(OPERATOR)).toHaveLength(1);
    expect(world.mail.to('first@example.com')).toHaveLength(1);
    expect(world.http.received).toHaveLength(2);
    // Both know of it by now, and it is an hour ago: of two that remind, one does.
    await world.later(25);
    await Promise.all([world.service, world.second, world.service, world.second].map((app) => world.look(app)));
    expect(await world.countTold()).toBe(7);
  });

  it('come again after a day while it lasts, and not before', async () => {
    await world.lowStake();
    await world.look();
    await world.later(23);
    await world.look();
    expect(await world.countTold()).toBe(3);
    await world.later(1);
    await world.look();
    expect(await world.countTold()).toBe(6);
  });

  it('of what comes and goes never come twice within the hour, and are not forgotten behind it', async () => {
    await world.lowStake();
    await world.look();
    await world.service.app.get(FindingRepository).resolveOthers([]);
    await world.look();
    await world.lowStake();
    await world.look();
    expect(await world.countTold()).toBe(3);
    // An hour after it was told of first, it is there again, or still.
    await world.run(`update notice_marks set noticed_at = noticed_at - interval '1 hour'`);
    await world.look();
    expect(await world.countTold()).toBe(6);
    await world.look();
    expect(await world.countTold()).toBe(6);
  });

  it('tell of what was chosen alone, and of what is chosen later then', async () => {
    const admin = world.service.app.get(NoticeAdminService);
    await admin.choose(CLI, 'telegram', ['orders_failing']);
    await admin.choose(CLI, 'webhook', []);
    await admin.choose(CLI, 'email', ['finding']);
    await world.lowStake();
    await world.look();
    expect(await world.countTold()).toBe(0);
    await admin.choose(CLI, 'email', ['low_stake']);
    await world.look();
    expect((await world.told()).map(({ channel }) => channel)).toEqual(['email']);
  });

  it('tell a customer that the balance is low once, in both languages, and again when it has become low again', async () => {
    const email = 'ann@example.com';
    const userId = await world.lowBalanceOf(email);
    await world.lookAndSend();
    await world.later(25);
    await world.lookAndSend();
    const [first, ...more] = world.mail.to(email);
    expect(more).toEqual([]);
    expect(first!.text).toContain('40 TRX available');
    expect(first!.text).toContain('可用余额为 40 TRX');
    expect(first!.head).toContain('Subject: Your balance at Energy is low · 您在 Energy 的余额不足');
    expect(first!.text).toContain('https://energy.example/docs/top-up');
    expect(first!.to).toEqual([email]);
    await world.move(userId, 'credit', 60n);
    await world.lookAndSend();
    await world.move(userId, 'debit', 60n);
    await world.lookAndSend();
    expect(world.mail.to(email)).toHaveLength(2);
    await world.service.app.get(NoticeAdminService).choose(CLI, 'customers', []);
    await world.lowBalanceOf('not-told@example.com');
    await world.lookAndSend();
    expect(world.mail.to('not-told@example.com')).toEqual([]);
  });

  it('leave out the low balance of a customer who is disabled, and a webhook that its customer has disabled', async () => {
    const userId = await world.lowBalanceOf('gone@example.com');
    const webhooks = world.service.app.get(WebhookService);
    const { webhook } = await webhooks.create({ userId, url: world.http.url('/own') });
    await webhooks.disable(webhook.id);
    await world.run(`update users set disabled_at = now() where id = '${userId}'`);
    await world.look();
    expect(await world.told()).toEqual([]);
    await world.run(`update users set disabled_at = null where id = '${userId}'`);
    await world.look();
    expect(await world.told()).toMatchObject([{ channel: 'customers' }]);
    await world.run('delete from webhooks');
  });

  it('tell every customer whose balance is low, however many became low on one day', async () => {
    await world.run(
      `insert into users (id, email, name) select gen_random_uuid(), 'low-' || n || '@example.net', 'l' from generate_series(1, 1050) n`,
    );
    await world.run(
      `insert into accounts (user_id, low_balance_sun) select id, 1000000 from users where email like 'low-%@example.net'`,
    );
    await world.run(`update accounts set low_since = now() - interval '2 hours' where low_balance_sun = 1000000`);
    const low = async () =>
      (
        await world.rows(
          `select 1 from notice_deliveries d join users u on u.id = d.user_id where u.email like 'low-%@example.net'`,
        )
      ).length;
    await world.look();
    await world.look(world.second);
    expect(await low()).toBe(1_050);
    await world.look();
    expect(await low()).toBe(1_050);
    // Told while the clock was a month ahead, and low again since.
    await world.run(
      `update notice_marks set noticed_at = now() + interval '30 days', begun_at = now() + interval '30 days'`,
    );
    await world.run(
      `update accounts set low_since = now() where user_id in (select id from users where email = 'low-7@example.net')`,
    );
    await world.run(
      `update accounts set low_since = null where user_id in (select id from users where email <> 'low-7@example.net')`,
    );
    await world.look();
    expect(await low()).toBe(1_051);
    await world.look();
    expect(await low()).toBe(1_051);
  });

  it('that wait outlive a clock that is a month ahead, on every way that is set up', async () => {
    await world.lowStake();
    await world.look();
    const { length } = await world.told();
    expect(length).toBeGreaterThan(0);
    await world.run(
      `insert into notice_deliveries (id, channel, items, state) values (gen_random_uuid(), 'email', '[]', 'failed')`,
    );
    await world.run(`update notice_deliveries set created_at = created_at - interval '31 days'`);
    const open = world.service.app.get(WatchTroubles).channels();
    await world.service.app.get(NoticeRepository).deleteOld(open);
    expect(await world.told()).toHaveLength(length);
    await world.service.app.get(NoticeRepository).deleteOld(['telegram', 'webhook', 'customers']);
    expect((await world.told()).map(({ channel }) => channel)).not.toContain('email');
    expect(await world.told()).not.toEqual([]);
  });

  it('tell of orders that fail, a wallet that was paused, a node that is set aside and a webhook that was given up', async () => {
    const userId = await insertUser(world.service.orm, { email: 'shop@example.com' });
    await world.run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
           paid_by, answer, answer_code, answered_at)
         select gen_random_uuid(), '${userId}', 'T' || n, '1', 65000, 10, false, 'failed', '${WALLET.id}', 1, 3000000, 'balance',
                case when n = 1 then 'success' else 'failure' end, 'x', now() from generate_series(1, 3) n`,
    );
    const findings = world.service.app.get(FindingRepository);
    const about = {
      type: 'delegated_resource',
      walletId: WALLET.id,
      wallet: WALLET.name,
      receiver: 'TReceiver',
    } as const;
    const { id } = (await findings.seen(finding('delegation_foreign', { lent_sun: '5', most_sun: '0' }, about)))!;
    await findings.acted(id, 'wallet_paused', 'main');
    const { webhook } = await world.service.app
      .get(WebhookService)
      .create({ userId, url: world.http.url('/customer?key=hidden') });
    await world.service.sql.transaction((tx) => world.service.app.get(StopWebhook).stop(webhook.id, 'gone', tx));
    // No node listens: its first call fails, and a minute later it is still so.
    await world.service.app
      .get(NodeClient)
      .ask('wallet', 'getnowblock', {}, () => undefined)
      .catch(() => undefined);
    const ahead = performance.now();
    await world.look();
    // A single call that fails concerns no operator.
    expect(JSON.stringify(await world.told())).not.toContain('node_set_aside');
    jest.spyOn(performance, 'now').mockReturnValue(ahead + 60_000);
    await world.look();
    jest.restoreAllMocks();
    const kinds = (await world.told())
      .filter(({ channel }) => channel === 'email')
      .flatMap(({ items }) => items.map(({ kind }) => kind));
    expect(kinds.toSorted()).toEqual(['node_set_aside', 'orders_failing', 'quarantine', 'webhook_disabled']);
    const words = JSON.stringify(await world.told());
    expect(words).toContain('1 of 3 orders in the last hour succeeded');
    expect(words).toContain('127.0.0.1:1');
    expect(words).toContain('No other node works.');
    expect(words).not.toContain('hidden');
    await liftPromises((text) => world.run(text));
    await world.run('delete from delegations');
    await world.run('delete from webhooks');
  });

  it('tell that no order can be taken, with the answer and why, once it was so for three minutes', async () => {
    const key = '1'.repeat(64);
    process.env['NOTICES_KEY'] = key;
    const stake = (sun: bigint) =>
      world.run(`update pool_wallets set address = '${addressOfKey(key)}', key_source = 'env:NOTICES_KEY', delegable_sun = ${sun},
             balance_sun = 100000000, bandwidth = 5000, observed_at = now() where id = '${WALLET.id}'`);
    const begun = performance.now();
    const lookAfter = async (minutes: number) => {
      jest.spyOn(performance, 'now').mockReturnValue(begun + minutes * 60_000);
      await world.look();
    };
    const refused = async () =>
      (await world.told()).flatMap(({ items }) => items).filter(({ kind }) => kind === 'orders_failing');
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
      'New orders are refused with 501 INSUFFICIENT_ENERGY: no active wallet has enough energy for one transaction.',
    );
  });
});
