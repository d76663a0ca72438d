import { Client } from 'pg';
import { expectActivationTruth } from '../support/activation-truth';
import { countOf, record } from '../support/bar';
import { BlockPace } from '../support/block-pace';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { committedPurpose } from '../support/committed-bytes';
import { DatabaseProxy } from '../support/database-proxy';
import { NodeProxy } from '../support/node-proxy';
import { type Caller, OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

/** The whole minute in `npm run test:safety`; never so short that no caller is refused meanwhile. */
const AWAY_MS = 1_000 * Math.max(5, countOf(60, 20));
const NORMAL_AGAIN_MS = 10_000;
const CALLERS = 8;
/** Each tenth order has its receiver activated, and these take turns: of one with several that came to nothing, more are refused. */
const EACH_ACTIVATES = 10;
const ACTIVATORS = 20;

interface TimedAnswer {
  /** 0: no answer. */
  readonly status: number;
  readonly code: string | null;
  readonly id: string | null;
  readonly atMs: number;
  readonly tookMs: number;
}

describe('a database that is away under load', () => {
  let world: OrderWorld;
  let database: DatabaseProxy;
  let node: NodeProxy;
  let instance: ServiceChild;
  let direct: Client;
  let caller: Caller;
  let activators: Caller[];
  let placing = true;
  const withoutRow: unknown[] = [];
  const purposes: string[] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      backgroundWork: false,
      databaseUrl: (url) => (database = new DatabaseProxy(url)).open(),
      nodeUrl: (url) => (node = new NodeProxy(url)).open(),
    });
    instance = await world.startProcess();
    caller = await world.caller({ balance: 100_000 });
    activators = await Promise.all(Array.from({ length: ACTIVATORS }, () => world.caller({ balance: 10_000 })));
    direct = new Client({ connectionString: world.database.url });
    await direct.connect();
    node.before = async ({ route, body }) => {
      if (route !== 'wallet/broadcasttransaction') return;
      const query = async (text: string, values: unknown[]) => (await direct.query(text, values)).rows;
      const purpose = await committedPurpose(query, body);
      if (purpose === null) withoutRow.push(body['txID']);
      else purposes.push(purpose);
    };
  });
  afterAll(async () => {
    placing = false;
    await direct.end();
    await world.close();
    await database.close();
    await node.close();
  });

  it('is a clear failure for callers, nothing is broadcast without its row, and all is normal within 10 seconds', async () => {
    const answers: TimedAnswer[] = [];
    const pace = new BlockPace(world);
    let placed = 0;
    const place = async () => {
      const startedMs = performance.now();
      const at = ++placed;
      const activates = at % EACH_ACTIVATES === 0;
      const payer = activates ? activators[(at / EACH_ACTIVATES) % ACTIVATORS]! : caller;
      const body = { receiver_address: await world.receiver(!activates), amount: 1, activate_address: activates };
      const order = world.delegate(payer, body, {}, instance);
      const { headers, status } = await order.catch(() => ({ headers: new Headers(), status: 0 }));
      const [code, id] = [headers.get('x-error-code'), headers.get('x-delegation-id')];
      const atMs = performance.now();
      answers.push({ status, code, id, atMs, tookMs: atMs - startedMs });
      // A caller who is refused waits before it asks again.
      if (status !== 200) await pace.nextBlock();
    };
    const load = Array.from({ length: CALLERS }, async () => {
      while (placing) await place();
    });
    await until('orders go through', async () => answers.length > 2 * CALLERS);
    database.away(true);
    const awayMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
    // On a busy machine the callers who were cut off may not have asked again yet.
    const isRefused = ({ atMs, tookMs, status }: TimedAnswer) => status === 500 && atMs - tookMs > awayMs + 1_000;
    await until('each caller refused', async () => answers.filter(isRefused).length >= CALLERS);
    expect((await fetch(`${instance.url}/health/ready`)).status).toBe(503);
    database.away(false);
    const backMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 2 * NORMAL_AGAIN_MS));
    placing = false;
    await Promise.all(load);

    // An order that was under way is given no answer that is not committed; every new one is refused at once.
    const wasUnderWay = ({ atMs, tookMs }: TimedAnswer) => atMs - tookMs <= awayMs + 1_000;
    expect(answers.filter((one) => one.status === 0 && !wasUnderWay(one))).toEqual([]);
    const refused = answers.filter(({ status }) => status !== 200 && status !== 0);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([500]));
    for (const { code } of refused) expect(['INTERNAL', 'OUTCOME_UNKNOWN']).toContain(code);
    const newOnes = refused.filter((one) => !wasUnderWay(one) && one.atMs - one.tookMs < backMs);
    const longestMs = Math.max(...newOnes.map(({ tookMs }) => tookMs));
    expect(newOnes.length).toBeGreaterThanOrEqual(CALLERS);
    expect(longestMs).toBeLessThan(6_000);
    expect(answers.filter(({ atMs, status }) => atMs > backMs + NORMAL_AGAIN_MS && status !== 200)).toEqual([]);
    expect(answers.filter(({ atMs, status }) => atMs > backMs + NORMAL_AGAIN_MS && status === 200)).not.toEqual([]);
    expect(withoutRow).toEqual([]);

    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    const orders = new Map((await expectChainTruth(world)).map((order) => [order.id, order]));
    for (const { id, status } of answers)
      if (id) expect(orders.get(id)!.answer).toBe(status === 200 ? 'success' : 'failure');
    const activated = await expectActivationTruth(world);
    expect(activated).toBeGreaterThan(0);
    const seen = `${newOnes.length} refused meanwhile, each within ${(longestMs / 1_000).toFixed(1)} s; none of ${purposes.length} sent without its row, ${activated} activations among them; normal within 10 s`;
    record(10, 'seconds away', AWAY_MS / 1_000, 60, seen);
  });
});
