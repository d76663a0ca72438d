import type { Client } from 'pg';
import type { Silence } from '../network/sim-chain';
import { BEGINNING_MS } from '../kernel/kernel';
import type { Plan, PlannedOrder } from './plan';

/** Until nothing has become final for two rounds. */
const STALLED_MS = 66_000;

/** An instance looks for a newer head at least as often. */
const LOOKED_MS = 6_000;

const BEGUN = `select extract(epoch from created_at)::float8 * 1000 as ms from delegations where id = $1`;

/** Whether orders are begun while no block becomes final. */
export class StallJudge {
  /** Keys that were asked for, by anybody, while finality did not stall: their orders may stand since then. */
  private readonly mayStand = new Set<string>();

  constructor(
    private readonly database: Pick<Client, 'query'>,
    private readonly silences: readonly Silence[],
    private readonly nowMs: () => number,
    /** When the database's clock may have shown this time. */
    private readonly timesOf: (shownMs: number) => readonly number[],
    private readonly actions: Plan['actions'],
    /** When instances were started. */
    private readonly startsMs: readonly number[],
  ) {}

  /** Asked for in a stall, and no request can have begun it before. */
  isNew({ user, key }: PlannedOrder): boolean {
    const name = `${user} ${key}`;
    const isStalled = this.stallAt(this.nowMs()) !== undefined;
    if (!isStalled && key !== null) this.mayStand.add(name);
    return isStalled && !this.mayStand.has(name);
  }

  /** An instance that was stopped when it was asked may go on after the stall, and begins it then. */
  async isBegun(orderId: string, askedMs: number): Promise<boolean> {
    const { rows } = await this.database.query<{ ms: number }>(BEGUN, [orderId]);
    const asked = this.stallAt(askedMs)!;
    return rows.some(({ ms }) =>
      this.timesOf(ms).every((atMs) => this.stallAt(atMs) === asked && !this.isFromOldHead(atMs)),
    );
  }

  /** An instance that starts while its node is behind counts the stall from the old head that it is shown. */
  private isFromOldHead(atMs: number): boolean {
    return this.actions.some((action) => {
      if (action.kind !== 'node-behind' || action.what !== 'head') return false;
      const fromMs = BEGINNING_MS + action.atMs;
      const isThen = atMs >= fromMs && atMs <= fromMs + action.forMs + LOOKED_MS;
      return isThen && this.startsMs.some((startMs) => startMs >= fromMs && startMs <= atMs);
    });
  }

  private stallAt(atMs: number): Silence | undefined {
    return this.silences.find(({ fromMs, untilMs }) => atMs > fromMs + STALLED_MS && atMs <= untilMs);
  }
}
