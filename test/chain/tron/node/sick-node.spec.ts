import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { withCallPriority } from '../../../../src/chain/tron/node/call-priority';
import { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { NodeConnections } from '../../../../src/chain/tron/node/node-connections';
import { Clock } from '../../../../src/common/clock';
import { asksForHead } from '../../../support/forged-blocks';
import { MovableClock } from '../../../support/movable-clock';
import { type NodeCall, NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const HEAD = 'wallet/getblock';
/** So late, and some blocks, a node is behind. */
const BEHIND_MS = 10_000;

interface Made {
  readonly url: string;
  readonly priority: string;
  isOver: boolean;
}

describe('two nodes, of which one is sick', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  let caller: Caller;
  let urls: string[];
  let first: NodeProxy;
  let second: NodeProxy;
  /** What the process asks, as it leaves. */
  let made: Made[];
  let isGone: NodeProxy | null = null;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 300,
      witnesses: 27,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        [first, second] = [new NodeProxy(url), new NodeProxy(url)];
        urls = [await first.open(), await second.open()];
        return urls.join(',');
      },
    });
    caller = await world.caller();
    await until('a chain', () => Promise.resolve(chain().headers));
    const connections = world.app.app.get(NodeConnections);
    const run = connections.run.bind(connections);
    connections.run = async (url, priority, call) => {
      const one = { url, priority, isOver: false };
      made.push(one);
      return run(url, priority, call).finally(() => (one.isOver = true));
    };
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([first, second].map((node) => node.close()));
  });
  beforeEach(() => {
    made = [];
    for (const node of [first, second]) {
      node.before = () => undefined;
      node.after = (_call, answer) => answer;
    }
  });
  /** Left alone, no node is set aside. */
  afterEach(async () => {
    await isGone?.listen();
    isGone = null;
    for (const node of [first, second]) {
      node.before = () => undefined;
      node.after = (_call, answer) => answer;
    }
    await until('both in use', () => Promise.resolve(nodesSeen().urls('wallet').length === 2 && !isBehindSolid()));
    clock.advance(31_000);
  });

  const chain = () => world.app.app.get(VerifiedChain);
  const nodesSeen = () => world.app.app.get(ConfiguredNodes);
  const isBehindSolid = () => nodesSeen().isBehind('walletsolidity', urls[0]!);
  const madeTo = (url: string, route: string) => made.filter((one) => one.url === `${url}/${route}`);

  it('the second hangs: the first goes on being asked for blocks, and orders are answered by them', async () => {
    second.before = NodeProxy.HANG;
    // Its head, or first whether it is of this chain.
    const waitsBeside = () => {
      const hung = made.findIndex(({ url, isOver }) => url.startsWith(`${urls[1]}/${HEAD}`) && !isOver);
      return (
        hung >= 0 && made.slice(hung).filter(({ url, isOver }) => url === `${urls[0]}/${HEAD}` && isOver).length > 2
      );
    };
    await until('asked while the other one hangs', () => Promise.resolve(waitsBeside()));
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect([answer.status, answer.headers.get('x-delegation-state')]).toEqual([200, 'included']);
  });

  it.each([
    ['second', 1],
    ['first', 0],
  ])('the %s is gone: a late block does not count as a failure while the other one answers', async (_, gone) => {
    const [sick, sound] = gone === 0 ? [first, second] : [second, first];
    await sick.refuse();
    isGone = sick;
    let frozen = '';
    sound.after = (call, answer) => (asksForHead(call) ? (frozen ||= answer) : answer);
    await until('its last head', async () => {
      await chain().look();
      return frozen !== '' && chain().headers!.head.id === (JSON.parse(frozen) as { blockID: string }).blockID;
    });
    expect(await chain().look()).toBe(false);
  });

  it('the first is gone and the second is slow: no look fails, and no order', async () => {
    await first.refuse();
    isGone = first;
    second.after = async (call, answer) => {
      if (asksForHead(call)) await new Promise((resolve) => setTimeout(resolve, 800));
      return answer;
    };
    for (let looks = 0; looks < 3; looks++) await chain().look();
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.status).toBe(200);
  });

  it('the first shows what no witness has signed: it is set aside until that ends', async () => {
    first.after = ({ route }, answer) =>
      route === HEAD ? answer.replace(/("witness_signature":\s*")[0-9a-f]{8}/, '$100000001') : answer;
    const believed = chain().headers!.head.number;
    await until('a block of the second', () => Promise.resolve(chain().headers!.head.number > believed));
    await world.control('clock', { ms: BEHIND_MS });
    await until('set aside', () => Promise.resolve(nodesSeen().isBehind('wallet', urls[0]!)));
    const { number } = chain().headers!.head;
    await until('blocks of the second', () => Promise.resolve(chain().headers!.head.number > number + 3));
  });

  it('the head of the first stands, its solid view goes on: it is put aside, and back, once', async () => {
    const changes: string[] = [];
    const setBehind = nodesSeen().setBehind.bind(nodesSeen());
    nodesSeen().setBehind = (kind, url, behind) => {
      if (url === urls[0] && behind !== nodesSeen().isBehind(kind, url)) changes.push(`${kind} ${behind}`);
      setBehind(kind, url, behind);
    };
    let frozen = '';
    first.after = (call, answer) => (asksForHead(call) ? (frozen ||= answer) : answer);
    await until('it standing', () => Promise.resolve(frozen !== ''));
    await world.control('clock', { ms: BEHIND_MS });
    await until('put back', () => Promise.resolve(changes.length >= 3));
    const asked = madeTo(urls[0]!, HEAD).length;
    await until('compared again', () => Promise.resolve(madeTo(urls[0]!, HEAD).length > asked + 3));
    expect(changes).toEqual(['walletsolidity true', 'wallet true', 'walletsolidity false']);
    nodesSeen().setBehind = setBehind;
  });

  it('a caller wants to know the head: what that takes is asked for as blocks are', async () => {
    await world.control('witnesses', { rotate_keys: 2 });
    const asked = (call: (one: NodeCall) => boolean) => first.calls.some(call);
    first.calls.length = 0;
    await until('witnesses read', async () => {
      clock.advance(16_000);
      await withCallPriority('quotes', () => chain().look());
      return (
        asked(({ route }) => route === 'wallet/listwitnesses') && asked(({ route }) => route === 'wallet/getaccount')
      );
    });
    const routes = [HEAD, 'wallet/listwitnesses', 'wallet/getaccount', 'wallet/getnextmaintenancetime'];
    const looked = routes.flatMap((route) => urls.flatMap((url) => madeTo(url, route)));
    expect(new Set(looked.map(({ priority }) => priority))).toEqual(new Set(['blocks']));
  });
});
