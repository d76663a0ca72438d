import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { Clock } from '../../../../src/common/clock';
import { nodeFaults, type NodeFault } from '../../../../src/common/telemetry-channels';
import { type NodeCall, NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';
import { SettableClock } from '../../../support/movable-clock';
import { until } from '../../../support/until';

/** A head that was asked for so long ago is asked for again. */
const RECENT_MS = 1_000;
/** Each waits by itself, at the same time. */
const WALLETS = 2;

/** As on a network with one witness. Nothing is read by itself: the instance's time stands still. */
describe('a wallet’s reading where the solid block is the head', () => {
  const faults: unknown[] = [];
  const note = (fault: unknown) => faults.push((fault as NodeFault).kind);
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    nodeFaults.subscribe(note);
    world = await OrderWorld.open({
      block: 'manual',
      solidLag: 0,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
      overrides: (builder) => builder.overrideProvider(Clock).useValue(new SettableClock()),
    });
    await world.control('block', { count: 6 });
    await until('it is read', async () => (await world.tryToReadWallets(), (await blockOf()) > 5));
  });
  afterAll(async () => {
    nodeFaults.unsubscribe(note);
    await world.close();
    await proxy.close();
  });

  const asksForHead = ({ route, body }: NodeCall) => route === 'wallet/getblock' && body['id_or_num'] === undefined;
  const read = () => world.app.app.get(Capacity).refresh();
  const blockOf = async () =>
    Number((await world.query(`select observed_block from pool_wallets where name = 'pool'`))[0]!['observed_block']);

  it.each([
    ['a look that was under way before it', 0, 'held'],
    ['looks that take longer than a request waits, and fail', 1, 'held'],
    ['the nodes that blocks are read from, which are a block behind', 4, 'old'],
  ])('is stored when the block is not shown yet by %s', async (_why, looksBefore, how) => {
    const chain = world.app.app.get(VerifiedChain);
    let letGo!: () => void;
    const gone = new Promise<void>((resolve) => (letGo = resolve));
    let old = '';
    proxy.after = async (call, answer) => {
      if (!asksForHead(call)) return answer;
      old ||= answer;
      if (how === 'held') await gone;
      return old;
    };
    await until('a look under way', () => Promise.resolve(old !== ''));
    const shown = await blockOf();
    await world.control('block', { count: 1 });
    await new Promise((resolve) => setTimeout(resolve, RECENT_MS));
    faults.length = 0;
    const waiting = jest.spyOn(chain, 'lookShortly');
    const reading = read();
    const isRead = reading.then(() => true);
    await Promise.race([
      isRead,
      until('it waits', () => Promise.resolve(waiting.mock.calls.length > WALLETS * looksBefore)),
    ]);
    proxy.after = (_call, answer) => answer;
    letGo();
    await reading;
    waiting.mockRestore();
    expect(await blockOf()).toBe(shown + 1);
    expect(faults).not.toContain('walletsolidity');
  });
});
