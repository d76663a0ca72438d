import { LedgerService } from '../../src/balance/ledger.service';
import { UserService } from '../../src/users/user.service';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { WebhooksSchedule } from '../../src/webhooks/webhooks.schedule';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';
import { undocumentedEvent } from '../support/answer-check';
import { WebhookReceiver } from '../support/webhook-receiver';

const TRX = 1_000_000n;

describe('a low balance', () => {
  let world: OrderWorld;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    world = await OrderWorld.open({
      block: 'manual',
      env: { WEBHOOK_ALLOW_PRIVATE: 'on', DELEGATION_ANSWER: 'accepted' },
    });
    await world.control('block');
  });
  afterAll(async () => {
    await world.close();
    receiver.close();
    // As the API's document has them.
    expect(receiver.received.flatMap(({ text, headers }) => undocumentedEvent(text, headers))).toEqual([]);
  });

  const told = (path: string) => receiver.at(path).map(({ body }) => body.data);
  const untilTold = (path: string, times: number) =>
    until(`${times} times at ${path}`, async () => told(path).length === times && told(path));
  const written = async (userId: string) =>
    (
      await world.query(
        `select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.user_id = $1 and d.event = 'balance.low'`,
        [userId],
      )
    ).length;

  /** Ten minutes have passed since the account was told last. */
  const tenMinutesLater = (userId: string) =>
    world.query(
      `with moved as (update webhook_deliveries d set next_at = d.next_at - interval '10 minutes' from webhooks w
         where w.id = d.webhook_id and w.user_id = $1 and d.state = 'pending')
       update accounts set low_told_at = low_told_at - interval '10 minutes' where user_id = $1 returning user_id`,
      [userId],
    );

  async function account(path: string, balance: number, thresholdSun: bigint) {
    const email = `${path.slice(1)}@example.com`;
    const caller = await world.caller({ email, balance });
    await world.app.app
      .get(WebhookService)
      .create({ userId: caller.id, url: receiver.url(path), events: ['balance.low'] });
    const users = world.app.app.get(UserService);
    const setThreshold = (lowBalanceSun: bigint | null) => users.update(email, { lowBalanceSun });
    await setThreshold(thresholdSun);
    const ledger = world.app.app.get(LedgerService);
    const move = (kind: 'credit' | 'debit', trx: number) =>
      ledger[kind]({ userId: caller.id, amountSun: BigInt(Math.round(trx * 1e6)), note: 'test' });
    return { ...caller, setThreshold, move };
  }

  it('is told once, when an order takes what can be spent below the threshold, and again only after it was above', async () => {
    const caller = await account('/orders', 10, 8n * TRX);
    const order = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await order();
    expect(await untilTold('/orders', 1)).toEqual([{ available: 7, threshold: 8 }]);
    await order();
    expect(await written(caller.id)).toBe(1);
    // Exactly on the threshold is neither below nor above.
    await caller.move('credit', 4);
    await caller.move('debit', 0.5);
    expect(await written(caller.id)).toBe(1);
    await caller.move('credit', 0.500001);
    await tenMinutesLater(caller.id);
    await caller.move('debit', 0.75);
    expect((await untilTold('/orders', 2))[1]).toEqual({ available: 7.250001, threshold: 8 });
  });

  it('is over when an order that held money comes to nothing', async () => {
    const caller = await account('/released', 10, 8n * TRX);
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 100 });
    await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await untilTold('/released', 1);
    const low = await world.query('select low_since from accounts where user_id = $1', [caller.id]);
    expect(low).toEqual([{ low_since: null }]);
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    await tenMinutesLater(caller.id);
    await caller.move('debit', 5);
    await untilTold('/released', 2);
  });

  it('is told when the threshold is set above it, and ends with the threshold', async () => {
    const caller = await account('/set', 10, 5n * TRX);
    await caller.setThreshold(50_500_000n);
    expect(await untilTold('/set', 1)).toEqual([{ available: 10, threshold: 50.5 }]);
    await caller.setThreshold(60n * TRX);
    expect(await written(caller.id)).toBe(1);
    await caller.setThreshold(null);
    await tenMinutesLater(caller.id);
    await caller.setThreshold(50n * TRX);
    await untilTold('/set', 2);
  });

  it('is told at most once in ten minutes, however often the threshold moves: what comes earlier waits, and is told', async () => {
    const caller = await account('/often', 10, 5n * TRX);
    const becomeLow = async (thresholdSun: bigint) => {
      await caller.setThreshold(5n * TRX);
      await caller.setThreshold(thresholdSun);
    };
    await becomeLow(11n * TRX);
    await untilTold('/often', 1);
    for (let at = 0; at < 20; at++) await becomeLow(BigInt(20 + at) * TRX);
    expect(await written(caller.id)).toBe(2);
    const [waits] = await world.query(
      `select a.low_told_at = d.next_at as "isLast", d.next_at - interval '10 minutes' <= clock_timestamp() as "isSoon",
              d.next_at - f.created_at >= interval '9 minutes 59 seconds' as "isLater"
         from webhooks w join accounts a using (user_id)
         join webhook_deliveries d on d.webhook_id = w.id and d.state = 'pending'
         join webhook_deliveries f on f.webhook_id = w.id and f.state = 'delivered' where user_id = $1`,
      [caller.id],
    );
    expect(waits).toEqual({ isLast: true, isSoon: true, isLater: true });
    // What looks like a wait of a clock that was set back is none.
    await world.app.app.get(WebhooksSchedule).sweep();
    expect(told('/often')).toHaveLength(1);
    await tenMinutesLater(caller.id);
    expect((await untilTold('/often', 2))[1]).toEqual({ available: 10, threshold: 20 });
    await becomeLow(50n * TRX);
    expect(await written(caller.id)).toBe(3);
  });

  it('is not told of an account that began below its threshold, until it was above', async () => {
    const path = '/begun-low';
    const { id: userId } = await world.app.app
      .get(UserService)
      .create('begun-low@example.com', { name: 'Begun low', lowBalanceSun: 50n * TRX });
    await world.app.app.get(WebhookService).create({ userId, url: receiver.url(path), events: ['balance.low'] });
    const ledger = world.app.app.get(LedgerService);
    const move = (kind: 'credit' | 'debit', trx: bigint) =>
      ledger[kind]({ userId, amountSun: trx * TRX, note: 'test' });
    await move('credit', 10n);
    expect(await written(userId)).toBe(0);
    await move('credit', 90n);
    await move('debit', 60n);
    expect(await untilTold(path, 1)).toEqual([{ available: 40, threshold: 50 }]);
  });

  it('is not told of a change that was rolled back', async () => {
    const caller = await account('/rolled-back', 10, 5n * TRX);
    const users = world.app.app.get(UserService);
    await expect(
      world.app.sql.transaction(async (tx) => {
        await users.update('rolled-back@example.com', { lowBalanceSun: 50n * TRX }, tx);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await written(caller.id)).toBe(0);
  });
});
