import { Webhook } from 'standardwebhooks';
import { AbandonedOrders } from '../../src/delegation/placing/abandoned-orders';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { breaksTheLedger } from '../support/ledger-consistency';
import { type Caller, OrderWorld } from '../support/order-world';
import { slowEvents } from '../support/slow-events';
import { until } from '../support/until';
import { undocumentedEvent } from '../support/answer-check';
import { WebhookReceiver } from '../support/webhook-receiver';

// States are written over, to see what is sent of them.
breaksTheLedger();

const ENV = { RECLAIM_DELAY: '1h', WEBHOOK_ALLOW_PRIVATE: 'on' };

describe('webhooks of orders', () => {
  let world: OrderWorld;
  let receiver: WebhookReceiver;
  let webhooks: WebhookService;
  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    world = await OrderWorld.open({
      block: 'manual',
      env: { ...ENV, ANSWER_TIMEOUT: '1s', DELEGATION_ANSWER: 'accepted' },
    });
    await world.control('block');
    webhooks = world.app.app.get(WebhookService);
    slowEvents(world.app);
  });
  afterAll(async () => {
    await world.close();
    receiver.close();
    // As the API's document has them.
    expect(receiver.received.flatMap(({ text, headers }) => undocumentedEvent(text, headers))).toEqual([]);
  });

  const typesAt = (path: string) => receiver.at(path).map(({ body }) => body.type);
  const untilTypes = (path: string, ...types: string[]) =>
    until(`${types.join(', ')} at ${path}`, async () => typesAt(path).toSorted().join() === types.toSorted().join());

  async function watched(path: string, events?: string[]): Promise<Caller & { secret: string }> {
    const caller = await world.caller({ balance: 100 });
    const { secret } = await webhooks.create({ userId: caller.id, url: receiver.url(path), events });
    return { ...caller, secret };
  }

  async function order(caller: Caller, body: object = {}): Promise<string> {
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1, ...body });
    return answer.headers.get('x-delegation-id')!;
  }

  it('keep no order from its end, however many digits its amount has, and carry 40 of them', async () => {
    const caller = await watched('/digits');
    const amount = `1.${'0'.repeat(16_000)}1`;
    const id = await order(caller, { amount });
    await world.control('block', { count: 7 });
    await world.untilState(id, 'delegated');
    await untilTypes('/digits', 'delegation.included', 'delegation.delegated');
    const kept = `1.${'0'.repeat(38)}1`;
    expect(await world.query('select transactions, energy from delegations where id = $1', [id])).toEqual([
      { transactions: kept, energy: 65_001n },
    ]);
    for (const { text } of receiver.at('/digits')) {
      expect(text).toContain(`"amount":${kept},`);
      expect(text.length).toBeLessThan(2_000);
    }
  });

  it('tell of each step with the order as the look-up shows it, signed so that the official library takes it', async () => {
    const caller = await watched('/steps');
    const id = await order(caller);
    expect(typesAt('/steps')).toEqual([]);
    await world.control('block');
    await untilTypes('/steps', 'delegation.included');
    await world.control('block', { count: 6 });
    await untilTypes('/steps', 'delegation.included', 'delegation.delegated');
    const shown = (await world.get(caller, `/api/chain/delegations/${id}`)).body['data'];
    const delegated = receiver.at('/steps').at(-1)!;
    expect(delegated.body.data).toEqual(shown);
    expect(delegated.body.data).toMatchObject({ id, state: 'delegated', amount: 1, cost: 3 });
    expect(delegated.body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(receiver.at('/steps')[0]!.body.data).toMatchObject({ id, state: 'included', delegated_at: null });

    await world.query(`update delegations set reclaim_due_at = now() - interval '1 day' where id = $1 returning id`, [
      id,
    ]);
    await world.untilPending();
    await world.control('block', { count: 6 });
    await untilTypes('/steps', 'delegation.included', 'delegation.delegated', 'delegation.reclaimed');

    const verifier = new Webhook(caller.secret);
    for (const { headers, text } of receiver.at('/steps')) {
      expect(verifier.verify(text, headers as Record<string, string>)).toMatchObject({ data: { id } });
      expect(headers['content-type']).toBe('application/json');
    }
    expect(new Set(receiver.at('/steps').map(({ id: webhookId }) => webhookId)).size).toBe(3);
    const forged = receiver.at('/steps')[0]!;
    const changed = () => verifier.verify(`${forged.text} `, forged.headers as Record<string, string>);
    expect(changed).toThrow('No matching signature');
  });

  it('tell of a delegation that died before it was in a block, and never that it was in one', async () => {
    const caller = await watched('/dead');
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 100 });
    const id = await order(caller);
    await world.control('clock', { ms: 90_000 });
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    await world.control('block', { count: 8 });
    await untilTypes('/dead', 'delegation.failed');
    expect(receiver.at('/dead')[0]!.body.data).toMatchObject({ id, state: 'failed', cost: 0 });
  });

  it('tell of an order that was answered with a failure before its delegation was signed', async () => {
    const caller = await watched('/unsigned');
    const id = await order(caller, { receiver_address: await world.receiver(false), activate_address: true });
    await untilTypes('/unsigned', 'delegation.failed');
    expect(receiver.at('/unsigned')[0]!.body.data).toMatchObject({ id, state: 'failed', cost: 0 });
  });

  it('tell of an order whose request was gone before its delegation was signed', async () => {
    const caller = await watched('/abandoned');
    const placing = order(caller, { receiver_address: await world.receiver(false), activate_address: true });
    const ended = placing.catch(() => null);
    await world.untilRow(`select 1 from delegations where user_id = $1 and state = 'activating'`, [caller.id]);
    // As after another request that had taken it over, and is gone too: the first one has nothing to say any more.
    await world.query(
      `update delegations set epoch = epoch + 1, claimed_until = now() - interval '1 second' where user_id = $1 returning id`,
      [caller.id],
    );
    await world.app.app.get(AbandonedOrders).recover();
    await untilTypes('/abandoned', 'delegation.failed');
    await ended;
  });

  it('tell an order that was answered with a failure and lands that it is in a block, has failed, and is back', async () => {
    const caller = await watched('/late');
    const id = await order(caller);
    await world.query(
      `update delegations set answer = 'failure', answer_code = 'OUTCOME_UNKNOWN' where id = $1 returning id`,
      [id],
    );
    await world.control('block', { count: 6 });
    await untilTypes('/late', 'delegation.included', 'delegation.failed');
    await world.untilPending();
    await world.control('block', { count: 6 });
    await untilTypes('/late', 'delegation.included', 'delegation.failed', 'delegation.reclaimed');
    expect(receiver.at('/late').map(({ body }) => body.data['cost'])).toEqual([0, 0, 0]);
  });

  it('tell what was settled late, without its step in between, that it is in a block too', async () => {
    const caller = await watched('/skipped');
    const id = await order(caller);
    await world.query(`update delegations set state = 'sent' where id = $1 returning id`, [id]);
    await world.query(
      `create or replace function skip_included() returns trigger language plpgsql as $$ begin return null; end $$`,
    );
    await world.query(
      `create trigger skip_included before update on delegations for each row when (new.state = 'included') execute function skip_included()`,
    );
    await world.control('block', { count: 6 });
    await untilTypes('/skipped', 'delegation.included', 'delegation.delegated');
    await world.query('drop trigger skip_included on delegations');
  });

  it('tell only what they were asked for, and only their own user', async () => {
    const caller = await watched('/chosen', ['delegation.delegated']);
    const other = await watched('/other');
    await order(caller);
    await world.control('block', { count: 6 });
    await untilTypes('/chosen', 'delegation.delegated');
    expect(typesAt('/other')).toEqual([]);
    await order(other);
    await world.control('block', { count: 6 });
    await untilTypes('/other', 'delegation.included', 'delegation.delegated');
    expect(typesAt('/chosen')).toEqual(['delegation.delegated']);
  });
});
