import { OneByOne } from './one-by-one';

/** What became of a day's orders, by customer and payer, once nothing about them can change any more. */
const TABLES = `
  create table if not exists closed_order_days (
    day date primary key,
    closed_at timestamptz(6) not null default now()
  );
  create table if not exists order_days (
    id bigserial primary key,
    day date not null,
    user_id uuid not null,
    paid_by text not null,
    orders bigint not null,
    succeeded bigint not null,
    failed bigint not null,
    charged_sun bigint not null,
    energy bigint not null,
    landed bigint not null,
    activations bigint not null,
    activated_sun bigint not null,
    constraint order_days_day_user_payer unique (day, user_id, paid_by),
    constraint order_days_paid_by_check check (paid_by in ('subscription', 'balance')),
    constraint order_days_user_id_foreign foreign key (user_id) references users (id) on delete restrict
  );
  create index if not exists order_days_user on order_days (user_id, day)`;

/** The day's orders in numbers, and indexes that find a range of dates in the ledger and in the audit log. */
export class OrderDays extends OneByOne {
  override name = '0037-order-days';

  override async up(): Promise<void> {
    this.addSql(TABLES);
    await this.createIndex('ledger_entries_user_at', 'on ledger_entries (user_id, at)');
    await this.createIndex('audit_log_at', 'on audit_log (at)');
  }
}
