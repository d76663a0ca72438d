import { DatabaseError } from 'pg';
import { statement } from './statement';

/** For the rest of a transaction: a lock that somebody else holds is given up soon and tried again later. */
export const SHORT_LOCK_TIMEOUT = statement('short_patience', `select set_config('lock_timeout', '500ms', true)`);
/**
 * As long as an ordinary transaction holds a lock: a statement that is locked out for longer is tried again where no other has to wait for
 * it.
 */
export const BRIEF_LOCK_TIMEOUT = statement('brief_patience', `select set_config('lock_timeout', '50ms', true)`);

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a lock was given up, by the error itself or by the one that it was made of. */
export function isLockRefused(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === LOCK_NOT_AVAILABLE;
  return error instanceof Error && error.cause !== undefined && isLockRefused(error.cause);
}
