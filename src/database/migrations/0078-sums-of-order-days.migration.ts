import { Migration } from '@mikro-orm/migrations';

const COUNTS = ['orders', 'succeeded', 'failed', 'charged_sun', 'energy', 'landed', 'activations', 'activated_sun'];
const COUNT_LIST = COUNTS.join(', ');
const COLUMNS = COUNTS.map((count) => `${count} bigint not null`).join(', ');

/** The same numbers as in `order_days`, summed up by month for each customer, and by day for all customers. */
const TABLES = `
  create table order_months (
    id bigserial primary key, month date not null, user_id uuid not null, paid_by text not null, ${COLUMNS},
    constraint order_months_month_user_payer unique (month, user_id, paid_by),
    constraint order_months_paid_by_check check (paid_by in ('subscription', 'balance')),
    constraint order_months_user_id_foreign foreign key (user_id) references users (id) on delete restrict
  );
  create table order_day_totals (
    id bigserial primary key, day date not null, paid_by text not null, ${COLUMNS},
    constraint order_day_totals_day_payer unique (day, paid_by),
    constraint order_day_totals_paid_by_check check (paid_by in ('subscription', 'balance'))
  );
`;

const MONTH = `date_trunc('month', day::timestamp)::date`;
const SUMS = COUNTS.map((count) => `sum(${count})`).join(', ');
const added = (table: string) => COUNTS.map((count) => `${count} = ${table}.${count} + excluded.${count}`).join(', ');

/** Adds rows of `order_days`; in the order of the keys, so that two of these never wait for each other in turns. */
const add = (rows: string) => `
  insert into order_months (month, user_id, paid_by, ${COUNT_LIST})
  select ${MONTH}, user_id, paid_by, ${SUMS} from ${rows} group by 1, 2, 3 order by 1, 2, 3
  on conflict (month, user_id, paid_by) do update set ${added('order_months')};
  insert into order_day_totals (day, paid_by, ${COUNT_LIST})
  select day, paid_by, ${SUMS} from ${rows} group by 1, 2 order by 1, 2
  on conflict (day, paid_by) do update set ${added('order_day_totals')};
`;

const LESS = COUNTS.map((count) => `-${count} as ${count}`).join(', ');
const CHANGED = `(
    select day, user_id, paid_by, ${COUNT_LIST} from come
    union all select day, user_id, paid_by, ${LESS} from gone) changed`;
const LOST = `(select day, user_id, paid_by, ${LESS} from gone) lost`;

const FUNCTION = `
  create function sum_order_days() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then
      ${add('come')}
    elsif tg_op = 'UPDATE' then
      ${add(CHANGED)}
    else
      ${add(LOST)}
    end if;
    return null;
  end $$;
`;

const TRIGGERS = [
  ['insert', 'referencing new table as come'],
  ['update', 'referencing old table as gone new table as come'],
  ['delete', 'referencing old table as gone'],
]
  .map(
    ([event, tables]) => `
  create trigger order_days_summed_at_${event} after ${event} on order_days ${tables}
    for each statement execute function sum_order_days();`,
  )
  .join('');

/**
 * A year of business is asked for by a page, and had a row for each customer and day. Kept by triggers, so that a version before this
 * one keeps them too: it closes days beside it. Whoever does so meanwhile waits until all of them are summed up.
 */
export class SumsOfOrderDays extends Migration {
  override name = '0078-sums-of-order-days';

  override up(): void {
    this.addSql(TABLES);
    this.addSql('lock table order_days in share row exclusive mode');
    this.addSql(FUNCTION);
    this.addSql(TRIGGERS);
    this.addSql(add('order_days'));
  }
}
