/** So many entries of a range are looked at. */
const LOOKED_AT = 20_000;
/** In a longer range, the first and the last entry by time need not have the lowest and the highest number, but nearly. */
const MARGIN = 100_000;

/**
 * SQL: the lowest and the highest number of a table's entries in a range of times, by an index of `at`. A clock that was set back gives
 * later entries earlier times, so all entries of the range are looked at; of a long range a bounded number, with a margin: it would have to
 * hold 100,000 entries that were written while a clock was set back.
 */
export const idsBetween = (table: string, range: string): string => `
  with of_range as (select id, at from ${table} where ${range} order by at, id limit ${LOOKED_AT + 1})
  select coalesce(case when count(*) <= ${LOOKED_AT} then min(id)
                       else (select id from of_range order by at, id limit 1) - ${MARGIN} end, 0) as first,
         coalesce(case when count(*) <= ${LOOKED_AT} then max(id)
                       else (select id from ${table} where ${range} order by at desc, id desc limit 1) + ${MARGIN} end, 0) as last
    from of_range`;
