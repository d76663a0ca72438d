import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql';
import { statement } from '../../database/statement';
import { beginOf } from './order-day.sql';
import { DAILY, RUNS_DRY, SECONDS_OF_DAILY, SPENDING } from './running-dry.sql';
import { CHARGED, lastDays, spentByAll } from './spending.sql';

export const CUSTOMER_ORDERS = ['need', 'email', 'poorest', 'richest', 'spend', 'last'] as const;
export type CustomerOrder = (typeof CUSTOMER_ORDERS)[number];

interface Figures {
  /** Charged for the orders of the last 30 UTC days, today included. */
  readonly spentSun: bigint;
  readonly lastOrderAt: Date | null;
  /** Spent a day, over the last seven. */
  readonly aDaySun: bigint;
}

interface Customer {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
  readonly disabled: boolean;
  readonly balanceSun: bigint;
  readonly heldSun: bigint;
  /** What can be spent is below the customer's own threshold. */
  readonly low: boolean;
  readonly lowBalanceSun: bigint | null;
}

interface CustomerSums {
  readonly balanceSun: bigint;
  readonly heldSun: bigint;
}

/** All that a list finds. */
export interface CustomerTotals {
  readonly users: number;
  /** Null: they are more than are counted. */
  readonly sums: CustomerSums | null;
}

export type ListedCustomer = Customer & Figures;

export interface CustomerPageQuery {
  /** What the addresses begin with; empty: all users. */
  readonly prefix: string;
  readonly order: CustomerOrder;
  /** The last user of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** Sorts behind everything that begins with what stands before it. */
const LAST = '\u{10FFFF}';
const LAST_30 = lastDays(30);

const LAST_ORDER = '(select max(d.created_at) from delegations d where d.user_id = u.id)';

/** What a list is sorted by: always the larger value first, then the id. */
const VALUES: Readonly<Record<Exclude<CustomerOrder, 'email'>, string>> = {
  // Those who run dry stand above every sum there can be, the next one first.
  need: `case when u.disabled_at is null and ${RUNS_DRY} then 1e30 - (a.balance_sun - a.held_sun) / daily.sun else coalesce(s.sun, 0) end`,
  poorest: 'a.held_sun - a.balance_sun',
  richest: 'a.balance_sun - a.held_sun',
  spend: 'coalesce(s.sun, 0)',
  last: `coalesce(${LAST_ORDER}, '-infinity')`,
};

const COLUMNS = `u.id, u.email, u.name, u.operator, u.disabled_at is not null as disabled, a.balance_sun as "balanceSun",
         a.held_sun as "heldSun", a.low_since is not null as low, a.low_balance_sun as "lowBalanceSun"`;
const FROM = 'users u join accounts a on a.user_id = u.id';
const SPENDERS = `left join (${spentByAll(LAST_30)}) s on s.user_id = u.id`;
const JOINED: Readonly<Partial<Record<CustomerOrder, string>>> = {
  need: `${SPENDERS} left join (${DAILY}) daily on daily.user_id = u.id`,
  spend: SPENDERS,
};
const OF_PREFIX = 'u.email ~>=~ $1 and u.email ~<~ $2';

/** No more than are ranked: their accounts are found by key, whatever the plan expects of the letters. */
const FOUND: Readonly<Partial<Record<CustomerOrder, string>>> = {
  need: `u.id = any(array(select f.id from users f where f.email ~>=~ $1 and f.email ~<~ $2))
           and a.user_id = any(array(select f.id from users f where f.email ~>=~ $1 and f.email ~<~ $2))`,
};

type Params = [first: string, end: string, after: string | null, limit: number];

/** In the order of bytes, which is the order of the index that a prefix is found with. */
const BY_EMAIL = statement<Params, Customer>(
  'panel_customers_by_email',
  `select ${COLUMNS} from ${FROM}
    where ${OF_PREFIX} and u.email ~>~ coalesce((select email from users where id = $3), '')
    order by u.email using ~<~ limit $4`,
);

/** Looks at every user, for a balance changes too often to be kept in order by an index. */
const ranked = (order: Exclude<CustomerOrder, 'email'>) =>
  statement<Params, Customer>(
    `panel_customers_by_${order}`,
    `with ranked as materialized (
        select u.id, ${VALUES[order]} as value from ${FROM} ${JOINED[order] ?? ''} where ${FOUND[order] ?? OF_PREFIX}
      ), page as (
        select id, value from ranked
         where $3::uuid is null or (value, id) < (select value, id from ranked where id = $3)
         order by value desc, id desc limit $4
      )
      select ${COLUMNS} from page join users u on u.id = page.id join accounts a on a.user_id = u.id
       order by page.value desc, page.id desc`,
  );

/** Each table of orders is read once for both spans of days. */
const FIGURES = statement<[ids: readonly string[]], Figures & { readonly id: string }>(
  'panel_customers_figures',
  `with late_30 as materialized (${LAST_30.late}), late_7 as materialized (${SPENDING.late})
   select u.id, ${LAST_ORDER} as "lastOrderAt",
          (closed.spent + open.spent + coalesce((select sum(sun) from late_30 l where l.user_id = u.id), 0))::bigint as "spentSun",
          ceil((closed.lately + open.lately + coalesce((select sum(sun) from late_7 l where l.user_id = u.id), 0))
               * ${SECONDS_OF_DAILY})::bigint as "aDaySun"
     from users u
    cross join lateral (
      select coalesce(sum(charged_sun), 0) as spent, coalesce(sum(charged_sun) filter (where o.day >= ${SPENDING.first}), 0) as lately
        from order_days o where o.user_id = u.id and o.day >= ${LAST_30.first}) closed
    cross join lateral (
      select coalesce(sum(d.cost_sun), 0) as spent,
             coalesce(sum(d.cost_sun) filter (where d.created_at >= ${beginOf(SPENDING.first)}), 0) as lately
        from delegations d where d.user_id = u.id and ${LAST_30.ofOpenDays} and ${CHARGED}) open
    where u.id = any($1::uuid[])`,
);

/** More are not counted, nor ranked: that would look at each of them. */
export const MOST_RANKED = 10_000;

/** In the order of the index alone, which is left after so many. */
const COUNT = statement<[first: string, end: string], { readonly users: number }>(
  'panel_customers_count',
  `select count(*)::integer as users from (
     select 1 from users u where ${OF_PREFIX} order by u.email using ~<~ limit ${MOST_RANKED + 1}) u`,
);
const SUMS = statement<[first: string, end: string], CustomerSums>(
  'panel_customers_sums',
  `select coalesce(sum(a.balance_sun), 0)::bigint as "balanceSun", coalesce(sum(a.held_sun), 0)::bigint as "heldSun"
     from accounts a where a.user_id = any(array(select u.id from users u where ${OF_PREFIX}))`,
);
const STATEMENTS = {
  need: ranked('need'),
  email: BY_EMAIL,
  poorest: ranked('poorest'),
  richest: ranked('richest'),
  spend: ranked('spend'),
  last: ranked('last'),
};

/** Users with what they spend, for operators. */
@Injectable()
export class CustomerListRepository {
  constructor(private readonly sql: Sql) {}

  async totals(prefix: string): Promise<CustomerTotals> {
    const found: [string, string] = [prefix, prefix + LAST];
    const { users } = (await this.sql.row(COUNT, found))!;
    return { users, sums: users > MOST_RANKED ? null : await this.sql.row(SUMS, found) };
  }

  async page({ prefix, order, after, limit }: CustomerPageQuery): Promise<ListedCustomer[]> {
    const page = await this.sql.rows(STATEMENTS[order], [prefix, prefix + LAST, after, limit]);
    const figures = new Map((await this.sql.rows(FIGURES, [page.map(({ id }) => id)])).map((row) => [row.id, row]));
    return page.map((customer) => ({ ...customer, ...figures.get(customer.id)! }));
  }
}
