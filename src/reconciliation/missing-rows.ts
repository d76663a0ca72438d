import type { Queryable } from '../database/sql';
import { statement } from '../database/statement';

const RUNS = 3;

/** Rows may be missing since less than $1 milliseconds of block time: the chain has stake of theirs, and lacks stake that they took back. */
const LACKS_ROWS = statement<[windowMs: number], { lacks: boolean }>(
  'reconcile_lacks_rows',
  `select exists (
     select from database_identity i cross join chain_identity c
      where i.timeline is null or c.final_at < i.compared_from + $1::float8 * interval '1 millisecond') as lacks`,
);

/** After a fail-over, a restore or a pause, for long enough that the reconciler's runs see all that missing rows have left. */
export async function lacksRows(db: Queryable, reconcileMs: number): Promise<boolean> {
  return (await db.row(LACKS_ROWS, [RUNS * reconcileMs]))!.lacks;
}

/** Asks about something that was done at $2, in block time: a row that is missing may be the one that did it. */
const MAY_LACK = statement<[windowMs: number, atMs: number], { lacks: boolean }>(
  'reconcile_may_lack_row',
  `select exists (
     select from database_identity i cross join chain_identity c
      where i.timeline is null
         or (c.final_at < i.compared_from + $1::float8 * interval '1 millisecond' and i.compared_from >= to_timestamp($2::float8 / 1000))) as lacks`,
);

/** As `lacksRows`, of one transaction: rows that are missing have signed nothing after the comparison began. */
export async function mayLackRowOf(db: Queryable, reconcileMs: number, atMs: number): Promise<boolean> {
  return (await db.row(MAY_LACK, [RUNS * reconcileMs, atMs]))!.lacks;
}
