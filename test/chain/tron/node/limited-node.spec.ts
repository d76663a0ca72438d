import { ChainReads } from '../../../../src/chain/tron/node/chain-reads';
import { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { CheckEverything } from '../../../../src/reconciliation/check-everything';
import { untilSettled } from '../../../support/chain-truth';
import { type NodeCall, NodeProxy, ofAnotherChain } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const isGenesis = ({ body }: NodeCall) => body['num'] === 0;

describe('two nodes that were both used, of which one refuses calls for their number', () => {
  let world: OrderWorld;
  let first: NodeProxy;
  let second: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      nodeUrl: async (url) => {
        [first, second] = [new NodeProxy(url), new NodeProxy(url)];
        return [await first.open(), await second.open()].join(',');
      },
    });
    await world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    await untilSettled(world.app.sql);
  });
  afterAll(async () => {
    heal();
    await world.close();
    await Promise.all([first, second].map((node) => node.close()));
  });
  function heal(): void {
    for (const node of [first, second]) [node.status, node.after] = [() => undefined, (_call, answer) => answer];
  }
  beforeEach(async () => {
    heal();
    // The comparison is of nodes whose answers were in use.
    const nodes = world.app.app.get(ConfiguredNodes);
    await until('both are in use', async () => {
      const verified = [first, second].map((node) => node.calls.filter(isGenesis).length);
      for (const kind of ['wallet', 'walletsolidity'] as const)
        for (const url of nodes.allUrls(kind)) await nodes.verifyNode(kind, url).catch(() => undefined);
      const counts = [first, second].map((node) => node.calls.filter(isGenesis).length);
      return nodes.reachable('wallet').length === 2 && counts.every((count, at) => count === verified[at]! + 2);
    });
  });

  const verify = () => world.app.app.get(ChainReads).verify();
  const limit = (node: NodeProxy) => (node.status = (call) => (isGenesis(call) ? 429 : undefined));

  it('a comparison with the chain comes to its end by the other', async () => {
    limit(second);
    await expect(verify()).resolves.toBeUndefined();
    expect(await world.app.app.get(CheckEverything).run()).toMatchObject({ ok: true, checked: { pairs: 1 } });
    const standings = world.app.app.get(ConfiguredNodes).standings();
    expect(standings.map(({ lastFault }) => lastFault)).toEqual(standings.map(() => null));
  });

  it('so does one whose first node is limited', async () => {
    limit(first);
    await expect(verify()).resolves.toBeUndefined();
  });

  it('nothing is concluded when the other is of another chain', async () => {
    limit(second);
    first.after = (call, answer) => (isGenesis(call) ? ofAnotherChain(answer) : answer);
    await expect(verify()).rejects.toThrow('another chain');
  });

  it('nothing is concluded when the other answers with a fault', async () => {
    limit(first);
    second.status = (call) => (isGenesis(call) ? 500 : undefined);
    await expect(verify()).rejects.toThrow('HTTP 500');
  });

  it('nothing is concluded when none of them answers in time', async () => {
    for (const node of [first, second]) limit(node);
    await expect(verify()).rejects.toThrow('HTTP 429');
  });

  it('a missing stake is concluded only from nodes that each show the chain again', async () => {
    const reads = world.app.app.get(ChainReads);
    const [one, other] = world.app.app.get(ConfiguredNodes).allUrls('walletsolidity') as [string, string];
    limit(first);
    await expect(reads.verifySolid([other])).resolves.toBeUndefined();
    await expect(reads.verifySolid([one, other])).rejects.toThrow('HTTP 429');
  });
});
