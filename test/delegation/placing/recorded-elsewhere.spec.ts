import { TransactionOutcomes } from '../../../src/chain/observer/transaction-outcomes';
import type { Block } from '../../../src/chain/tron/node/block-answer';
import { ChainTransactionRepository } from '../../../src/chain/transactions/outbox/chain-transaction.repository';
import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { OrderTransactionRepository } from '../../../src/delegation/placing/order-transaction.repository';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

describe('a block that only another instance’s branch has', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', solidLag: 6, env: { ANSWER_TIMEOUT: '6s' } });
    caller = await world.caller({ balance: 100 });
    await world.control('block', { count: 8 });
  });
  afterAll(() => world.close());
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.control('block', { count: 8 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const get = <T>(part: abstract new (...args: never[]) => T): T => world.app.app.get(part as never);
  /** As the other instance writes it: it has seen a block in the head's place that this one's chain has not. */
  async function recordElsewhere(txId: string): Promise<void> {
    const head = get(ReferenceBlocks).lastHead()!;
    const block = { ...head, id: head.id.slice(0, 16).padEnd(64, 'f') } as unknown as Block;
    await until('recorded', async () => {
      const rows = await get(ChainTransactionRepository).findOpen([txId]);
      expect(rows).toHaveLength(1);
      // That its node has taken it may be recorded between the two.
      return (await get(TransactionOutcomes).included(rows, block)).length === 0;
    });
  }
  const place = (body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    world.delegate(caller, { amount: 1, ...body }, headers);
  const stateOf = ({ status, headers }: Answer) => [status, headers.get('x-delegation-state')];

  it('answers no order as included, nor the request that takes it over', async () => {
    const body = { receiver_address: await world.receiver() };
    const key = { 'idempotency-key': 'elsewhere' };
    const first = place(body, key);
    const [txId] = await world.untilPending();
    await recordElsewhere(txId!);
    expect(stateOf(await first)).toEqual([200, 'accepted']);
    const id = (await first).headers.get('x-delegation-id');
    // A look at the head may have dropped it meanwhile.
    if ((await world.show(id!))!.state === 'sent') await recordElsewhere(txId!);
    expect(await world.show(id!)).toMatchObject({ state: 'included' });
    await world.query(
      `update delegations set answer = 'none', answer_code = null, answered_at = null, claimed_until = now() where id = $1 returning id`,
      [id],
    );
    expect(stateOf(await place(body, key))).toEqual([200, 'accepted']);
  });

  it('is not a block on which a delegation is signed after an activation', async () => {
    const body = { receiver_address: await world.receiver(false), activate_address: true };
    const looks = jest.spyOn(get(OrderTransactionRepository), 'findActivation');
    const orders = [place(body)];
    const [txId] = await world.untilPending();
    await recordElsewhere(txId!);
    orders.push(place(body));
    const waiting = `select count(*)::integer as count from delegations where state = 'activating'`;
    await world.untilRow(`select 1 from (${waiting}) w where count = 2`);
    const before = looks.mock.calls.length;
    await until('both have looked', async () => looks.mock.calls.length > before + 2);
    expect(await world.query(waiting)).toEqual([{ count: 2 }]);
    await world.control('block');
    await world.untilPending(2);
    await world.control('block');
    expect((await Promise.all(orders)).map(stateOf)).toEqual([1, 2].map(() => [200, 'included']));
  });
});
