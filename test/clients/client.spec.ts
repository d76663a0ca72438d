import fc from 'fast-check';
import { EnergyClient, EnergyError, OrderStateError, WaitTimeoutError } from '../../clients/typescript/src/index.ts';
import { progress } from '../../clients/typescript/src/order-states.ts';
import { ORDER_STATES, type OrderState, statesBefore } from '../../src/common/order.states';
import { LossyLine } from '../support/lossy-line';
import { type Caller, OrderWorld } from '../support/order-world';

/** Blocks are a thirtieth as far apart as on the network. */
const EVERY = { everyMs: 100 };

describe('the TypeScript client against the service', () => {
  let world: OrderWorld;
  let line: LossyLine;
  let caller: Caller;
  let client: EnergyClient;
  beforeAll(async () => {
    world = await OrderWorld.open({ env: { BILLING_VARIANT: 'B' } });
    line = new LossyLine(world.app.url);
    caller = await world.caller();
    client = new EnergyClient({ baseUrl: await line.open(), token: caller.token });
  });
  afterAll(async () => {
    await line.close();
    await world.close();
  });

  it('orders once, is charged once and has the answer, though two answers are lost', async () => {
    const before = await client.balance();
    line.lose = 2;
    const delegated = await client.delegate({ receiver_address: await world.receiver(), amount: 2 });
    expect(line.keys).toEqual(Array(3).fill(delegated.idempotencyKey));
    const order = await client.waitFor(delegated.delegationId, 'delegated', EVERY);
    expect(order).toMatchObject({
      txid: delegated.txid,
      cost: delegated.cost,
      idempotency_key: delegated.idempotencyKey,
    });
    expect(delegated.cost).toBe(5);
    // The route answers once in 5 seconds: the client waits for that.
    expect((await client.balance()).balance).toBe(before.balance - 5);
    const page = await client.orders({ idempotency_key: delegated.idempotencyKey });
    expect(page).toEqual({ data: [order], next_before: null });
    const receipt = await client.receipt(delegated.delegationId);
    expect(receipt.data).toMatchObject({ txid: order.txid, receiver_address: order.receiver_address });
  });

  it.each(['', '.', '..', '?limit=1'])('asks for no order with an id that is none: %j', async (id) => {
    await expect(client.order(id)).rejects.toThrow(`"${id}" is not an order id`);
    await expect(client.receipt(id)).rejects.toThrow(TypeError);
    await expect(client.waitFor(id, 'delegated', EVERY)).rejects.toThrow(TypeError);
  });

  it('waits for a state that was passed already', async () => {
    const { delegationId } = await client.delegate({ receiver_address: await world.receiver(), amount: 1 });
    await client.waitFor(delegationId, 'delegated', EVERY);
    expect((await client.waitFor(delegationId, 'included', EVERY)).state).toBe('delegated');
  });

  it('does not wait for what cannot come any more, nor longer than it may', async () => {
    const { delegationId } = await client.delegate({ receiver_address: await world.receiver(), amount: 1 });
    const delegated = await client.waitFor(delegationId, 'delegated', EVERY);
    await expect(client.waitFor(delegationId, 'failed')).rejects.toThrow(OrderStateError);
    const late = await client.waitFor(delegationId, 'reclaimed', { timeoutMs: 0 }).catch((error: unknown) => error);
    expect(late).toBeInstanceOf(WaitTimeoutError);
    expect((late as WaitTimeoutError).order).toEqual(delegated);
  });

  it('orders what it was quoted for a transfer, at that price or not at all', async () => {
    const receiver = await world.receiver();
    const quote = await client.quote({ receiver_address: receiver, to: await world.receiver(), value: 10n ** 6n });
    // An empty recipient: more than two transactions.
    expect(quote).toMatchObject({ amount: 2.005, cost: 5.0125, paid_by: 'balance', available: true });
    const order = { receiver_address: receiver, amount: quote.amount };
    await expect(client.delegate({ ...order, max_cost: 5.0124 })).rejects.toMatchObject({ code: 'COST_ABOVE_MAX' });
    expect(await client.delegate({ ...order, max_cost: quote.cost })).toMatchObject({ cost: quote.cost });
    const missing = await client.quote({ receiver_address: receiver, amount: 2, only_missing: true });
    expect(missing).toMatchObject({ energy: 0, amount: 0, cost: 0 });
  });

  it('knows its token', async () => {
    expect(await client.token()).toMatchObject({ name: 'test', permissions: ['delegate', 'balance'], max_cost: null });
  });

  it('gives refusals with their code and details', async () => {
    const receiver = await world.receiver(false);
    const error = await client.delegate({ receiver_address: receiver, amount: 1 }).catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(EnergyError);
    expect(error).toMatchObject({
      status: 400,
      code: 'RECEIVER_NOT_ACTIVATED',
      message: '参数验证失败',
      details: { receiver_address: ['The receiver address is not activated.'] },
      delegationId: undefined,
    });
    await expect(client.order('not-an-id')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});

describe('waiting for a state', () => {
  const mayFollow = (from: OrderState): OrderState[] => ORDER_STATES.filter((to) => statesBefore(to).includes(from));
  const reachable = (from: OrderState): Set<OrderState> => {
    const found = new Set<OrderState>();
    const open = [from];
    for (let state = open.pop(); state !== undefined; state = open.pop())
      for (const next of mayFollow(state)) if (!found.has(next)) open.push((found.add(next), next));
    return found;
  };

  it('ends exactly when the service could still bring it or has brought it', () => {
    const state = fc.constantFrom(...ORDER_STATES);
    fc.assert(
      fc.property(state, state, (now, wanted) => {
        const found = progress(now, wanted);
        if (now === wanted) expect(found).toBe('reached');
        else if (found === 'coming') expect(reachable(now)).toContain(wanted);
        else if (found === 'never') expect(reachable(now)).not.toContain(wanted);
        // Passed: there is a way from there to here.
        else expect(reachable(wanted)).toContain(now);
      }),
      { numRuns: 1_000 },
    );
  });
});
