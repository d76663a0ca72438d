import { BlockPace } from '../../src/chain/observer/block-pace';
import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { NodeProxy } from '../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import { until } from '../support/until';

const BAR = 24;
const SECONDS = 600;
const SLOW_MS = 1_700;
const BLOCK_MS = 3_000;
const ORDER_EVERY_MS = 1_500;
/** From a block's time to the answer of an order in it. */
const WITHIN_MS = 1_000;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

interface Placed {
  readonly said: string | null;
  /** From its block to its answer; null without a block. */
  readonly behindMs: number | null;
}

const seconds = countOf(SECONDS, 75);

describe('while the first of two nodes takes 1.7 s for every answer', () => {
  let world: OrderWorld;
  let caller: Caller;
  let nodes: NodeProxy[];
  beforeAll(async () => {
    world = await OrderWorld.open({
      // The bar's own count is of real seconds. Where every change is checked, other tests take the processors away.
      ...(seconds < SECONDS && { time: 'virtual' }),
      block: BLOCK_MS,
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    caller = await world.caller({ balance: 10_000 });
    await until('it is known when blocks come', async () => world.app.app.get(BlockPace).hasLearned);
  });
  afterAll(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  async function place(): Promise<Placed> {
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const answeredMs = Date.now();
    const said = answer.headers.get('x-error-code') ?? answer.headers.get('x-delegation-state');
    return { said, behindMs: await behind(answer, answeredMs) };
  }

  async function behind({ body }: Answer, answeredMs: number): Promise<number | null> {
    const { blockTimeStamp: blockMs } = await world.node('wallet/gettransactioninfobyid', { value: body['txid'] });
    return blockMs === undefined ? null : answeredMs - Number(blockMs);
  }

  it(
    'every order is answered within a second of its block, and none is refused',
    async () => {
      expect((await place()).said).toBe('included');
      nodes[0]!.before = () => wait(SLOW_MS);
      const placing: Promise<Placed>[] = [];
      for (let at = 0; at < seconds * 1_000; at += ORDER_EVERY_MS) {
        placing.push(place());
        await wait(ORDER_EVERY_MS);
      }
      const placed = await Promise.all(placing);
      nodes[0]!.before = () => undefined;
      const behindMs = placed.map((order) => order.behindMs ?? Infinity).toSorted((a, b) => a - b);
      expect(placed.map(({ said }) => said)).toEqual(placed.map(() => 'included'));
      expect(behindMs.filter((ms) => ms >= WITHIN_MS)).toEqual([]);
      await untilSettled(world.app.sql);
      await expectChainTruth(world);
      const [p50, most] = [behindMs[placed.length >> 1], behindMs.at(-1)];
      const seen = `${placed.length} orders, each answered within ${most} ms of its block, half of them within ${p50} ms`;
      record(BAR, 'seconds with a slow first node', seconds, SECONDS, seen);
    },
    timeFor(seconds, 1_100),
  );
});
