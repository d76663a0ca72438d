import { OneByOne } from './one-by-one';

const LIMITS = `
  alter table api_tokens
    add column if not exists daily_limit_sun bigint null,
    add column if not exists max_cost_sun bigint null,
    add column if not exists receivers text[] null,
    add column if not exists ips text[] null,
    drop constraint if exists api_tokens_limits_not_negative,
    add constraint api_tokens_limits_not_negative check (daily_limit_sun >= 0 and max_cost_sun >= 0)`;

/** Made with a token's first order of a day. */
const DAYS = `
  create table if not exists token_days (
    id bigserial primary key,
    token_id uuid not null,
    day date not null,
    used_sun bigint not null,
    constraint token_days_used_not_negative check (used_sun >= 0),
    constraint token_days_token_day unique (token_id, day),
    constraint token_days_token_id_foreign foreign key (token_id) references api_tokens (id) on delete restrict
  )`;

/** Holds of before, and those of an older version beside this one, count on no token's day. */
const COUNTS = ['archived_holds', 'holds'].map(
  (table) => `
  alter table ${table}
    add column if not exists token_day_id bigint null,
    add column if not exists counted_sun bigint null,
    add column if not exists max_cost_sun bigint null`,
);

const COLUMNS = `delegation_id, user_id, amount_sun, subscription_id, quota_energy, state, created_at, settled_at, token_day_id,
    counted_sun, max_cost_sun`;
const BOTH_PLACES = `
  create or replace view all_holds as
    select ${COLUMNS} from holds union all select ${COLUMNS} from archived_holds`;

/** What a token may spend, on what and from where, and what it has spent each day. */
export class TokenLimits extends OneByOne {
  override name = '0033-token-limits';

  override async up(): Promise<void> {
    for (const statement of [LIMITS, DAYS, ...COUNTS, BOTH_PLACES]) this.addSql(statement);
    await this.createIndex('holds_token_day', 'on holds (token_day_id) where token_day_id is not null');
    await this.createIndex(
      'archived_holds_token_day',
      'on archived_holds (token_day_id) where token_day_id is not null',
    );
  }
}
