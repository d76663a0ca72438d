import { DatabaseError } from 'pg';
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

/** The probe's file is larger than `temp_file_limit` allows the role. Orders write no such files: that says nothing about room. */
const LIMIT_EXCEEDED = '53400';

/** @throws DatabaseError when the server has no room */
export async function probeRoom(db: Queryable): Promise<void> {
  try {
    await db.row(PROBE);
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === LIMIT_EXCEEDED)) throw error;
  }
}
