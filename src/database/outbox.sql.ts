/** Longer than an attempt may take, so that it runs out only behind an instance that has ended or was stopped. */
const LEASE_MS = 60_000;
/** Longer than any outbox waits between two attempts. */
const LONGEST_WAIT = "interval '9 hours'";

interface Claim {
  readonly table: string;
  /** Which of the rows that are due. */
  readonly which: string;
  /** The parameter that says how many. */
  readonly most: string;
  /** Columns of the row `o`. */
  readonly returning: string;
}

/**
 * SQL: claims rows of an outbox that are due, for one attempt each, which the claim counts: an instance that ends while it sends records nothing. As with webhooks, a claim that ends later than its own length from now, and a wait that is longer
 * than any, were begun while the database's clock was ahead.
 */
export const claimDue = ({ table, which, most, returning }: Claim): string => `with due as (
     select id from ${table}
      where state = 'pending' and (next_at <= clock_timestamp() or next_at > clock_timestamp() + ${LONGEST_WAIT}) and ${which}
        and (claimed_until is null or claimed_until < clock_timestamp()
             or claimed_until > clock_timestamp() + ${LEASE_MS + 10_000} * interval '1 millisecond')
      order by next_at limit ${most} for update skip locked)
   update ${table} o
      set epoch = o.epoch + 1, attempts = o.attempts + 1, claimed_until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
    where o.id = any(array(select id from due))
   returning ${returning}`;

/**
 * SQL: what came of an attempt: id, epoch of its claim, state, error, delay until the next one. A claim that has ended changes nothing. `also`:
 * what else is set.
 */
export const recordAttempt = (table: string, also = ''): string => `update ${table}
      set ${also} state = $3, error = $4, claimed_until = null,
          next_at = case when $3 = 'pending' then clock_timestamp() + $5::bigint * interval '1 millisecond' end
    where id = $1 and epoch = $2 and state = 'pending'`;
