import { toHexAddress } from '../../../../src/chain/tron/addresses';
import { ReferenceBlocks } from '../../../../src/chain/verified-chain/reference-blocks';
import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { Clock } from '../../../../src/common/clock';
import { type NodeCall, NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';
import { SettableClock } from '../../../support/movable-clock';
import { until } from '../../../support/until';

const SOLID = 'walletsolidity/getblock';
const DELEGABLE = 'walletsolidity/getcandelegatedmaxsize';
/** A head that was asked for so long ago is asked for again. */
const RECENT_MS = 1_000;

interface Row {
  readonly delegable_sun: bigint;
  readonly reserved_sun: bigint;
  readonly observed_block: bigint;
}

/** Nothing here is read by itself: the instance's time stands still. */
describe('a wallet’s reading', () => {
  let world: OrderWorld;
  let caller: Caller;
  let pool: string;
  let first: NodeProxy;
  /** A node of the same chain, with a view of its own. */
  let second: NodeProxy;
  let own: string;
  /** Solid heads in the order in which each node has shown them. */
  let shown: [NodeProxy, number][] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      env: { DELEGATION_ANSWER: 'accepted' },
      overrides: (builder) => builder.overrideProvider(Clock).useValue(new SettableClock()),
      nodeUrl: async (url) => {
        own = String((await post(`${url}/control/node`, {}))['url']);
        [first, second] = [new NodeProxy(url), new NodeProxy(own)];
        return [await first.open(), await second.open()].join(',');
      },
    });
    caller = await world.caller({ balance: 10_000 });
    pool = toHexAddress(world.chain.accounts.find(({ role }) => role === 'pool')!.address);
    await world.control('block', { count: 6 });
    await world.app.app.get(ReferenceBlocks).refresh();
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([first, second].map((node) => node.close()));
  });
  beforeEach(async () => {
    for (const node of [first, second]) {
      [node.before, node.status] = [() => undefined, () => undefined];
      node.after = (call, answer) => noted(node, call, answer);
    }
    await new Promise((resolve) => setTimeout(resolve, RECENT_MS));
    shown = [];
  });

  async function post(url: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  }
  const numberOf = (answer: string) =>
    (JSON.parse(answer) as { block_header: { raw_data: { number: number } } }).block_header.raw_data.number;
  function noted(node: NodeProxy, { route }: NodeCall, answer: string): string {
    if (route === SOLID) shown.push([node, numberOf(answer)]);
    return answer;
  }
  const headsOf = (node: NodeProxy) => shown.filter(([of]) => of === node).map(([, number]) => number);
  const isOfPool = ({ route, body }: NodeCall) => route === DELEGABLE && body['owner_address'] === pool;
  const read = () => world.app.app.get(Capacity).refresh();
  const row = async () => (await world.query(`select * from pool_wallets where name = 'pool'`))[0] as unknown as Row;

  it('counts as of the head before it: what has landed since is taken off twice, and once by the next one, which an order that finds too little asks for', async () => {
    await read();
    const before = await row();
    expect(before.reserved_sun).toBe(0n);
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    await new Promise((resolve) => setTimeout(resolve, RECENT_MS));
    shown = [];
    let isLanded = false;
    first.before = async (call) => {
      if (!isOfPool(call) || isLanded) return;
      isLanded = true;
      await world.control('block', { count: 8 });
      await world.untilState(id, 'delegated');
    };
    await read();
    const { stake_sun: stakeSun } = (await world.show(id))!;
    const [a, b] = [headsOf(first)[0]!, headsOf(first).at(-1)!];
    expect(a).toBeLessThan(b);
    expect(await row()).toMatchObject({
      observed_block: BigInt(a),
      delegable_sun: before.delegable_sun - stakeSun,
      reserved_sun: stakeSun,
    });
    await new Promise((resolve) => setTimeout(resolve, RECENT_MS));
    const capacity = world.app.app.get(Capacity);
    await capacity.findMore(1n, capacity.waitEndMs());
    expect(await row()).toMatchObject({
      observed_block: BigInt(b),
      delegable_sun: before.delegable_sun - stakeSun,
      reserved_sun: 0n,
    });
  });

  it('is of no block when the head after it is lower, and is made once more', async () => {
    let old = '';
    first.after = (call, answer) => {
      if (call.route === SOLID) old ||= answer;
      return answer;
    };
    await read();
    await world.control('block', { count: 2 });
    await new Promise((resolve) => setTimeout(resolve, RECENT_MS));
    let heads = 0;
    first.after = (call, answer) => noted(first, call, call.route === SOLID && ++heads === 2 ? old : answer);
    await read();
    const [high, low] = headsOf(first) as [number, number];
    expect(low).toBeLessThan(high);
    // Between the lower one and the next.
    expect((await row()).observed_block).toBe(BigInt(low));
    expect(first.calls.filter(isOfPool).length).toBeGreaterThan(1);
  });

  it('is of one node: where the first fails in the middle of it, all of it is of the second', async () => {
    await post(`${own}/control/stand-still`, { solid: true });
    await world.control('block', { count: 2 });
    await until('seen', async () => {
      await world.app.app.get(ReferenceBlocks).refresh();
      return true;
    });
    first.status = (call) => (isOfPool(call) ? 500 : undefined);
    await read();
    const [ahead, behind] = [headsOf(first)[0]!, headsOf(second)[0]!];
    expect(behind).toBeLessThan(ahead);
    expect((await row()).observed_block).toBe(BigInt(behind));
    await post(`${own}/control/stand-still`, { solid: false });
  });
});
