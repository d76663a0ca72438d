import { Migration } from '@mikro-orm/migrations';

const TABLES = `
  create table webhooks (
    id uuid not null,
    user_id uuid not null,
    url text not null,
    events text[] null,
    state text not null default 'active',
    disabled_reason text null,
    disabled_at timestamptz(6) null,
    secret text not null,
    previous_secrets jsonb null,
    failing_since timestamptz(6) null,
    created_at timestamptz(6) not null default now(),
    primary key (id)
  );
  create index webhooks_user on webhooks (user_id, created_at);
  create index webhooks_failing on webhooks (failing_since) where state = 'active' and failing_since is not null;
  create index webhooks_removed on webhooks (id) where state = 'removed';
  alter table webhooks add constraint webhooks_state_check check (state in ('active', 'disabled', 'removed'));
  alter table webhooks add constraint webhooks_disabled_reason_check check (disabled_reason in ('asked', 'gone', 'failing'));
  alter table webhooks add constraint webhooks_reason_of_disabled check ((state = 'disabled') = (disabled_reason is not null));
  alter table webhooks add constraint webhooks_lengths check (length(url) <= 2048 and length(secret) <= 1000);
  alter table webhooks add constraint webhooks_user_id_foreign foreign key (user_id) references users (id) on delete restrict;

  create table webhook_deliveries (
    id uuid not null,
    webhook_id uuid not null,
    event text not null,
    body text not null,
    state text not null default 'pending',
    attempts int not null default 0,
    step int not null default 0,
    status int null,
    reason text null,
    took_ms int null,
    attempted_at timestamptz(6) null,
    next_at timestamptz(6) null,
    epoch int not null default 0,
    claimed_until timestamptz(6) null,
    created_at timestamptz(6) not null default clock_timestamp(),
    primary key (id)
  );
  create index webhook_deliveries_pending on webhook_deliveries (webhook_id, next_at) where state = 'pending';
  create index webhook_deliveries_page on webhook_deliveries (webhook_id, created_at, id);
  create index webhook_deliveries_age on webhook_deliveries (created_at);
  alter table webhook_deliveries add constraint webhook_deliveries_event_check check (event in
    ('delegation.included', 'delegation.delegated', 'delegation.failed', 'delegation.reclaimed', 'balance.low', 'webhook.test'));
  alter table webhook_deliveries add constraint webhook_deliveries_state_check check (state in ('pending', 'delivered', 'failed'));
  alter table webhook_deliveries add constraint webhook_deliveries_reason_check check (reason in ('timeout', 'unreachable', 'not_allowed'));
  alter table webhook_deliveries add constraint webhook_deliveries_next check ((state = 'pending') = (next_at is not null));
  alter table webhook_deliveries add constraint webhook_deliveries_body check (length(body) <= 16384);
  alter table webhook_deliveries add constraint webhook_deliveries_webhook_id_foreign
    foreign key (webhook_id) references webhooks (id) on delete restrict;

  alter table accounts add column low_balance_sun bigint null;
  alter table accounts add column low_since timestamptz(6) null;
  alter table accounts add constraint accounts_low_balance_not_negative check (low_balance_sun >= 0);
`;

/**
 * What can be spent changes in many statements, most of them on an order's way. The trigger is in each of their transactions, and
 * costs nothing where no threshold is set. Low begins below the threshold and ends above it: exactly on it, nothing changes.
 */
const LOW_BALANCE = `
  create function note_low_balance() returns trigger language plpgsql as $$
  declare
    available_sun bigint := new.balance_sun - new.held_sun;
  begin
    if new.low_balance_sun is null or available_sun > new.low_balance_sun then
      new.low_since := null;
    elsif available_sun < new.low_balance_sun and new.low_since is null then
      new.low_since := clock_timestamp();
      insert into webhook_deliveries (id, webhook_id, event, body, next_at)
      select gen_random_uuid(), w.id, 'balance.low',
             json_build_object(
               'type', 'balance.low',
               'timestamp', to_char(new.low_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
               'data', json_build_object(
                 'available', trim_scale(available_sun * 0.000001),
                 'threshold', trim_scale(new.low_balance_sun * 0.000001)
               )
             )::text,
             new.low_since
        from webhooks w
       where w.user_id = new.user_id and w.state = 'active' and (w.events is null or 'balance.low' = any(w.events));
    end if;
    return new;
  end $$;

  create trigger accounts_low_balance before update of balance_sun, held_sun, low_balance_sun on accounts
    for each row when (new.low_balance_sun is not null or old.low_balance_sun is not null)
    execute function note_low_balance();
`;

export class Webhooks extends Migration {
  override name = '0030-webhooks';

  override up(): void {
    this.addSql(TABLES);
    this.addSql(LOW_BALANCE);
  }
}
