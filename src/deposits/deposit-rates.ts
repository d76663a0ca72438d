import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { NodeUnavailableError } from '../chain/tron/node/node-errors';
import { ReferenceBlocks } from '../chain/verified-chain/reference-blocks';
import { DomainError } from '../common/errors/domain.error';
import { DEPOSIT_RATE_LOCK } from '../database/advisory-locks';
import { IS_PAUSED_AT_MOST, IS_THIS_DATABASE } from '../database/identity/database-identity.sql';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';
import { utcMicroseconds } from '../database/utc-timestamp';
import { lacksNone } from './deposit-addresses';

export interface Rate {
  /** Null: USDT counts nothing. */
  readonly sunPerUsdt: bigint | null;
  readonly sinceMs: number;
  /** ISO 8601 */
  readonly since: string;
}

const COLUMNS = `sun_per_usdt as "sunPerUsdt", (extract(epoch from since) * 1000)::float8 as "sinceMs", ${utcMicroseconds('since')} as since`;

/** SQL: no later rate is known to be lost with the rows of a restore or a promotion. */
const IS_WHOLE = `exists (select from database_identity i where ${IS_THIS_DATABASE('i')} and ${IS_PAUSED_AT_MOST('i')})`;

/** None while rows may be missing: a later rate may be among them. */
const AT = statement<[atMs: number, rememberedNumber: number], Rate>(
  'deposit_rate_at',
  `select ${COLUMNS} from deposit_rates where ${lacksNone('$2', IS_PAUSED_AT_MOST)} and since <= to_timestamp($1::float8 / 1000) order by since desc, id desc limit 1`,
);
const NEWEST = statement<[], Rate>(
  'deposit_rate_newest',
  `select ${COLUMNS} from deposit_rates order by since desc, id desc limit 1`,
);
/** The newest, unless it is too old by either of two clocks: one of them alone may stand, or be behind. */
const NOW = statement<[finalTimeMs: number | null, mostMs: number], Rate>(
  'deposit_rate_now',
  `select ${COLUMNS} from (select since, sun_per_usdt from deposit_rates order by since desc, id desc limit 1) newest
    where ${IS_WHOLE} and greatest(clock_timestamp(), to_timestamp($1::float8 / 1000)) - since <= $2::float8 * interval '1 millisecond'`,
);
/**
 * Not before a block that is decided already, nor before another rate, which would stay in force. Nothing while rows may be missing: the
 * comparison that begins then ends what is in force (`DatabaseIdentity`), and would end this rate with it.
 */
const SET = statement<[sunPerUsdt: bigint | null, finalTimeMs: number | null], Rate>(
  'deposit_rate_set',
  `insert into deposit_rates (sun_per_usdt, since)
   select $1::bigint, greatest(clock_timestamp(), to_timestamp($2::float8 / 1000), (select max(since) from deposit_rates))
    where $1::bigint is null or ${IS_WHOLE}
   returning ${COLUMNS}`,
);

/** From here to the end of the transaction no other one that holds it sets a rate. */
const HOLD = statement('deposit_rate_hold', `select pg_advisory_xact_lock(${DEPOSIT_RATE_LOCK})`);

/** What a USDT counts, as operators have set it: each rate from a moment on. */
@Injectable()
export class DepositRates {
  constructor(
    private readonly sql: Sql,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly blocks: ReferenceBlocks,
  ) {}

  newest(db: Queryable = this.sql): Promise<Rate | null> {
    return db.row(NEWEST);
  }

  /** The newest; no other is set before the transaction has ended. */
  async newestHeld(tx: SqlTransaction): Promise<Rate | null> {
    await tx.execute(HOLD);
    return this.newest(tx);
  }

  /** @param finalTimeMs as `finalTimeMs` says before the transaction, which must not wait for nodes @throws DomainError while rows may be missing */
  async set(sunPerUsdt: bigint | null, finalTimeMs: number | null, tx: SqlTransaction): Promise<Rate> {
    const rate = await tx.row(SET, [sunPerUsdt, finalTimeMs]);
    if (!rate) throw new DomainError('deposit.rates-doubted');
    return rate;
  }

  /** The newest final block's; null where no node answers: a rate can be set then too. */
  async finalTimeMs(): Promise<number | null> {
    try {
      return await this.blocks.finalTimeMs();
    } catch (error) {
      if (!(error instanceof NodeUnavailableError)) throw error;
      return null;
    }
  }

  /**
   * Sun for a USDT in a block of this time; null when no rate was in force, or one that was too old.
   * @throws Error while this process does not know yet whether rows are missing: a payment that is decided without a rate would wait for
   * an operator
   */
  async sunAt(timeMs: number, db: Queryable = this.sql): Promise<bigint | null> {
    const rememberedNumber = this.blocks.rememberedNumber();
    if (rememberedNumber === null)
      throw new Error('it is not known yet whether rows are missing: the block is given again');
    const rate = await db.row(AT, [timeMs, rememberedNumber]);
    const mostMs = this.configuration.deposits?.rateMaxAgeMs ?? 0;
    return rate && timeMs - rate.sinceMs <= mostMs ? rate.sunPerUsdt : null;
  }

  /** As `sunAt`, of this moment. */
  async sunNow(db: Queryable = this.sql): Promise<bigint | null> {
    const mostMs = this.configuration.deposits?.rateMaxAgeMs ?? 0;
    return (await db.row(NOW, [this.blocks.lastFinal()?.timeMs ?? null, mostMs]))?.sunPerUsdt ?? null;
  }
}
