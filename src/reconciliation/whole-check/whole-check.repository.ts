import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import type { CheckOutcome } from '../reconciliation.entities';

/** What a check has looked at, by kind of row, and what came of it. */
export interface CheckResult {
  readonly checked: Readonly<Record<string, number>>;
  readonly found: number;
  readonly corrected: number;
  readonly paused: readonly string[];
  readonly resumed: readonly string[];
}

export interface WholeCheckView {
  /** The e-mail address; null: the command line. */
  readonly asked_by: string | null;
  readonly begun_at: Date;
  readonly ended_at: Date | null;
  /** Neither this nor `outcome`: its instance is gone, and it came to nothing. */
  readonly under_way: boolean;
  readonly outcome: CheckOutcome | null;
  readonly result: CheckResult | null;
}

const LEASE_MS = 60_000;
/** How often a check that goes on renews its claim. */
export const RENEWAL_MS = LEASE_MS / 4;

const UNTIL = `clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'`;

/**
 * A claim that reaches further ahead than any lease does is from before the clock was set back; the minute is for one that another
 * instance has made while this one waited for the row.
 */
const CLAIM = statement<[askedBy: string | null], { run: bigint }>(
  'whole_check_claim',
  `insert into whole_check as c (id, run, asked_by_id, begun_at, claimed_until)
         values (1, 1, $1, clock_timestamp(), ${UNTIL})
         on conflict (id) do update
           set run = c.run + 1, asked_by_id = excluded.asked_by_id, begun_at = excluded.begun_at,
               claimed_until = excluded.claimed_until, ended_at = null, outcome = null, result = null
         where c.ended_at is not null or c.claimed_until not between excluded.begun_at and excluded.claimed_until + interval '1 minute'
         returning run`,
);
const RENEW = statement<[run: bigint]>(
  'whole_check_renew',
  `update whole_check set claimed_until = ${UNTIL} where run = $1 and ended_at is null`,
);
const END = statement<[run: bigint, outcome: CheckOutcome, result: string | null]>(
  'whole_check_end',
  `update whole_check set ended_at = clock_timestamp(), outcome = $2, result = $3::jsonb
          where run = $1 and ended_at is null`,
);
const READ = statement<[], WholeCheckView>(
  'whole_check_read',
  `select u.email as asked_by, c.begun_at, c.ended_at, c.outcome, c.result,
                c.ended_at is null and c.claimed_until between clock_timestamp() and ${UNTIL} as under_way
           from whole_check c left join users u on u.id = c.asked_by_id`,
);

/** One check of everything at a time, whichever instance carries it out. */
@Injectable()
export class WholeCheckRepository {
  constructor(private readonly sql: Sql) {}

  /** Null while another one is under way. */
  async claim(askedBy: string | null): Promise<bigint | null> {
    return (await this.sql.row(CLAIM, [askedBy]))?.run ?? null;
  }

  async renew(run: bigint): Promise<void> {
    await this.sql.execute(RENEW, [run]);
  }

  async end(run: bigint, outcome: CheckOutcome, result: CheckResult | null): Promise<void> {
    await this.sql.execute(END, [run, outcome, result && JSON.stringify(result)]);
  }

  /** Null before the first. */
  read(): Promise<WholeCheckView | null> {
    return this.sql.row(READ);
  }
}
