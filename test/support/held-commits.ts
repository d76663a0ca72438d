import { HeldLock } from './held-lock';
import type { OrderWorld } from './order-world';
import { until } from './until';

/** Any number that the service does not use. */
const GATE = 7_202_120_302;
const CLOSED_FOR_ORDERS = [
  `create or replace function pass_order_gate() returns trigger language plpgsql as $$
   begin
     perform pg_advisory_xact_lock_shared(${GATE});
     return null;
   end $$`,
  `create or replace trigger pass_order_gate before insert on holds for each statement execute function pass_order_gate()`,
];
/** By how the statement begins that holds the money of orders: what is seen of it is short. */
const WAITING = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%with wanted as (%'`;
/** For one more transaction of orders; there may be none. */
const PATIENCE_MS = 1_000;

/** Keeps orders from being committed for a moment: what comes while the first ones wait is written together, by the next transaction. */
export class HeldCommits {
  private constructor(
    private readonly world: OrderWorld,
    private readonly lock: HeldLock,
  ) {}

  static async begin(world: OrderWorld): Promise<HeldCommits> {
    for (const text of CLOSED_FOR_ORDERS) await world.query(text);
    return new HeldCommits(world, await HeldLock.take(world.database.url, `select pg_advisory_xact_lock(${GATE})`));
  }

  async untilOneWaits(): Promise<void> {
    await until('the first transaction waits', async () => (await this.count()) >= 1);
  }

  /** The first one, one with an activation, which is written alone, and one of all others; some may come too late for that, and then make one more. */
  async untilMoreWait(): Promise<void> {
    await until('three transactions wait', async () => (await this.count()) >= 3);
    const more = until('one more transaction waits', async () => (await this.count()) >= 4, PATIENCE_MS);
    await more.catch(() => undefined);
  }

  release(): Promise<void> {
    return this.lock.release();
  }

  private async count(): Promise<number> {
    return Number((await this.world.query(WAITING))[0]!['count']);
  }
}
