import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import type { SweepState } from './sweep-states';
import { LIST, STATES_AMONG, type SweepView } from './sweep.statements';

/** Sweeps as they are shown. */
@Injectable()
export class Sweeps {
  constructor(private readonly sql: Sql) {}

  /** The newest plan first. */
  list(limit: number | null): Promise<SweepView[]> {
    return this.sql.rows(LIST, [limit]);
  }

  /** How many of these are in which state. */
  async states(ids: readonly string[]): Promise<Partial<Record<SweepState, number>>> {
    const rows = await this.sql.rows(STATES_AMONG, [ids]);
    return Object.fromEntries(rows.map(({ state, sweeps }) => [state, sweeps]));
  }
}
