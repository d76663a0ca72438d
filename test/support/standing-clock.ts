import { Client } from 'pg';
import { clockFunctions } from './database-clock';

type Run = (sql: string, values?: unknown[]) => Promise<unknown>;

/** The `search_path` of sessions whose clock stands: functions that stand before those of `pg_catalog` are found first. */
export const CLOCK_FIRST = 'clock,public,pg_catalog';

/** The same database, in sessions that look for tables and functions there. */
export function inSchemas(databaseUrl: string, searchPath: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${searchPath}`);
  return url.href;
}

/** The database's clock, as sessions with `CLOCK_FIRST` see it: it stands until it is moved. What columns are by default goes on with the real one. */
export class StandingClock {
  private constructor(private readonly run: Run) {}

  static async make(run: Run): Promise<StandingClock> {
    await run('create schema clock');
    await run('create table clock.hands (at timestamptz)');
    await run('insert into clock.hands values (now())');
    const at = '(select at from clock.hands)';
    for (const statement of clockFunctions('clock', at, at)) await run(statement);
    return new StandingClock(run);
  }

  /** With the URL of the sessions that see it. */
  static async forAll(databaseUrl: string): Promise<readonly [StandingClock, url: string]> {
    const run: Run = async (sql, values) => {
      const client = new Client(databaseUrl);
      await client.connect();
      try {
        return await client.query(sql, values);
      } finally {
        await client.end();
      }
    };
    return [await StandingClock.make(run), inSchemas(databaseUrl, CLOCK_FIRST)];
  }

  async set(at: string): Promise<void> {
    await this.run('update clock.hands set at = $1', [at]);
  }

  async advance(ms: number): Promise<void> {
    await this.run(`update clock.hands set at = at + $1 * interval '1 millisecond'`, [ms]);
  }
}
