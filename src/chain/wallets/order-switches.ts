import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type Statement } from '../../database/sql';
import { utcMicroseconds } from '../../database/utc-timestamp';

export interface OrderSwitchView {
  readonly paused: boolean;
  readonly since: string | null;
  readonly reason: string | null;
}

/** An earlier pause keeps its time; the newest reason stands. */
const PAUSE: Statement = {
  name: 'order_switch_pause',
  text: `insert into order_switch (id, paused_at, reason) values (1, clock_timestamp(), $1)
         on conflict (id) do update set paused_at = coalesce(order_switch.paused_at, excluded.paused_at), reason = excluded.reason`,
};
const RESUME: Statement = {
  name: 'order_switch_resume',
  text: `update order_switch set paused_at = null, reason = null where id = 1`,
};
const READ: Statement = {
  name: 'order_switch_read',
  text: `select ${utcMicroseconds('paused_at')} as since, reason from order_switch where paused_at is not null`,
};

/** One switch for all new orders on every instance: they are answered with PAUSED, everything else goes on. */
@Injectable()
export class OrderSwitches {
  constructor(private readonly sql: Sql) {}

  async pause(reason: string | null, session: Queryable = this.sql): Promise<OrderSwitchView> {
    await session.execute(PAUSE, [reason]);
    return this.read(session);
  }

  async resume(session: Queryable = this.sql): Promise<OrderSwitchView> {
    await session.execute(RESUME);
    return this.read(session);
  }

  async read(session: Queryable = this.sql): Promise<OrderSwitchView> {
    const row = await session.row<{ since: string; reason: string | null }>(READ);
    return { paused: row !== null, since: row?.since ?? null, reason: row?.reason ?? null };
  }
}
