import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../database/sql';
import { SwitchRepository } from './switch.repository';
import type { SwitchName } from './switch.sql';

export interface SwitchView {
  readonly paused: boolean;
  readonly since: string | null;
  readonly reason: string | null;
}

/**
 * One switch for all new orders and one for all reclaims, on every instance. While orders are paused they are answered with PAUSED;
 * while reclaims are, none is signed. Everything else goes on.
 */
@Injectable()
export class Switches {
  constructor(private readonly rows: SwitchRepository) {}

  async pause(name: SwitchName, reason: string | null, db?: Queryable): Promise<SwitchView> {
    await this.rows.pause(name, reason, db);
    return this.read(name, db);
  }

  async resume(name: SwitchName, db?: Queryable): Promise<SwitchView> {
    await this.rows.resume(name, db);
    return this.read(name, db);
  }

  async read(name: SwitchName, db?: Queryable): Promise<SwitchView> {
    const pause = await this.rows.findPause(name, db);
    return { paused: pause !== null, since: pause?.since ?? null, reason: pause?.reason ?? null };
  }
}
