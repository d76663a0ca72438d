import { Inclusions } from '../../../../src/chain/observer/inclusions';
import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { asksForBlocks, editBlocks, STRANGER_ID } from '../../../support/forged-blocks';
import { HeldLock } from '../../../support/held-lock';
import { NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';
import type { TestApp } from '../../../support/test-app';
import { until } from '../../../support/until';

/** More than the pool has, and than anybody will wait for. */
const TOO_MUCH = 100_000;
/** What an order waits where there is something to wait for. */
const LONGEST_WAIT_MS = 3_000;

describe('an order for more stake than there is', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      solidLag: 6,
      env: { ANSWER_TIMEOUT: '1s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller({ balance: 10_000_000 });
    await world.control('block', { count: 8 });
  });
  afterEach(async () => {
    proxy.after = (_call, answer) => answer;
    await world.control('block', { count: 8 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  const get = <T>(part: abstract new (...args: never[]) => T, app = world.app): T => app.app.get(part as never);
  async function refusal(app?: TestApp): Promise<number> {
    const body = { receiver_address: await world.receiver(), amount: TOO_MUCH };
    const startMs = performance.now();
    expect((await world.delegate(caller, body, {}, app)).status).toBe(501);
    return performance.now() - startMs;
  }

  it('is refused at once although a block above the final one cannot be read', async () => {
    const { block_header: head } = (await world.node('wallet/getnowblock')) as {
      block_header: { raw_data: { number: number } };
    };
    const unreadable = head.raw_data.number + 2;
    proxy.after = (call, answer) =>
      asksForBlocks(call)
        ? editBlocks(answer, (block) =>
            block.block_header.raw_data.number === unreadable
              ? { ...block, transactions: [{ txID: STRANGER_ID, raw_data_hex: '0a02abcd' }] }
              : block,
          )
        : answer;
    // Open, so that blocks are read.
    const placed = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending();
    await world.control('block', { count: 2 });
    await placed;
    await until('its header', async () => get(VerifiedChain).headers!.head.number === unreadable);
    expect(await refusal()).toBeLessThan(LONGEST_WAIT_MS);
  });

  it('is refused at once although an inclusion waits to be recorded', async () => {
    const other = await world.caller();
    const placed = world.delegate(other, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending();
    const lock = await HeldLock.take(world.database.url, 'select from delegations where user_id = $1 for update', [
      other.id,
    ]);
    await world.control('block');
    await until('a retry', async () => get(Inclusions).hasRetries);
    expect(await refusal()).toBeLessThan(LONGEST_WAIT_MS);
    expect(get(Inclusions).hasRetries).toBe(true);
    await lock.release();
    await placed;
  });

  it('has one time to wait, for a first reading and for more stake together', async () => {
    const next = await world.startInstance({}, false);
    const waits = jest.spyOn(get(Capacity, next), 'waitUntil');
    await refusal(next);
    const ends = waits.mock.calls.map(([endMs]) => endMs);
    expect(ends.length).toBeGreaterThan(1);
    expect(new Set(ends).size).toBe(1);
    await world.stopInstance(next);
  });
});
