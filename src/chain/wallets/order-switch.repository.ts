import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { utcMicroseconds } from '../../database/utc-timestamp';

/** A second pause keeps the time of the first and takes the new reason. */
const PAUSE = statement<[reason: string | null]>(
  'order_switch_pause',
  `insert into order_switch (id, paused_at, reason) values (1, clock_timestamp(), $1)
   on conflict (id) do update set paused_at = coalesce(order_switch.paused_at, excluded.paused_at), reason = excluded.reason`,
);
const RESUME = statement('order_switch_resume', `update order_switch set paused_at = null, reason = null where id = 1`);
const READ = statement<[], { since: string; reason: string | null }>(
  'order_switch_read',
  `select ${utcMicroseconds('paused_at')} as since, reason from order_switch where paused_at is not null`,
);

@Injectable()
export class OrderSwitchRepository {
  constructor(private readonly sql: Sql) {}

  async pause(reason: string | null, db: Queryable = this.sql): Promise<void> {
    await db.execute(PAUSE, [reason]);
  }

  async resume(db: Queryable = this.sql): Promise<void> {
    await db.execute(RESUME);
  }

  /** Null while orders are taken. */
  findPause(db: Queryable = this.sql): Promise<{ since: string; reason: string | null } | null> {
    return db.row(READ);
  }
}
