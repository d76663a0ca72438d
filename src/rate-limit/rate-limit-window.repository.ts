import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';
import type { OpenWindow, WindowCounter } from './window-counter';

/** Also a window that ends later than one that begins now: the database's clock was ahead when it began. */
const HAS_ENDED = `(w.calls = 0 or w.ends_at <= clock_timestamp()
  or $2::integer > 0 and w.ends_at > clock_timestamp() + $3 * interval '1 millisecond')`;
/**
 * One statement decides and counts, so that instances cannot both take the last call. A window without calls begins again.
 * $3: how long a new window lasts; of a call that is given back ($2 negative), how long its own window had left, so that
 * none is given back to the window after it.
 */
const COUNT = statement<[key: string, calls: number, msDuration: number], { calls: number; ms_left: number }>(
  'rate_limit_count',
  `insert into rate_limit_windows as w (key, calls, ends_at)
         values ($1, greatest(0, $2::integer), clock_timestamp() + $3 * interval '1 millisecond')
         on conflict (key) do update
            set calls = case when ${HAS_ENDED} then excluded.calls
                             when $2::integer < 0 and w.ends_at > clock_timestamp() + $3 * interval '1 millisecond' then w.calls
                             else greatest(0, w.calls + $2::integer) end,
                ends_at = case when ${HAS_ENDED} then excluded.ends_at else w.ends_at end
      returning calls, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as ms_left`,
);
const DELETE_EMPTY = statement<[key: string]>(
  'rate_limit_delete_empty',
  `delete from rate_limit_windows where key = $1 and calls = 0`,
);
const SWEEP = statement(
  'rate_limit_sweep',
  `delete from rate_limit_windows where ends_at < clock_timestamp() - interval '1 minute'`,
);

/** Table `rate_limit_windows`. The database's clock says when a window ends. */
@Injectable()
export class RateLimitWindowRepository {
  constructor(private readonly sql: Sql) {}

  /** The windows of one limit, which all instances share. */
  counterOf(limit: string): WindowCounter {
    return {
      add: (key, windowMs) => this.count(`${limit}:${key}`, 1, windowMs),
      takeBack: async (key, msLeft) => {
        const { calls } = await this.count(`${limit}:${key}`, -1, msLeft);
        // An empty window has not begun. A call counted since then stays.
        if (calls === 0) await this.sql.execute(DELETE_EMPTY, [`${limit}:${key}`]);
      },
    };
  }

  async deleteEnded(): Promise<void> {
    await this.sql.execute(SWEEP);
  }

  private async count(key: string, calls: number, windowMs: number): Promise<OpenWindow> {
    const row = (await this.sql.row(COUNT, [key, calls, windowMs]))!;
    return { calls: row.calls, msLeft: row.ms_left };
  }
}
