import { Client } from 'pg';
import { until } from './until';

/** A transaction of somebody else's that holds a lock until it is told to let go: requests wait in the middle. */
export class HeldLock {
  private constructor(
    private readonly holder: Client,
    private readonly watcher: Client,
  ) {}

  static async take(databaseUrl: string, statement: string, values: unknown[] = []): Promise<HeldLock> {
    const [holder, watcher] = [new Client(databaseUrl), new Client(databaseUrl)];
    await Promise.all([holder.connect(), watcher.connect()]);
    await holder.query('begin');
    await holder.query(statement, values);
    return new HeldLock(holder, watcher);
  }

  /** Until so many statements of this database wait for a lock. */
  async untilWaiting(count: number): Promise<void> {
    const text = `select count(*)::integer as count from pg_stat_activity
                   where datname = current_database() and wait_event_type = 'Lock'`;
    await until(`${count} statements wait for a lock`, async () => {
      const { rows } = await this.watcher.query<{ count: number }>(text);
      return rows[0]!.count >= count;
    });
  }

  async release(): Promise<void> {
    await this.holder.query('commit');
    await Promise.all([this.holder.end(), this.watcher.end()]);
  }
}
