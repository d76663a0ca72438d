import { BlockClock } from '../../../src/chain/verified-chain/block-clock';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { ConfiguredNodes } from '../../../src/chain/tron/node/configured-nodes';
import { NodeTimes } from '../../../src/chain/tron/node/node-times';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const SLOW_MS = 1_700;

describe('while the first of two nodes has no new block, and the second does not answer', () => {
  let world: OrderWorld;
  let nodes: NodeProxy[];
  let answers: PromiseWithResolvers<void>;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    await world.control('block', { count: 6 });
    await chain().look();
    // Whoever waits for the second node waits for good.
    jest.spyOn(world.app.app.get(BlockClock), 'sleep').mockReturnValue(new Promise(() => undefined));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });
  beforeEach(() => {
    nodes[1]!.calls.length = 0;
    answers = Promise.withResolvers();
    nodes[1]!.before = () => answers.promise;
  });
  afterEach(async () => {
    answers.resolve();
    await chain().look();
  });

  const chain = () => world.app.app.get(VerifiedChain);
  /** The call to the second node has ended by its time-out. */
  const hasGivenUp = () => world.app.app.get(ConfiguredNodes).pool('wallet').nodes[1]!.lastFault !== null;
  const secondIsAsked = () =>
    until('the second is asked', () => Promise.resolve(nodes[1]!.count('wallet/getblock') > 0));

  it('a look that compares nodes asks it, and does not wait', async () => {
    expect(await chain().look(false, 'compared')).toBe(false);
    expect(hasGivenUp()).toBe(false);
    await secondIsAsked();
  });

  it('a look for a block that is late waits for it', async () => {
    let isOver = false;
    const looked = chain()
      .look(false, 'awaited')
      .then(() => (isOver = true));
    await secondIsAsked();
    expect(isOver).toBe(false);
    answers.resolve();
    await looked;
  });

  it('a look for a block that is late does not wait for one that is known to be slow', async () => {
    const [, second] = world.app.app.get(ConfiguredNodes).allUrls('wallet');
    const times = world.app.app.get(NodeTimes);
    for (let call = 0; call < 8; call++) {
      times.took(second!, 'getblock', SLOW_MS);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    expect(await chain().look(false, 'awaited')).toBe(false);
    expect(hasGivenUp()).toBe(false);
    await secondIsAsked();
  });
});
