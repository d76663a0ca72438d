import { statement } from './statement';

/** For the rest of a transaction: a lock that somebody else holds is given up soon and tried again later. */
export const SHORT_LOCK_TIMEOUT = statement('short_patience', `select set_config('lock_timeout', '500ms', true)`);
