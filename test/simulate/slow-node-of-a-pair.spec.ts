import { type SimServer, startServer } from './database/server';
import { ORDER_EVERY_MS, pairOrder, pairPlan } from './pair-plan';
import { Worker } from './worker-pool';
import type { Action } from './world/plan';

const SLOW: Action = { atMs: 30_000, kind: 'node-slow', node: 0, byMs: 1_700 };
/** All that is lent has to be back within a few minutes more. */
const UNTIL_MS = 390_000;
/** From a block to the answer of an order in it. The service's own statements take a third of it on the simulator's clock. */
const WITHIN_MS = 500;
/** For the block that is asked for as the node becomes slow: that the node does not answer in its usual time has to be seen once. */
const FIRST_WITHIN_MS = 1_000;
const SEEN_MS = SLOW.atMs + 3_000;

/** On the simulator's clock: exact, on whatever machine. Bar 24 looks at the same for ten minutes of a real clock. */
describe('while the first of two nodes takes 1.7 s for every answer', () => {
  let server: SimServer;
  let worker: Worker;
  beforeAll(async () => {
    server = await startServer();
    worker = new Worker(server, null, true);
  });
  afterAll(async () => {
    await worker.stop();
    await server.stop();
  });

  it('every order is answered within half a second of its block: no look, and no later one, waits for that node', async () => {
    const actions = [SLOW, ...Array.from({ length: UNTIL_MS / ORDER_EVERY_MS }, (_, at) => pairOrder(at))];
    const plan = pairPlan({ wallets: 5, reclaimDelay: '5m', actions });
    const { violations, lines } = await worker.run(plan.seed, plan);
    expect(violations).toEqual([]);
    const answered: string[] = [];
    const late: string[] = [];
    let blockMs = 0;
    for (const line of lines) {
      const [, at, what, said] = /^([\d.]+) (block|told) \S+ (\S+)/.exec(line) ?? [];
      if (what === 'block') blockMs = Number(at);
      if (what !== 'told') continue;
      answered.push(said!);
      if (Number(at) - blockMs > (Number(at) < SEEN_MS ? FIRST_WITHIN_MS : WITHIN_MS)) late.push(line);
    }
    expect(answered).toEqual(actions.slice(1).map(() => 'OK'));
    expect(late).toEqual([]);
  });
});
