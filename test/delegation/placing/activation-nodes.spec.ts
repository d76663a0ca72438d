import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';

const BROADCAST = 'wallet/broadcasttransaction';

describe('a delegation behind an activation, at a node that has not seen the block it names', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  const sentDelegations: unknown[] = [];
  const sentAtMs: number[] = [];
  /** How many sendings of delegations meet the node that lags. */
  let lagging = 0;
  let refusal = 'TAPOS_ERROR';
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      env: { ANSWER_TIMEOUT: '12s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller({ balance: 100 });
    proxy.before = async ({ route, body }) => {
      if (route !== BROADCAST || contractOf(body) !== 'DelegateResourceContract') return;
      sentDelegations.push(body['txID']);
      sentAtMs.push(performance.now());
      if (lagging-- > 0) await world.control('fault', { route: BROADCAST, kind: refusal, count: 1 });
    };
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  beforeEach(() => {
    sentDelegations.length = 0;
    sentAtMs.length = 0;
  });
  afterEach(async () => {
    [lagging, refusal] = [0, 'TAPOS_ERROR'];
    await world.resumeFinality();
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const order = async (receiver: string, activate = true) =>
    world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: activate });

  it('is sent again, the same bytes, until the node has seen it', async () => {
    lagging = 3;
    await world.stopFinality();
    const answer = await order(await world.receiver(false));
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([200, null]);
    expect(sentDelegations.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => answer.body['txid']));
  });

  it('is answered with a failure only after it was sent again and again', async () => {
    lagging = 100;
    await world.stopFinality();
    const answer = await order(await world.receiver(false));
    expect(answer.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    expect(sentDelegations.length).toBeGreaterThan(3);
    // Until near the end of the time for an answer, however slow the machine is: a bound from below.
    expect(sentAtMs.at(-1)! - sentAtMs[0]!).toBeGreaterThan(8_000);
    lagging = 0;
  });

  it('is sent once where the node refuses it for anything else', async () => {
    [lagging, refusal] = [100, 'TOO_BIG_TRANSACTION_ERROR'];
    await world.stopFinality();
    const answer = await order(await world.receiver(false));
    expect(answer.headers.get('x-error-code')).toBe('INTERNAL');
    expect(sentDelegations).toHaveLength(1);
  });

  it('and one that names a solid block is sent once', async () => {
    lagging = 100;
    const answer = await order(await world.receiver(), false);
    expect(answer.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    expect(sentDelegations).toHaveLength(1);
    lagging = 0;
  });
});

function contractOf(body: Record<string, unknown>): string | undefined {
  return (body['raw_data'] as { contract: { type: string }[] }).contract[0]?.type;
}
