/**
 * As a fresh migrated database is. All tables, whatever migrations have left of what is planned by; or those that anything was written to:
 * what is planned of the others stays planned, and planning is much of what a history costs.
 */
export const empty = (which: 'all' | 'written'): string => `
  -- The triggers that keep history and ledger from being emptied are for the service.
  set session_replication_role = replica;
  do $$
    declare names text;
    begin
      select string_agg(format('%I', relname), ', ') into names from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'mikro_orm_migrations'
         and ${which === 'all' ? 'true' : 'pg_relation_size(oid) > 0'};
      if names is not null then
        execute 'truncate ' || names || ' restart identity cascade';
      end if;
    end $$;
  set session_replication_role = origin;
  select setval('sim_ids', 1, false), setval('sim_numbers', 1, false)`;
