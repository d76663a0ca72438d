import { Migration } from '@mikro-orm/migrations';

const TABLES = `
  create table notice_marks (
    kind text not null,
    thing text not null,
    begun_at timestamptz(6) not null,
    noticed_at timestamptz(6) not null,
    seen_at timestamptz(6) not null,
    noticed_by uuid not null,
    reminds boolean not null,
    primary key (kind, thing)
  );
  create index notice_marks_seen_at on notice_marks (seen_at);

  create table notice_deliveries (
    id uuid not null,
    channel text not null,
    user_id uuid null,
    items jsonb not null,
    state text not null default 'pending',
    attempts int not null default 0,
    error text null,
    next_at timestamptz(6) null,
    epoch int not null default 0,
    claimed_until timestamptz(6) null,
    created_at timestamptz(6) not null default clock_timestamp(),
    primary key (id)
  );
  create index notice_deliveries_pending on notice_deliveries (next_at) where state = 'pending';
  create index notice_deliveries_created_at on notice_deliveries (created_at);
  create index notice_deliveries_user on notice_deliveries (user_id) where user_id is not null;
  alter table notice_deliveries add constraint notice_deliveries_channel_check
    check (channel in ('email', 'telegram', 'webhook', 'customers'));
  alter table notice_deliveries add constraint notice_deliveries_state_check check (state in ('pending', 'sent', 'failed'));
  alter table notice_deliveries add constraint notice_deliveries_next check ((state = 'pending') = (next_at is not null));
  alter table notice_deliveries add constraint notice_deliveries_recipient check ((channel = 'customers') = (user_id is not null));
  alter table notice_deliveries add constraint notice_deliveries_user_id_foreign
    foreign key (user_id) references users (id) on delete restrict;

  create table notice_choices (
    channel text not null,
    kinds text[] not null,
    primary key (channel)
  );
  alter table notice_choices add constraint notice_choices_channel_check
    check (channel in ('email', 'telegram', 'webhook', 'customers'));
`;

/** What operators and customers are told of, and by which way. */
export class Notices extends Migration {
  override name = '0039-notices';

  override up(): void {
    this.addSql(TABLES);
  }
}
