import { OneByOne } from './one-by-one';

/** What webhooks are sent, once for all of a user's; a delivery of before has its own. */
const TABLE = [
  `create table if not exists webhook_events (
     id bigserial primary key,
     body text not null,
     created_at timestamptz(6) not null default clock_timestamp()
   )`,
  'create index if not exists webhook_events_age on webhook_events (created_at)',
  'alter table webhook_deliveries add column if not exists event_id bigint null',
  'alter table webhook_deliveries alter column body drop not null',
];

const LINKED = [
  'alter table webhook_deliveries drop constraint if exists webhook_deliveries_one_body',
  `alter table webhook_deliveries add constraint webhook_deliveries_one_body
     check ((body is null) = (event_id is not null)) not valid`,
  'alter table webhook_deliveries validate constraint webhook_deliveries_one_body',
  'alter table webhook_deliveries drop constraint if exists webhook_deliveries_event_id_foreign',
  `alter table webhook_deliveries add constraint webhook_deliveries_event_id_foreign
     foreign key (event_id) references webhook_events (id) on delete restrict not valid`,
  'alter table webhook_deliveries validate constraint webhook_deliveries_event_id_foreign',
];

/** As of migration 0064, with the body of the event once. */
const LOW_BALANCE = `
  create or replace function note_low_balance() returns trigger language plpgsql as $$
  declare
    available_sun bigint := new.balance_sun - new.held_sun;
    pause interval := interval '10 minutes';
    at timestamptz := clock_timestamp();
    tell_at timestamptz := at;
    event bigint;
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
      insert into webhook_events (body)
      select json_build_object(
               'type', 'balance.low',
               'timestamp', to_char(new.low_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
               'data', json_build_object(
                 'available', trim_scale(available_sun * 0.000001),
                 'threshold', trim_scale(new.low_balance_sun * 0.000001)
               )
             )::text
       where exists (select from webhooks w where w.user_id = new.user_id and w.state = 'active'
                                              and (w.events is null or 'balance.low' = any(w.events)))
      returning id into event;
      if event is not null then
        insert into webhook_deliveries (id, webhook_id, event, event_id, next_at, limited)
        select gen_random_uuid(), w.id, 'balance.low', event, tell_at, true
          from webhooks w
         where w.user_id = new.user_id and w.state = 'active' and (w.events is null or 'balance.low' = any(w.events));
        new.low_told_at := tell_at;
      end if;
    end if;
    return new;
  end $$`;

export class OneBodyAnEvent extends OneByOne {
  override name = '0077-one-body-an-event';

  override async up(): Promise<void> {
    for (const statement of TABLE) this.addSql(statement);
    await this.createIndex('webhook_deliveries_event', 'on webhook_deliveries (event_id) where event_id is not null');
    for (const statement of LINKED) this.addSql(statement);
    this.addSql(LOW_BALANCE);
  }
}
