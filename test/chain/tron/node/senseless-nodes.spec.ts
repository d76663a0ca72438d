import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { WitnessSetRepository } from '../../../../src/chain/verified-chain/witnesses/witness-set.repository';
import { Clock } from '../../../../src/common/clock';
import { MovableClock } from '../../../support/movable-clock';
import { nameInstead, strangers } from '../../../support/named-witnesses';
import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const WAIT_MS = 2_000;
/** What else an answer takes on a busy machine. */
const LEEWAY_MS = 1_000;

/** A node that answers nonsense, or never, from the service's first start on. */
describe('a node without sense', () => {
  let world: OrderWorld;
  let nodes: NodeProxy[];
  const clock = new MovableClock();
  afterEach(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  async function open(count: number, prepare: (...nodes: NodeProxy[]) => void): Promise<void> {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      witnesses: 27,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        nodes = Array.from({ length: count }, () => new NodeProxy(url));
        prepare(...nodes);
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
  }
  const isFollowed = () => until('a final block', () => Promise.resolve(final() > 0));
  const final = () => world.app.app.get(VerifiedChain).headers?.final?.number ?? 0;
  const stored = async () => (await world.app.app.get(WitnessSetRepository).find())!;
  const place = async () =>
    world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
  async function timed<T>(act: () => Promise<T>): Promise<T> {
    const begunAt = Date.now();
    const result = await act();
    expect(Date.now() - begunAt).toBeLessThan(WAIT_MS + LEEWAY_MS);
    return result;
  }

  it.each([
    ['20,000', 20_000],
    ['127 and one more', 101],
    ['as many as may be, and takes a second to show each', 100],
  ])('that names witnesses, %s of them, is the second: the service starts all the same', async (_, more) => {
    const many = strangers(27 + more, 2_000);
    await open(2, (_first, second) => {
      nameInstead(second, () => many);
      // A second each, for as long as the test runs.
      second.before = ({ route }) =>
        route === 'wallet/getaccount' ? new Promise((resolve) => setTimeout(resolve, 1_000)) : undefined;
    });
    await isFollowed();
    expect((await place()).status).toBe(200);
    // The first one's word, until the second says something that can be understood.
    expect(await stored()).toMatchObject({ valid_until_ms: 0n, offered: null });
    expect((await stored()).witnesses).toHaveLength(27);
    if (more > 100)
      expect(
        nodes[1]!.calls.some(({ body: { address } }) => typeof address === 'string' && many.includes(address)),
      ).toBe(false);
  });

  it.each([
    ['the only one', '9223372036854775807', 1],
    ['the first of two', '9223372036854775807', 2],
    ['the only one', '4102444800000', 1],
    ['the only one', '1', 1],
  ])('that is %s and has the next maintenance at %s is not gone by in that', async (_, num, count) => {
    await open(count, (first) => {
      first.after = ({ route }, answer) => (route === 'wallet/getnextmaintenancetime' ? `{"num":${num}}` : answer);
    });
    await isFollowed();
    expect((await place()).status).toBe(200);
    await until('a time of sense', async () => {
      clock.advance(16_000);
      const { timeMs } = world.app.app.get(VerifiedChain).headers!.head;
      const untilMs = Number((await stored()).valid_until_ms);
      return untilMs > timeMs && untilMs < timeMs + 48 * 3_600_000;
    });
  });

  it.each([
    ['listwitnesses', 1],
    ['getblock', 1],
    ['getblock', 2],
  ])('that never answers %s, of %d: readiness and orders say so within two seconds', async (route, count) => {
    await open(count, (...all) => {
      for (const node of all) node.before = (call) => (call.route === `wallet/${route}` ? NodeProxy.HANG() : undefined);
    });
    for (let times = 0; times < 3; times++) {
      const ready = await timed(() => fetch(`${world.app.url}/health/ready`));
      expect([ready.status, await ready.json()]).toMatchObject([503, { reason: expect.any(String) }]);
      const answer = await timed(place);
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([500, 'NODE_UNAVAILABLE']);
    }
    for (const node of nodes) node.before = () => undefined;
    await isFollowed();
  });
});
