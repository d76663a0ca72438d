import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

/** Up to where changes were looked at. */
export interface Mark {
  readonly events_up_to: bigint;
  readonly entries_up_to: bigint;
}

const MARK = statement<[], Mark>('reconcile_mark', `select events_up_to, entries_up_to from reconcile_mark`);

/** A day after the last look at every row, or when that is still to come: the clock was ahead then. Not before the first run of all. */
const WHOLE_DUE = statement<[], { due: boolean }>(
  'reconcile_whole_due',
  `select exists (select from reconcile_mark where whole_at not between now() - interval '1 day' and now()) as due`,
);

/** Ids are given out before they are committed: what is ten minutes old is there, and what is younger is looked at again. */
const oldEnough = (table: string) => `coalesce((
  select id from ${table} where at < clock_timestamp() - interval '10 minutes' order by id desc limit 1), 0)`;
const NEXT_MARK = statement<[], Mark>(
  'reconcile_next_mark',
  `select ${oldEnough('delegation_events')} as events_up_to, ${oldEnough('ledger_entries')} as entries_up_to`,
);

const SET_MARK = statement<[eventsUpTo: bigint, entriesUpTo: bigint, whole: boolean]>(
  'reconcile_set_mark',
  `insert into reconcile_mark (id, events_up_to, entries_up_to, whole_at, succeeded_at) values (1, $1, $2, case when $3::boolean then now() else 'epoch' end, now())
   on conflict (id) do update set events_up_to = excluded.events_up_to, entries_up_to = excluded.entries_up_to,
     succeeded_at = excluded.succeeded_at,
     whole_at = case when $3::boolean then excluded.whole_at else reconcile_mark.whole_at end`,
);

const SUCCEEDED_AT = statement<[], { succeeded_at: Date | null }>(
  'reconcile_succeeded_at',
  `select succeeded_at from reconcile_mark`,
);

/** How far the reconciler has looked at what changed. */
@Injectable()
export class ReconcileMarkRepository {
  constructor(private readonly sql: Sql) {}

  /** Null before the first run. */
  read(): Promise<Mark | null> {
    return this.sql.row(MARK);
  }

  /** Every row is to be looked at. */
  async isWholeDue(): Promise<boolean> {
    return (await this.sql.row(WHOLE_DUE))!.due;
  }

  /** When the last run ended that has compared everything that could be read; null before the first. */
  async succeededAt(): Promise<Date | null> {
    return (await this.sql.row(SUCCEEDED_AT))?.succeeded_at ?? null;
  }

  /** Read before the rows are: what changes meanwhile comes after it. */
  async next(): Promise<Mark> {
    return (await this.sql.row(NEXT_MARK))!;
  }

  /** At the end of a run that has compared everything that could be read. */
  async set({ events_up_to: events, entries_up_to: entries }: Mark, whole: boolean): Promise<void> {
    await this.sql.execute(SET_MARK, [events, entries, whole]);
  }
}
