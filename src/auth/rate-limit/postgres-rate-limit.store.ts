import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock';
import { Sql, type Statement } from '../../database/sql';
import { type RateLimit, RateLimitStore, type Verdict } from './rate-limit.store';

/** One statement decides and counts, so that instances cannot both take the last call. No row: the window is full. */
const TAKE: Statement = {
  name: 'rate-limit-take',
  text: `insert into rate_limit_windows as w (key, calls, ends_at)
         values ($1, 1, clock_timestamp() + $2 * interval '1 millisecond')
         on conflict (key) do update
            set calls = case when w.calls = 0 or w.ends_at <= clock_timestamp() then 1 else w.calls + 1 end,
                ends_at = case when w.calls = 0 or w.ends_at <= clock_timestamp() then excluded.ends_at else w.ends_at end
          where w.calls < $3 or w.ends_at <= clock_timestamp()
      returning calls, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as reset_ms`,
};
const READ_FULL: Statement = {
  name: 'rate-limit-read-full',
  text: `select extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as reset_ms
           from rate_limit_windows where key = $1`,
};
const GIVE_BACK: Statement = {
  name: 'rate-limit-give-back',
  text: `update rate_limit_windows set calls = calls - 1 where key = $1 and calls > 0`,
};
const SWEEP: Statement = {
  name: 'rate-limit-sweep',
  text: `delete from rate_limit_windows where ends_at < now() - interval '1 minute'`,
};
const SWEEP_EVERY_MS = 60_000;

/** For several instances; the database's clock decides. */
@Injectable()
export class PostgresRateLimitStore extends RateLimitStore {
  private readonly logger = new Logger(PostgresRateLimitStore.name);
  private sweptAtMs: number;

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {
    super();
    this.sweptAtMs = clock.monotonicMs();
  }

  override async take(limit: RateLimit, subject: string): Promise<Verdict> {
    this.sweepNowAndThen();
    const key = keyOf(limit, subject);
    const taken = await this.sql.row<{ calls: number; reset_ms: number }>(TAKE, [key, limit.windowMs, limit.calls]);
    if (taken) return { allowed: true, remaining: limit.calls - taken.calls, resetMs: taken.reset_ms };
    const full = await this.sql.row<{ reset_ms: number }>(READ_FULL, [key]);
    return { allowed: false, remaining: 0, resetMs: Math.max(0, full?.reset_ms ?? 0) };
  }

  override async giveBack(limit: RateLimit, subject: string): Promise<void> {
    await this.sql.execute(GIVE_BACK, [keyOf(limit, subject)]);
  }

  private sweepNowAndThen(): void {
    if (this.clock.monotonicMs() - this.sweptAtMs < SWEEP_EVERY_MS) return;
    this.sweptAtMs = this.clock.monotonicMs();
    this.sql.execute(SWEEP).catch((error: unknown) => this.logger.warn({ err: error }, 'Old windows were not removed'));
  }
}

function keyOf({ name }: RateLimit, subject: string): string {
  return `${name} ${subject}`;
}
