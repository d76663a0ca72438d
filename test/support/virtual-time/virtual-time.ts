import { BusyClients } from './busy-clients';
import { DatabaseTime } from './database-time';
import { pass } from './pass';
import { VirtualTimers } from './virtual-timers';

let current: VirtualTime | null = null;

/**
 * Time in this process and in its databases passes only while nothing else happens, and then at once: up to the next timer. A test that
 * waits for a time-out, a block or a lease waits for its work alone. What happens outside goes on in real time: no other process may be
 * part of what is tested.
 */
export class VirtualTime {
  private readonly timers = new VirtualTimers();
  private readonly busy = new BusyClients();
  private readonly databases: DatabaseTime[] = [];
  private isOver = false;
  private passing: Promise<void> | null = null;

  static begin(): VirtualTime {
    if (current) throw new Error('virtual time runs already');
    current = new VirtualTime();
    current.start();
    return current;
  }

  private start(): void {
    this.busy.begin();
    this.timers.begin(() => this.stop());
    this.passing = pass(
      this.timers,
      this.busy,
      (nowMs) => this.moveTo(nowMs),
      () => this.isOver,
    );
  }

  /** From now on the database's clock goes along. Gives the URL for sessions that ask it. */
  async join(databaseUrl: string): Promise<string> {
    const joined = await DatabaseTime.begin(databaseUrl, this.timers.nowMs);
    this.databases.push(joined);
    return joined.url;
  }

  /** The databases first: a timer's statement may ask for the time. */
  private async moveTo(nowMs: number): Promise<void> {
    await Promise.all(this.databases.map((database) => database.moveTo(nowMs)));
    this.timers.nowMs = nowMs;
  }

  /** Time is real again. */
  async end(): Promise<void> {
    this.stop();
    await this.passing;
    await Promise.all(this.databases.splice(0).map((database) => database.end().catch(() => undefined)));
  }

  private stop(): void {
    if (current === this) current = null;
    if (this.isOver) return;
    this.isOver = true;
    this.timers.end();
    this.busy.end();
  }
}
