import { type SimServer, startServer } from './database/server';
import { ORDER_EVERY_MS, pairOrder, pairPlan } from './pair-plan';
import { Worker } from './worker-pool';
import type { Plan } from './world/plan';

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}
interface Call {
  readonly atMs: number;
  readonly route: string;
}

const MINUTE_MS = 60_000;
/** Behind what is asked at the start, before the reconciler runs for the first time. */
const IDLE: Span = { fromMs: 3 * MINUTE_MS, toMs: 10 * MINUTE_MS };
/** It begins a run at a multiple of ten seconds, and takes two or three. Soon after the first it looks at all rows, which it does once a day. */
const RUN_MS = 10_000;
const RECONCILED_EVERY_MINUTES = 10;
const OF_A_RUN = 'walletsolidity/getdelegatedresourceaccountindexv2';
const BUSY: Span = { fromMs: MINUTE_MS, toMs: 3 * MINUTE_MS };
const RECLAIM_DELAY = { idle: '12m', busy: '5m' };
/** A run of the reconciler asks three times for each wallet, every ten minutes; two wallets a minute are read beside that, with three calls each. */
const WALLETS = { idle: 20, busy: 5 };
/** Calls a minute. */
const MOST = { idle: 45, busy: 150 };

/** By what the nodes were asked on the simulator's clock: exact, on whatever machine. */
describe('two nodes that answer in time are asked, together,', () => {
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

  async function callsOf(plan: Plan, untilMs: number): Promise<Call[]> {
    const { violations, lines } = await worker.run(plan.seed, plan);
    expect(violations).toEqual([]);
    expect(Number.parseFloat(lines.at(-1)!)).toBeGreaterThan(untilMs);
    return lines.flatMap((line) => {
      const [, at, route] = /^([\d.]+) \S+ node\d\.example\/(\S+) \d{3}$/.exec(line) ?? [];
      return route === undefined ? [] : [{ atMs: Number(at), route }];
    });
  }
  const within = (calls: readonly Call[], { fromMs, toMs }: Span) =>
    calls.filter(({ atMs }) => atMs >= fromMs && atMs < toMs).length;
  const aMinute = (calls: readonly Call[], span: Span) => (within(calls, span) * MINUTE_MS) / (span.toMs - span.fromMs);

  it('less than 45 times a minute while nothing is open, the reconciler included', async () => {
    const plan = pairPlan({ wallets: WALLETS.idle, reclaimDelay: RECLAIM_DELAY.idle, actions: [pairOrder(0)] });
    const calls = await callsOf(plan, IDLE.toMs + MINUTE_MS);
    const idle = aMinute(calls, IDLE);
    const { atMs } = calls.find((call) => call.route === OF_A_RUN && call.atMs >= IDLE.toMs)!;
    const fromMs = atMs - (atMs % RUN_MS);
    const ofRun = within(calls, { fromMs, toMs: fromMs + RUN_MS });
    expect(idle + ofRun / RECONCILED_EVERY_MINUTES).toBeLessThan(MOST.idle);
  });

  it('less than 150 times a minute with an order every 1.5 s', async () => {
    const actions = Array.from({ length: BUSY.toMs / ORDER_EVERY_MS }, (_, at) => pairOrder(at));
    const plan = pairPlan({ wallets: WALLETS.busy, reclaimDelay: RECLAIM_DELAY.busy, actions });
    const calls = await callsOf(plan, BUSY.toMs);
    const broadcasts = calls.filter(({ route }) => route === 'wallet/broadcasttransaction');
    expect(aMinute(broadcasts, BUSY)).toBe(MINUTE_MS / ORDER_EVERY_MS);
    expect(aMinute(calls, BUSY)).toBeLessThan(MOST.busy);
  });
});
