import { ChainWork } from '../../../src/chain/observer/chain-work';
import { TransactionOutcomes } from '../../../src/chain/observer/transaction-outcomes';
import { ChainTransactionRepository } from '../../../src/chain/transactions/outbox/chain-transaction.repository';
import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

describe('forks and deaths', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 'manual', solidLag: 6, env: { ANSWER_TIMEOUT: '20s' } });
    caller = await world.caller();
    await world.control('block');
  });
  afterAll(() => world.close());

  async function head(): Promise<{ number: number; timeMs: number }> {
    const { block_header: header } = (await world.node('wallet/getblock', { detail: false })) as {
      block_header: { raw_data: { number?: number; timestamp: number } };
    };
    return { number: header.raw_data.number ?? 0, timeMs: header.raw_data.timestamp };
  }

  /** Places an order and makes the block that holds it. */
  async function includedOrder(): Promise<{ id: string; txid: string; height: number }> {
    const receiver = await world.receiver();
    const pending = world.delegate(caller, { receiver_address: receiver, amount: 1 });
    await world.untilPending();
    await world.control('block');
    const { body, headers }: Answer = await pending;
    expect(headers.get('x-delegation-state')).toBe('included');
    return { id: headers.get('x-delegation-id')!, txid: String(body['txid']), height: (await head()).number };
  }

  const untilTransaction = (txid: string, state: string) =>
    world.untilRow(`select 1 from chain_transactions where tx_id = $1 and state = $2`, [txid, state]);

  it('sends the same bytes again when a fork dropped them, and charges once', async () => {
    const order = await includedOrder();
    await world.control('fork', { from: order.height, keep: [] });
    await world.control('block', { count: 2 });
    await world.untilState(order.id, 'sent');
    await untilTransaction(order.txid, 'sent');
    // Sent again six seconds after it was sent last.
    expect(await world.untilPending()).toEqual([order.txid]);
    await world.control('block');
    await world.untilState(order.id, 'included');
    await world.control('block', { count: 6 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('sends them again too when the block was dropped before this instance had seen its height', async () => {
    const order = await includedOrder();
    await world.stopInstance(world.app);
    // Its head is below the block that the row names, and nothing that it has seen is ever replaced.
    await world.control('fork', { from: order.height, keep: [] });
    const second = await world.startInstance();
    const lastHead = () => second.app.get(ReferenceBlocks).lastHead()?.number;
    await until('the head below', async () => lastHead() === order.height - 1);
    await world.control('block', { count: 2 });
    expect(await world.untilPending()).toEqual([order.txid]);
    await world.control('block', { count: 8 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('follows a transaction that a fork moved to another block', async () => {
    const order = await includedOrder();
    const before = await world.query(`select block_id from chain_transactions where tx_id = $1`, [order.txid]);
    await world.control('fork', { from: order.height, keep: [order.txid] });
    await world.control('block', { count: 2 });
    await world.untilRow(
      `select 1 from chain_transactions where tx_id = $1 and state = 'included' and block_id <> $2`,
      [order.txid, before[0]!['block_id']],
    );
    await world.control('block', { count: 6 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('sends them again too when the inclusion in the dropped block is committed after everybody has compared', async () => {
    const order = await includedOrder();
    const [row] = await world.query(
      `select block_number, block_id, block_time_ms from chain_transactions where tx_id = $1`,
      [order.txid],
    );
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 1000 });
    await world.control('fork', { from: order.height, keep: [] });
    await world.control('block', { count: 2 });
    await world.untilState(order.id, 'sent');
    // What an instance had sent on a line that was lost: the server carries it out when it comes to it.
    await world.query(
      `with late as (
         update chain_transactions set state = 'included', block_number = $2, block_id = $3, block_time_ms = $4
          where tx_id = $1 returning subject_id)
       update delegations d set state = 'included' from late where d.id = late.subject_id returning 1`,
      [order.txid, row!['block_number'], row!['block_id'], row!['block_time_ms']],
    );
    await world.control('block', { count: 8 });
    await world.untilState(order.id, 'sent');
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    await world.control('clock', { ms: 7_000 });
    expect(await world.untilPending()).toEqual([order.txid]);
    await world.control('block', { count: 8 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('takes no order out of its block for one that was dropped before', async () => {
    const order = await includedOrder();
    const [row] = await world.query(`select block_id from chain_transactions where tx_id = $1`, [order.txid]);
    const { app } = world.app;
    const inDropped = await app.get(ChainTransactionRepository).findIncludedIn([String(row!['block_id'])]);
    await world.control('fork', { from: order.height, keep: [order.txid] });
    await world.control('block', { count: 2 });
    const moved = `select 1 from chain_transactions where tx_id = $1 and state = 'included' and block_id <> $2`;
    await world.untilRow(moved, [order.txid, row!['block_id']]);
    // As an instance that had read the row before another one has followed it.
    expect(await app.get(TransactionOutcomes).dropped(inDropped[0]!)).toEqual([]);
    expect(await world.show(order.id)).toMatchObject({ state: 'included' });
    await world.control('block', { count: 6 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('releases the hold by itself when the network drops an order for good, and not before that is proved', async () => {
    const order = await includedOrder();
    const row = await world.query(`select expiration_ms from chain_transactions where tx_id = $1`, [order.txid]);
    const expirationMs = Number(row[0]!['expiration_ms']);
    const held = async () => (await world.query(`select state from holds where delegation_id = $1`, [order.id]))[0];
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 1000 });
    await world.control('fork', { from: order.height, keep: [] });
    await world.control('block', { count: 2 });
    await world.untilState(order.id, 'sent');

    // The last block before the expiration becomes solid: it proves nothing yet.
    await world.control('block', { timestamp: expirationMs - 1 });
    const { number } = await head();
    await world.control('block', { timestamp: expirationMs });
    await world.control('block', { count: 5 });
    await follower(number);
    expect(await held()).toEqual({ state: 'held' });
    expect(await world.show(order.id)).toMatchObject({ state: 'sent' });
    // The first block whose time has reached it does.
    await world.control('block');
    await world.untilState(order.id, 'failed');
    expect(await held()).toEqual({ state: 'released' });
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'none' });
    await expectChainTruth(world);
  });

  /** Until a whole turn has followed the one that saw the solid block of this height. */
  async function follower(solid: number): Promise<void> {
    const { app } = world.app;
    await until('the solid block', async () => (app.get(ReferenceBlocks).lastFinal()?.number ?? 0) >= solid);
    const turns = jest.spyOn(app.get(ChainWork), 'advance');
    await until('two turns begun', async () => turns.mock.calls.length > 1);
    turns.mockRestore();
  }
});
