import { Migration } from '@mikro-orm/migrations';

const COLUMNS = `
  alter table webhook_deliveries add column limited boolean not null default false;
  alter table accounts add column low_told_at timestamptz(6) null;
`;

/**
 * Users set their own threshold, and each time it passes what can be spent an event would leave for each of their webhooks. So an
 * account has one event in ten minutes: one that comes earlier waits for the end of them, and those that come while it waits are
 * covered by it. A time further ahead than that was written while the database's clock was ahead.
 */
const LOW_BALANCE = `
  create or replace function note_low_balance() returns trigger language plpgsql as $$
  declare
    available_sun bigint := new.balance_sun - new.held_sun;
    pause interval := interval '10 minutes';
    at timestamptz := clock_timestamp();
    tell_at timestamptz := at;
  begin
    if new.low_balance_sun is null or available_sun > new.low_balance_sun then
      new.low_since := null;
    elsif available_sun < new.low_balance_sun and new.low_since is null then
      new.low_since := at;
      if new.low_told_at > at and new.low_told_at <= at + pause then
        return new;
      elsif new.low_told_at > at - pause and new.low_told_at <= at then
        tell_at := new.low_told_at + pause;
      end if;
      insert into webhook_deliveries (id, webhook_id, event, body, next_at, limited)
      select gen_random_uuid(), w.id, 'balance.low',
             json_build_object(
               'type', 'balance.low',
               'timestamp', to_char(new.low_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
               'data', json_build_object(
                 'available', trim_scale(available_sun * 0.000001),
                 'threshold', trim_scale(new.low_balance_sun * 0.000001)
               )
             )::text,
             tell_at, true
        from webhooks w
       where w.user_id = new.user_id and w.state = 'active' and (w.events is null or 'balance.low' = any(w.events));
      if found then
        new.low_told_at := tell_at;
      end if;
    end if;
    return new;
  end $$;
`;

/** `balance.low` leaves an account once in ten minutes; of what is no order's own event, deliveries are marked as limited. */
export class AttemptsOfAccounts extends Migration {
  override name = '0064-attempts-of-accounts';

  override up(): void {
    this.addSql(COLUMNS);
    this.addSql(LOW_BALANCE);
  }
}
