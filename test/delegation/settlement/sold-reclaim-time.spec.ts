import { Client } from 'pg';
import { OrderWorld } from '../../support/order-world';

describe('the time after which energy is taken back', () => {
  let world: OrderWorld;
  afterEach(() => world.close());

  /** Sold by an instance that ends before the order is final, and settled by another one. */
  const soldAndSettled = async (sold: object, settled: object, between: string) => {
    world = await OrderWorld.open({ block: 'manual', env: { ...sold } });
    const caller = await world.caller();
    const body = { receiver_address: await world.receiver(), amount: 1, time: 1440 };
    const answering = world.delegate(caller, body);
    await world.untilPending();
    await world.control('block');
    const answer = await answering;
    const id = answer.headers.get('x-delegation-id')!;
    const first = world.app;
    expect(await world.show(id)).not.toMatchObject({ state: 'delegated' });
    await world.stopInstance(first);
    if (between !== '') await change(between);
    await world.startInstance({ ...settled });
    await world.control('block', { count: 20 });
    const { reclaim_due_at: due, delegated_at: at } = await world.untilState(id, 'delegated');
    return Date.parse(due!) - Date.parse(at!);
  };
  /** No instance runs: by a connection of its own. */
  const change = async (text: string) => {
    const client = new Client(world.database.url);
    await client.connect();
    await client.query(text);
    await client.end();
  };
  const ofBefore = 'update delegations set reclaim_after_ms = null';

  it.each([
    [{ RECLAIM_DELAY: '1h' }, { RECLAIM_DELAY: '2m' }, '', 3_600_000],
    [{ RECLAIM_DELAY: '1h', RECLAIM_AT_RENTAL_END: 'on' }, { RECLAIM_DELAY: '2m' }, '', 86_400_000],
    [{ RECLAIM_DELAY: '1h' }, { RECLAIM_DELAY: '2m' }, ofBefore, 120_000],
  ])('is that of the sale (%j), not of the instance that settles (%j) %s', async (sold, settled, between, afterMs) => {
    expect(await soldAndSettled(sold, settled, between)).toBe(afterMs);
  });
});
