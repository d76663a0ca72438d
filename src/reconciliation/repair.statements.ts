import { statement } from '../database/statement';
import { LENT_STATES, sqlList, TAKEN_BACK_STATES } from '../common/order.states';

export interface UnsettledOrder {
  readonly id: string;
  readonly user_id: string;
  readonly releases: boolean;
}

/** Orders that have ended on both sides, row and chain, whose hold was never settled. */
export const UNSETTLED = statement<[], UnsettledOrder>(
  'mend_unsettled_holds',
  `
    select d.id, d.user_id,
           d.answer = 'failure' or d.state in ${sqlList(['failed', 'taken_back'])} as releases
      from delegations d
      join holds h on h.delegation_id = d.id and h.state = 'held'
      left join chain_transactions t on t.subject_id = d.id and t.purpose = 'delegation'
     where d.state = 'failed' and coalesce(t.state, 'dead') = 'dead'
        or d.state in ${sqlList([...LENT_STATES, ...TAKEN_BACK_STATES])} and t.state = 'final'
     order by d.user_id limit 500`,
);

export const LOCK_ACCOUNT = statement<[userId: string]>(
  'mend_lock_account',
  'select user_id from accounts where user_id = $1 for update',
);

/** The held amount is by definition the sum of the open holds; under the account's lock no other transaction changes it meanwhile. */
export const HELD_AS_HOLDS_SAY = statement<[userId: string]>(
  'mend_account_held',
  `
    with held as (select coalesce(sum(amount_sun), 0) as sun from holds where user_id = $1 and state = 'held')
    update accounts set held_sun = held.sun, updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      from held where user_id = $1 and held_sun <> held.sun and held.sun <= balance_sun`,
);

export const ACCOUNTS_ADRIFT = statement<[], { user_id: string }>(
  'mend_accounts_adrift',
  `
    select a.user_id from accounts a
      left join (select user_id, sum(amount_sun) as total from holds where state = 'held' group by user_id) h using (user_id)
     where a.held_sun <> coalesce(h.total, 0) order by a.user_id limit 500`,
);

export interface TokenDayAdrift {
  readonly id: string;
  readonly user_id: string;
}

/**
 * Those that were found: to add up the orders of all of them again would take as long as the check. Subjects of other findings are no
 * numbers, and are cast by no plan.
 */
export const TOKEN_DAYS_ADRIFT = statement<[], TokenDayAdrift>(
  'mend_token_days_adrift',
  `
    select d.id::text as id, t.user_id from findings f
      join token_days d on d.id = case when f.subject_type = 'token_day' then f.subject_id::bigint end
      join api_tokens t on t.id = d.token_id
     where f.kind = 'token_used' and f.subject_type = 'token_day' and f.resolved_at is null
     order by t.user_id limit 500`,
);

/** Under the account's lock no order of the token is held or released meanwhile. */
export const USED_AS_HOLDS_SAY = statement<[tokenDayId: string]>(
  'mend_token_day_used',
  `
    with counted as (
      select coalesce(sum(counted_sun), 0) as sun from holds where token_day_id = $1::bigint and state <> 'released'
    )
    update token_days set used_sun = counted.sun from counted where id = $1::bigint and used_sun <> counted.sun`,
);
