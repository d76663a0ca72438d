import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { Clock } from '../common/clock';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';

export interface Rate {
  /** Null: USDT counts nothing. */
  readonly sunPerUsdt: bigint | null;
  readonly sinceMs: number;
  /** ISO 8601 */
  readonly since: string;
}

const COLUMNS = `sun_per_usdt as "sunPerUsdt", (extract(epoch from since) * 1000)::float8 as "sinceMs", ${utcMicroseconds('since')} as since`;

const AT = statement<[atMs: number], Rate>(
  'deposit_rate_at',
  `select ${COLUMNS} from deposit_rates where since <= to_timestamp($1::float8 / 1000) order by since desc, id desc limit 1`,
);
const NEWEST = statement<[], Rate>(
  'deposit_rate_newest',
  `select ${COLUMNS} from deposit_rates order by since desc, id desc limit 1`,
);
const SET = statement<[sunPerUsdt: bigint | null], Rate>(
  'deposit_rate_set',
  `insert into deposit_rates (sun_per_usdt) values ($1) returning ${COLUMNS}`,
);

/** What a USDT counts, as operators have set it: each rate from a moment on. */
@Injectable()
export class DepositRates {
  constructor(
    private readonly sql: Sql,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly clock: Clock,
  ) {}

  newest(db: Queryable = this.sql): Promise<Rate | null> {
    return db.row(NEWEST);
  }

  set(sunPerUsdt: bigint | null, tx: SqlTransaction): Promise<Rate> {
    return tx.row(SET, [sunPerUsdt]) as Promise<Rate>;
  }

  /** Sun for a USDT in a block of this time; null when no rate was in force, or one that was too old. */
  async sunAt(timeMs: number, db: Queryable = this.sql): Promise<bigint | null> {
    const rate = await db.row(AT, [timeMs]);
    const mostMs = this.configuration.deposits?.rateMaxAgeMs ?? 0;
    return rate && timeMs - rate.sinceMs <= mostMs ? rate.sunPerUsdt : null;
  }

  /** As `sunAt`, of this moment. */
  sunNow(db: Queryable = this.sql): Promise<bigint | null> {
    return this.sunAt(this.clock.now().getTime(), db);
  }
}
