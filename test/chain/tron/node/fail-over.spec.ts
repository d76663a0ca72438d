import { TronWeb } from 'tronweb';
import { BlockReads } from '../../../../src/chain/tron/node/block-reads';
import { ChainReads } from '../../../../src/chain/tron/node/chain-reads';
import { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { Clock } from '../../../../src/common/clock';
import { nodeFaults } from '../../../../src/common/telemetry-channels';
import { OrderHistories } from '../../../../src/delegation/order-histories';
import { asksForHead } from '../../../support/forged-blocks';
import { MovableClock } from '../../../support/movable-clock';
import { type NodeCall, NodeProxy, ofAnotherChain } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

/** Later than any node usually is, and before its call is given up. */
const LATE_MS = 2_500;
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('several nodes', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  let first: NodeProxy;
  let second: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        first = new NodeProxy(url);
        second = new NodeProxy(url);
        return `${await first.open()},${await second.open()}`;
      },
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await first.close();
    await second.close();
  });
  beforeEach(() => {
    first.before = () => undefined;
    first.after = (_call, answer) => answer;
  });

  const nodes = () => world.app.app.get(ConfiguredNodes);
  /** How many have not failed at their last call. */
  const working = () =>
    nodes()
      .standings()
      .filter(({ kind, behind, lastFault }) => kind === 'wallet' && !behind && lastFault === null).length;
  /** One that has failed, or was slow, is asked after the other for a minute. */
  const firstInUse = () =>
    until('the first in use', async () => {
      clock.advance(5_000);
      await place();
      return nodes().urls('wallet')[0] === nodes().allUrls('wallet')[0] && working() === 2;
    });
  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const broadcast = 'wallet/broadcasttransaction';
  const saidOf = async (answer: Answer) => {
    const history = await world.app.app.get(OrderHistories).history(answer.headers.get('x-delegation-id')!);
    return history.find(({ kind }) => kind === 'delegation sent')!.detail['nodes'];
  };

  it.each([
    ['TAPOS_ERROR', 'TAPOS_ERROR'],
    ['TRANSACTION_EXPIRATION_ERROR', 'TRANSACTION_EXPIRATION_ERROR'],
    ['dup', 'DUP_TRANSACTION_ERROR'],
  ])(
    'the next one is tried when the first refuses the bytes with %s, which does not count against it',
    async (kind, code) => {
      await place();
      const faults: unknown[] = [];
      const count = (fault: unknown) => faults.push(fault);
      nodeFaults.subscribe(count);
      await world.control('fault', { route: broadcast, kind, count: 1 });
      const answer = await place();
      nodeFaults.unsubscribe(count);
      expect(answer.status).toBe(200);
      expect(await saidOf(answer)).toMatchObject([{ code }, { kind: 'accepted' }]);
      expect(faults).toEqual([]);
      const standings = nodes().standings();
      expect(standings.map(({ lastFault }) => lastFault)).toEqual(standings.map(() => null));
    },
  );

  it('the next one gets the same bytes when the first leaves the outcome open', async () => {
    await place();
    first.before = ({ route }) => {
      if (route === broadcast) throw new Error('cut');
    };
    const answer = await place();
    expect(answer.status).toBe(200);
    const txid = answer.body['txid'];
    const sentTo = (proxy: NodeProxy) => proxy.calls.filter(({ body }) => body['txID'] === txid).length;
    expect([sentTo(first), sentTo(second)]).toEqual([1, 1]);
    expect(await saidOf(answer)).toMatchObject([{ kind: 'unknown' }, { kind: 'accepted' }]);
  });

  it('the next one gets the same bytes too when the first is late, and both stand in the order’s history', async () => {
    await firstInUse();
    first.before = ({ route }) => (route === broadcast ? wait(LATE_MS) : undefined);
    const answer = await place();
    expect(answer.status).toBe(200);
    expect(await saidOf(answer)).toMatchObject([{ kind: 'unknown', code: 'NO_ANSWER' }, { kind: 'accepted' }]);
    const sentTo = (proxy: NodeProxy) => proxy.calls.filter(({ body }) => body['txID'] === answer.body['txid']).length;
    expect([sentTo(first), sentTo(second)]).toEqual([1, 1]);
  });

  it('what the next one refuses for good is not final while the first, which is late, has the same bytes', async () => {
    await firstInUse();
    first.before = ({ route }) => (route === broadcast ? wait(LATE_MS) : undefined);
    second.answers = ({ route }) => (route === broadcast ? '{"code":"SIGERROR","message":""}' : undefined);
    const answer = await place();
    second.answers = () => undefined;
    expect(answer.status).toBe(200);
    expect(await saidOf(answer)).toMatchObject([{ node: expect.any(String) as string }, { code: 'SIGERROR' }]);
  });

  it('the next one is asked for a receiver too when the first is late', async () => {
    await firstInUse();
    const receiver = TronWeb.address.toHex(await world.receiver());
    const isOfReceiver = ({ body }: NodeCall) => body['address'] === receiver;
    first.before = (call) => (isOfReceiver(call) ? wait(LATE_MS) : undefined);
    const began = performance.now();
    expect(await world.app.app.get(ChainReads).receiverState(TronWeb.address.fromHex(receiver))).toBe('active');
    expect(performance.now() - began).toBeLessThan(LATE_MS);
    expect([first, second].map((node) => node.calls.filter(isOfReceiver).length)).toEqual([1, 1]);
  });

  const newestOf = () => world.app.app.get(BlockReads).newestOf(nodes().allUrls('wallet'), false);
  /** One call in any case, whatever went there within the last minute. */
  const mayHedge = () => clock.advance(61_000);

  it('the next one is asked for the newest block too when the first is late', async () => {
    await firstInUse();
    mayHedge();
    first.before = (call) => (asksForHead(call) ? wait(LATE_MS) : undefined);
    const began = performance.now();
    expect((await newestOf()).url).toBe(nodes().allUrls('wallet')[1]);
    expect(performance.now() - began).toBeLessThan(LATE_MS);
  });

  it('one that is away costs no order', async () => {
    first.before = () => {
      throw new Error('away');
    };
    expect((await place()).status).toBe(200);
  });

  it('one of another chain is not used when it comes back', async () => {
    await firstInUse();
    first.before = () => {
      throw new Error('away');
    };
    await until('it has failed', async () => (await place()) && working() < 2);
    first.before = () => undefined;
    first.after = ({ route, body }, answer) =>
      route.endsWith('getblockbynum') && body['num'] === 0 ? ofAnotherChain(answer) : answer;
    first.calls.length = 0;
    // Its rest ends after a second or two; its genesis block is then all that it is asked for.
    while (first.count('wallet/getblockbynum') === 0) expect((await place()).status).toBe(200);
    expect((await place()).status).toBe(200);
    // Its solid head may be looked at, which says where that node is and nothing else.
    const asked = first.calls.map(({ route }) => route).filter((route) => !route.startsWith('walletsolidity/getblock'));
    expect(new Set(asked)).toEqual(new Set(['wallet/getblockbynum']));
  });

  it('the next one is not asked, although the first is late, when it has refused calls for their number lately', async () => {
    await firstInUse();
    second.status = () => 429;
    second.calls.length = 0;
    await until('it has refused', async () => {
      clock.advance(5_000);
      await place();
      return second.count('wallet/getblock') > 0;
    });
    second.status = () => undefined;
    mayHedge();
    first.before = (call) => (asksForHead(call) ? wait(LATE_MS) : undefined);
    expect((await newestOf()).url).toBe(nodes().allUrls('wallet')[0]);
  });
});
