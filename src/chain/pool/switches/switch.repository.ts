import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../../database/sql';
import { statement } from '../../../database/statement';
import { utcMicroseconds } from '../../../database/utc-timestamp';
import { type SwitchName, SWITCHES } from './switch.sql';

/** A second pause keeps the time of the first and takes the new reason. */
const PAUSE = statement<[id: number, reason: string | null]>(
  'switch_pause',
  `insert into order_switch (id, paused_at, reason) values ($1, clock_timestamp(), $2)
   on conflict (id) do update set paused_at = coalesce(order_switch.paused_at, excluded.paused_at), reason = excluded.reason`,
);
const RESUME = statement<[id: number]>(
  'switch_resume',
  `update order_switch set paused_at = null, reason = null where id = $1`,
);
const READ = statement<[id: number], { since: string; reason: string | null }>(
  'switch_read',
  `select ${utcMicroseconds('paused_at')} as since, reason from order_switch where id = $1 and paused_at is not null`,
);

@Injectable()
export class SwitchRepository {
  constructor(private readonly sql: Sql) {}

  async pause(name: SwitchName, reason: string | null, db: Queryable = this.sql): Promise<void> {
    await db.execute(PAUSE, [SWITCHES[name], reason]);
  }

  async resume(name: SwitchName, db: Queryable = this.sql): Promise<void> {
    await db.execute(RESUME, [SWITCHES[name]]);
  }

  /** Null while it is on. */
  findPause(name: SwitchName, db: Queryable = this.sql): Promise<{ since: string; reason: string | null } | null> {
    return db.row(READ, [SWITCHES[name]]);
  }
}
