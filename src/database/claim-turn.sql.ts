/**
 * SQL: claims a turn that one instance takes for all, by the database's clock; the statement goes on with `returning`. A turn in the future was
 * noted while that clock was ahead, and puts off no other; within a minute it is another instance's of this moment, noted while this one waited
 * for the row. `everyMs`: milliseconds, or the parameter that has them.
 */
export const claimTurn = (
  name: string,
  everyMs: string,
): string => `insert into job_runs (name, ran_at) values ('${name}', clock_timestamp())
   on conflict (name) do update set ran_at = excluded.ran_at
     where job_runs.ran_at < excluded.ran_at - ${everyMs} * interval '1 millisecond'
        or job_runs.ran_at > excluded.ran_at + interval '1 minute'`;
