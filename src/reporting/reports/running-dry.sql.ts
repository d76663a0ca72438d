import { beginOf } from './order-day.sql';
import { lastDays, spentByAll } from './spending.sql';

/** A balance that lasts no longer, as its customer has spent in the days before. */
export const DRY_WITHIN_DAYS = 3;
const SPENDING_DAYS = 7;
const DAY_SECONDS = 86_400;

export const SPENDING = lastDays(SPENDING_DAYS);

/** SQL: makes what was spent in those days what is spent a day. Today has only begun: it is divided by the time in which it was. */
export const SECONDS_OF_DAILY = `${DAY_SECONDS} / extract(epoch from now() - ${beginOf(SPENDING.first)})`;

/** SQL: `user_id` and `sun` a day of each user who has spent anything. */
export const DAILY = `select user_id, spent.sun * ${SECONDS_OF_DAILY} as sun from (${spentByAll(SPENDING)}) spent where spent.sun > 0`;

/** SQL: what an account `a` can spend lasts no three days of its user's `daily`. */
export const RUNS_DRY = `a.balance_sun - a.held_sun < daily.sun * ${DRY_WITHIN_DAYS}`;
