import { IS_RESTORED } from '../database/identity/database-identity.sql';

/** SQL: not in a restored database, whose links may have been used since the backup, until `restore:confirm` ends them. */
export const NOT_OF_A_BACKUP = `not ${IS_RESTORED}`;

/** A day in which the mail is tried, and the day in which its link works. */
export const KEPT = "interval '48 hours'";
const LINK = "interval '24 hours'";
/** A row takes few keys: one for each attempt to send its mail. */
const MOST_KEYS = 20;
/** Rows that are further off than that were written while the database's clock was ahead, and would live longer by as much. */
export const AHEAD = "interval '10 minutes'";

/** SQL: gives the row `$1` of a mailed link the key `$2`. The day of the link begins when its mail is sent. */
export const addKey = (table: string): string => `update ${table}
      set keys = array_append(keys, $2::text), expires_at = now() + ${LINK}
    where id = $1 and expires_at > now() and cardinality(keys) < ${MOST_KEYS}`;

/** SQL: whether the key `$2` of a mailed link works. */
export const WORKS = `$2 = any(keys) and expires_at > now() and expires_at < now() + ${LINK} + ${AHEAD} and ${NOT_OF_A_BACKUP}`;

/** SQL: whether the row of a mailed link is over. */
export const IS_OVER = `(expires_at < now() or expires_at > now() + ${KEPT} + ${AHEAD}
     or expires_at > now() + ${LINK} + ${AHEAD} and keys <> '{}')`;
