import { Injectable } from '@nestjs/common';
import { claimTurn } from '../database/claim-turn.sql';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

/** The instance that asks first when it is due does it. The very first asking only starts the time. */
const CLAIM = statement<[everyMs: number], { due: boolean; claim: string }>(
  'reconcile_claim',
  `${claimTurn('reconcile', '$1')} returning xmax <> 0 as due, ran_at::text as claim`,
);

/** Not another's claim, which was made since when a run took longer than the time between two. */
const GIVE_BACK = statement<[everyMs: number, claim: string, inMs: number]>(
  'reconcile_give_back',
  `update job_runs set ran_at = clock_timestamp() - ($1::float8 - $3::float8) * interval '1 millisecond'
    where name = 'reconcile' and ran_at = $2::timestamptz`,
);

/** A look at every row takes minutes, or longer, and renews its claim with each batch; a claim that is older is of an instance that is gone. */
const WHOLE_MS = 900_000;
const CLAIM_WHOLE = statement<[], { claim: string }>(
  'reconcile_claim_whole',
  `${claimTurn('reconcile-whole', String(WHOLE_MS))} returning ran_at::text as claim`,
);
const RENEW_WHOLE = statement<[claim: string], { claim: string }>(
  'reconcile_renew_whole',
  `update job_runs set ran_at = clock_timestamp() where name = 'reconcile-whole' and ran_at = $1::timestamptz
   returning ran_at::text as claim`,
);
const END_WHOLE = statement<[claim: string, inMs: number]>(
  'reconcile_end_whole',
  `update job_runs set ran_at = clock_timestamp() - (${WHOLE_MS} - $2::float8) * interval '1 millisecond'
    where name = 'reconcile-whole' and ran_at = $1::timestamptz`,
);

/** The right to look at every row, which one instance does for all. */
export class WholeClaim {
  constructor(
    private readonly sql: Sql,
    private claim: string,
  ) {}

  /** Another instance's is left alone, which took this one for gone. */
  async renew(): Promise<void> {
    this.claim = (await this.sql.row(RENEW_WHOLE, [this.claim]))?.claim ?? this.claim;
  }

  /** Free again after so long. */
  async end(inMs: number): Promise<void> {
    await this.sql.execute(END_WHOLE, [this.claim, inMs]);
  }
}

/** When the reconciliation, which one instance does for all, was last begun. */
@Injectable()
export class JobRunRepository {
  constructor(private readonly sql: Sql) {}

  /** A claim when a run is due, which is then the caller's; null when none is. */
  async claim(everyMs: number): Promise<string | null> {
    const row = await this.sql.row(CLAIM, [everyMs]);
    return row?.due ? row.claim : null;
  }

  /** Due again after so long, for whichever instance asks first. */
  async giveBack(everyMs: number, claim: string, inMs: number): Promise<void> {
    await this.sql.execute(GIVE_BACK, [everyMs, claim, inMs]);
  }

  /** Null while another instance looks at every row. */
  async claimWhole(): Promise<WholeClaim | null> {
    const row = await this.sql.row(CLAIM_WHOLE);
    return row && new WholeClaim(this.sql, row.claim);
  }
}
