import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

/** By the database's clock, for all instances together. A turn in the future was noted while that clock was ahead. */
const CLAIM = statement<[everyMs: number], { name: string }>(
  'stake_care_claim_turn',
  `insert into job_runs (name, ran_at) values ('stake-care', clock_timestamp())
   on conflict (name) do update set ran_at = excluded.ran_at
     where job_runs.ran_at < excluded.ran_at - $1 * interval '1 millisecond'
        or job_runs.ran_at > excluded.ran_at + interval '1 minute'
   returning name`,
);

/** Which instance looks after all stakes now. */
@Injectable()
export class CareTurns {
  constructor(private readonly sql: Sql) {}

  /** True: for so long, no other instance does. */
  async claim(everyMs: number): Promise<boolean> {
    return (await this.sql.row(CLAIM, [everyMs])) !== null;
  }
}
