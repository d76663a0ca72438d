import { Migration } from '@mikro-orm/migrations';

const TABLES = `
  create table findings (
    id bigserial primary key,
    kind text not null,
    subject text not null,
    reason text not null,
    next_step text not null,
    action text null,
    first_seen_at timestamptz(6) not null default now(),
    last_seen_at timestamptz(6) not null default now(),
    resolved_at timestamptz(6) null
  );
  create index findings_page on findings (first_seen_at, id);
  create unique index findings_one_open_per_subject on findings (kind, subject) where resolved_at is null;

  create table order_switch (
    id int not null,
    paused_at timestamptz(6) null,
    reason text null,
    primary key (id)
  );
  alter table order_switch add constraint order_switch_single_row check (id = 1);

  create table job_runs (
    name text not null,
    ran_at timestamptz(6) not null,
    primary key (name)
  );
`;

export class FindingsAndOrderSwitch extends Migration {
  override name = '0004-findings-and-order-switch';

  override up(): void {
    this.addSql(TABLES);
  }
}
