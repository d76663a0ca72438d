import { type SimServer, startServer } from './database/server';
import { pairPlan } from './pair-plan';
import { Worker } from './worker-pool';
import type { Action, Plan, PlannedOrder } from './world/plan';

const TROUBLE_MS = 120_000;
const UNREADABLE_MS = 300_000;

/** What the checkers demand ends where it cannot be known; each history had a violation when they demanded it there, too. */
describe('no violation is', () => {
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

  const order = (atMs: number, receiver: number, more: Partial<PlannedOrder> = {}): Action => ({
    atMs,
    kind: 'order',
    order: { user: 0, receiver, amount: 1, activate: false, key: null, instance: 0, requests: 1, ...more },
  });
  const unreadable = (atMs: number): Action => ({
    atMs,
    kind: 'unreadable-blocks',
    count: 1,
    way: 'exception',
    untilMs: UNREADABLE_MS,
  });
  async function run(actions: readonly Action[], settings: Readonly<Record<string, string>> = {}, care?: Plan['care']) {
    const plan = { ...pairPlan({ wallets: 1, reclaimDelay: '120s', actions }), ...(care && { care }) };
    const lived = { ...plan, settings: { ...plan.settings, RECONCILE_EVERY: '60s', ...settings } };
    const { violations, lines, counts } = await worker.run(plan.seed, lived);
    return { violations, counts, lines: lines.join('\n') };
  }

  it('an order that was asked for in a stall, and begun after it by an instance that was stopped meanwhile', async () => {
    const { violations, counts, lines } = await run([
      { atMs: 10_000, kind: 'silent-witnesses', count: 2, forMs: 104_000 },
      { atMs: 95_000, kind: 'stop', instance: 0, forMs: 35_000, trap: { at: 'now', point: 'before', skip: 0 } },
      order(100_000, 0),
    ]);
    expect([violations, counts['told OK']]).toEqual([[], 1]);
    expect(lines).toMatch(/^13\d{4}\.\d+ told - OK/m);
  });

  it('a witness that pays nothing by one node, while the other one is away', async () => {
    const { violations, counts } = await run(
      [
        { atMs: 1_000, kind: 'node-lies', node: 0, lie: 'other witnesses' },
        { atMs: 2_000, kind: 'node-away', node: 1, forMs: 30_000, how: 'refused' },
        order(40_000, 0),
      ],
      {},
      [{ trx: 2_000, keepLiquidTrx: 0, restakes: false, rewardTrx: 0 }],
    );
    expect([violations, counts['found witness_pays_nothing']]).toEqual([[], 1]);
  });

  it('a vote with the power of a freezing that is to be in the next block', async () => {
    const { violations, counts } = await run(
      [{ atMs: 4_000, kind: 'stake-operation', instance: 0, wallet: 0, does: 'freeze', resource: 'energy', part: 0.2 }],
      {},
      [{ trx: 3_000, keepLiquidTrx: 0, restakes: false, rewardTrx: 0 }],
    );
    expect([violations, counts['stake-operation, freeze']]).toEqual([[], 1]);
  });

  it('a wallet that a lie had paused, and that stays so while what it lent may be in a block that no node shows', async () => {
    const lost = (node: number): Action => ({
      atMs: 20_200,
      kind: 'node-fault',
      node,
      route: 'wallet/broadcasttransaction',
      fault: 'timeout',
      count: 100,
    });
    const { violations, counts } = await run([
      order(1_000, 0),
      unreadable(20_100),
      lost(0),
      lost(1),
      order(20_500, 0),
      { atMs: 66_000, kind: 'node-away', node: 1, forMs: 30_000, how: 'refused' },
      { atMs: 66_500, kind: 'node-lies', node: 0, lie: 'nothing is lent' },
      order(TROUBLE_MS + 60_000, 1, { isAfterwards: true }),
    ]);
    expect([violations, counts['told PAUSED, rightly'], counts['found undelegation_foreign']]).toEqual([[], 1, 1]);
  });

  it("a suspicion of somebody else's act that a fork has dropped, while it may be in a block that no node shows", async () => {
    const { violations, counts } = await run([
      order(1_000, 0),
      unreadable(11_000),
      order(19_000, 0),
      { atMs: 20_500, kind: 'stranger', does: 'delegate', receiver: 1, part: 1 },
      { atMs: 23_500, kind: 'fork', depth: 2, keep: false },
    ]);
    expect([violations, counts['found wallet_changed']]).toEqual([[], 1]);
  });
});
