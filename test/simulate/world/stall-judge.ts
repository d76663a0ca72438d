import type { Client } from 'pg';
import type { Silence } from '../network/sim-chain';
import type { PlannedOrder } from './plan';

/** Until nothing has become final for two rounds. */
const STALLED_MS = 66_000;

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
    return rows.some(({ ms }) => this.timesOf(ms).every((atMs) => this.stallAt(atMs) === asked));
  }

  private stallAt(atMs: number): Silence | undefined {
    return this.silences.find(({ fromMs, untilMs }) => atMs > fromMs + STALLED_MS && atMs <= untilMs);
  }
}
