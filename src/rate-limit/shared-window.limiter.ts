import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Sql, Statement } from '../database/sql';

/** Also a window that ends later than one that begins now: the database's clock was ahead when it began. */
const IS_OVER = `(w.calls = 0 or w.ends_at <= clock_timestamp()
  or $2::integer > 0 and w.ends_at > clock_timestamp() + $3 * interval '1 millisecond')`;
/**
 * One statement decides and counts, so that instances cannot both take the last call. A window without calls starts anew.
 * $3: how long a new window lasts; of a call that is given back ($2 negative), how long its own window had left, so that
 * none is given back to the window after it.
 */
const COUNT: Statement = {
  name: 'rate-limit-count',
  text: `insert into rate_limit_windows as w (key, calls, ends_at)
         values ($1, greatest(0, $2::integer), clock_timestamp() + $3 * interval '1 millisecond')
         on conflict (key) do update
            set calls = case when ${IS_OVER} then excluded.calls
                             when $2::integer < 0 and w.ends_at > clock_timestamp() + $3 * interval '1 millisecond' then w.calls
                             else greatest(0, w.calls + $2::integer) end,
                ends_at = case when ${IS_OVER} then excluded.ends_at else w.ends_at end
      returning calls, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as ms_left`,
};
const DELETE_EMPTY: Statement = {
  name: 'rate-limit-delete-empty',
  text: `delete from rate_limit_windows where key = $1 and calls = 0`,
};

/**
 * Windows that all instances share. The library would ask each instance's own clock when a window ends and create its table
 * itself; here the database's clock decides, and the table comes by migration: the application's role may not create any.
 */
export class SharedWindowLimiter extends RateLimiterPostgres {
  constructor(
    private readonly sql: Sql,
    name: string,
  ) {
    // Only `_upsert` and `_delete` reach the store, and both go through `sql`.
    super({
      storeClient: sql,
      storeType: 'client',
      tableName: 'rate_limit_windows',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points: Number.MAX_SAFE_INTEGER,
      duration: 60,
    });
  }

  /** The library's way to a store: `points` are added to the key's window, which begins now if none is open. */
  async _upsert(key: string, points: number, msDuration: number) {
    const row = await this.sql.row<{ calls: number; ms_left: number }>(COUNT, [key, points, msDuration]);
    return { rows: [{ points: row!.calls, expire: Date.now() + row!.ms_left }] };
  }

  /** Empty windows only: a call counted since then stays. */
  async _delete(key: string): Promise<boolean> {
    return (await this.sql.execute(DELETE_EMPTY, [key])) > 0;
  }
}
