import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { OutageCause } from './outage-cause';
import { DOWN_AFTER_MS, GONE_AFTER, KEPT } from './outage.sql';

const LOCK = statement<[], { sinceMs: number }>(
  'outage_lock_beat',
  `insert into service_beat (id, seen_at) values (1, clock_timestamp()) on conflict (id) do update set id = 1
   returning extract(epoch from clock_timestamp() - seen_at)::float8 * 1000 as "sinceMs"`,
);

/** A cause that was seen lately goes on in its row. */
const RECORD = statement<[cause: OutageCause | null]>(
  'outage_record',
  `with continued as (
     update outages set seen_at = clock_timestamp()
      where id = (select id from outages where cause = $1 and seen_at > clock_timestamp() - ${GONE_AFTER} order by id desc limit 1)
     returning id
   )
   insert into outages (cause, begun_at, seen_at)
   select $1, clock_timestamp(), clock_timestamp() where $1::text is not null and not exists (select from continued)`,
);

const RECORD_DOWN = statement(
  'outage_record_down',
  `insert into outages (cause, begun_at, seen_at) select 'down', seen_at, clock_timestamp() from service_beat`,
);

const BEAT = statement('outage_beat', 'update service_beat set seen_at = clock_timestamp()');

/** Also what was written while the database's clock was ahead: it would be an outage once that time comes. */
const FORGET = statement(
  'outage_forget',
  `delete from outages where seen_at < clock_timestamp() - ${KEPT} or seen_at > clock_timestamp() + interval '1 minute'`,
);

/** The tables `outages` and `service_beat`. */
@Injectable()
export class OutageRepository {
  constructor(private readonly sql: Sql) {}

  /** What an instance sees each minute. Instances take turns, so that one outage has one row. */
  async beat(cause: OutageCause | null): Promise<void> {
    await this.sql.transaction(async (tx) => {
      const [row] = await tx.rows(LOCK);
      // First: a row from the time to come would be continued, with a beginning after its end.
      await tx.execute(FORGET);
      // A restored database was last seen when its backup was made, and the service ran on without it.
      if (row!.sinceMs > DOWN_AFTER_MS && cause !== 'restored') await tx.execute(RECORD_DOWN);
      await tx.execute(RECORD, [cause]);
      await tx.execute(BEAT);
    });
  }
}
