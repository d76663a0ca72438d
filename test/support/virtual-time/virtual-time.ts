import { BusyClients } from './busy-clients';
import { DatabaseTime } from './database-time';
import { pass } from './pass';
import { VirtualTimers } from './virtual-timers';

let current: VirtualTime | null = null;

/**
 * Time in this process and in its databases stands while anything works, and passes at once, up to the next timer, while everything
 * waits. A test that waits for a time-out, a block or a lease takes as long as the work in between. Other processes keep real time, so a
 * test that starts some cannot use this.
 */
export class VirtualTime {
  private readonly timers = new VirtualTimers();
  private readonly databases = new Set<DatabaseTime>();
  private readonly busy = new BusyClients(
    async (pids) => new Map((await Promise.all([...this.databases].map((database) => database.statesOf(pids)))).flat()),
  );
  private users = 0;
  private isOver = false;
  private passing: Promise<void> | null = null;

  /** Two worlds of one process share it until both have ended it. */
  static begin(): VirtualTime {
    if (!current) (current = new VirtualTime()).start();
    current.users += 1;
    return current;
  }

  private start(): void {
    this.busy.begin();
    this.timers.begin(() => this.stop());
    const moveTo = (nowMs: number) => this.moveTo(nowMs);
    this.passing = pass(this.timers, this.busy, moveTo, () => this.isOver).catch((error: unknown) => {
      // In real time, Jest's limits end the tests that go on.
      this.stop();
      console.error(error);
    });
  }

  /** The database's clock goes along until it is ended. */
  async join(databaseUrl: string): Promise<DatabaseTime> {
    const joined = await DatabaseTime.begin(databaseUrl, this.timers.nowMs, () => this.databases.delete(joined));
    this.databases.add(joined);
    return joined;
  }

  /** The databases first: a timer's statement may ask for the time. */
  private async moveTo(nowMs: number): Promise<void> {
    await Promise.all([...this.databases].map((database) => database.moveTo(nowMs)));
    this.timers.nowMs = nowMs;
  }

  /** Time is real again. */
  async end(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    this.stop();
    await this.passing;
  }

  private stop(): void {
    if (current === this) current = null;
    if (this.isOver) return;
    this.isOver = true;
    this.timers.end();
    this.busy.end();
  }
}
