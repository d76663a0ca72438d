import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../database/sql';
import { OrderSwitchRepository } from './order-switch.repository';

export interface OrderSwitchView {
  readonly paused: boolean;
  readonly since: string | null;
  readonly reason: string | null;
}

/** One switch for all new orders on every instance. While paused they are answered with PAUSED; everything else goes on. */
@Injectable()
export class OrderSwitches {
  constructor(private readonly rows: OrderSwitchRepository) {}

  async pause(reason: string | null, db?: Queryable): Promise<OrderSwitchView> {
    await this.rows.pause(reason, db);
    return this.read(db);
  }

  async resume(db?: Queryable): Promise<OrderSwitchView> {
    await this.rows.resume(db);
    return this.read(db);
  }

  async read(db?: Queryable): Promise<OrderSwitchView> {
    const pause = await this.rows.findPause(db);
    return { paused: pause !== null, since: pause?.since ?? null, reason: pause?.reason ?? null };
  }
}
