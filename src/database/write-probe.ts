import type { Queryable } from './sql';
import { statement } from './statement';

/**
 * Has the server write a small file, for rows that its memory may not hold, and leaves nothing: what a full disk refuses while
 * everything is still read.
 */
const PROBE = statement<[], { rows: bigint }>(
  'database_write_probe',
  `select written.rows
     from (select set_config('work_mem', '64kB', true) as memory) as limited,
          lateral (select count(*) as rows from generate_series(1, 5000 + 0 * length(limited.memory))) as written`,
);

/** @throws DatabaseError when the server has no room */
export async function probeRoom(db: Queryable): Promise<void> {
  await db.row(PROBE);
}
