import { gzipSync } from 'node:zlib';
import { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { Clock } from '../../../../src/common/clock';
import { nodeFaults, type NodeFault } from '../../../../src/common/telemetry-channels';
import { asksForHead, type BlockJson, editBlocks, forge, STRANGER_ID, witnessOf } from '../../../support/forged-blocks';
import { MovableClock } from '../../../support/movable-clock';
import { type NodeCall, NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const BOMB = gzipSync(`{"block":[${'{},'.repeat(20_000_000)}{}]}`);
const one = witnessOf(1);

/** Signed by a witness, on a parent that the node does not have. */
const unlinked = (head: BlockJson) =>
  forge(head, {
    header: {
      number: BigInt(head.block_header.raw_data.number + 1),
      timestamp: BigInt(head.block_header.raw_data.timestamp + 3_000),
      parentHash: Buffer.from(STRANGER_ID, 'hex'),
      witness_address: one.address,
    },
    key: one.key,
  });
const isBlocks = ({ route, body }: NodeCall) => /\/getblock/.test(route) && body['num'] !== 0;

type Lie = (proxy: NodeProxy) => void;
const LIES: [string, Lie][] = [
  ['sends gigabytes of nothing, zipped', (proxy) => (proxy.answers = (call) => (isBlocks(call) ? BOMB : undefined))],
  [
    'shows blocks with a transaction that is null',
    (proxy) =>
      (proxy.after = (_call, answer) =>
        editBlocks(answer, (block) => ({ ...block, transactions: [null] }) as unknown as BlockJson)),
  ],
  [
    'answers with an empty list',
    (proxy) =>
      (proxy.answers = ({ route, body }) =>
        route.startsWith('wallet/getblock') && body['num'] !== 0 ? '[]' : undefined),
  ],
  [
    'shows heads that do not link',
    (proxy) => (proxy.after = (call, answer) => (asksForHead(call) ? editBlocks(answer, unlinked) : answer)),
  ],
];
const restore: Lie = (proxy) => {
  proxy.answers = () => undefined;
  proxy.after = (_call, answer) => answer;
};

describe.each([1, 2])('the first of %i nodes, when it', (count) => {
  const clock = new MovableClock();
  let world: OrderWorld;
  let first: NodeProxy;
  let caller: Caller;
  const faults: NodeFault[] = [];
  const note = (fault: unknown) => faults.push(fault as NodeFault);
  beforeAll(async () => {
    nodeFaults.subscribe(note);
    world = await OrderWorld.open({
      block: 300,
      witnesses: 4,
      env: { ANSWER_TIMEOUT: '5s' },
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        const own = await (first = new NodeProxy(url)).open();
        return count === 1 ? own : `${own},${url}`;
      },
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    nodeFaults.unsubscribe(note);
    await world.close();
    await first.close();
  });
  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });

  it.each(LIES)('%s, is at fault for it, and the process goes on', async (_, lie) => {
    restore(first);
    // One that has failed is asked after the other for a minute.
    const nodes = world.app.app.get(ConfiguredNodes);
    await until('an order goes through, and the first is in use', async () => {
      clock.advance(5_000);
      return (await place()).status === 200 && nodes.urls('wallet')[0] === nodes.allUrls('wallet')[0];
    });
    faults.length = 0;
    lie(first);
    const hosts = () => new Set(faults.map(({ node }) => node));
    // After its first fault it is asked once a minute, until it has done well.
    await until('a fault', async () => (clock.advance(5_000), await place(), faults.length > 1));
    expect([...hosts()].length).toBe(1);
    if (count > 1) expect((await place()).status).toBe(200);
    // Anything that would stop the process stops this answer as well.
    const begun = performance.now();
    expect((await fetch(`${world.app.url}/health/live`)).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});
