import { UTC_TODAY } from '../auth/auth.entities';
import type { Statement } from '../database/sql';
import { statement } from '../database/statement';
import { LARGEST_WHOLE } from './rounding';
import { isValidAt } from './validity.sql';

/*
 * Locks are always taken in this order, whatever the statement: the hold, the account, the subscription, a pool wallet. Data-modifying
 * parts of one statement run in no fixed order, so each part reads from the one whose lock must come before its own. The account's lock
 * comes first even when a subscription pays: a subscription that stops covering the order while its lock is awaited stays locked, and the
 * balance, locked after it, would close a circle with an order that needs both. A statement that takes any of them out of this order skips
 * what is locked, and so never waits. A token's day is changed only under the lock of its user's account: no statement ever waits for it,
 * and it has no place in this order.
 */

export const READ_UNIT_PRICE = statement<[userId: string], { unit_price_sun: bigint | null }>(
  'billing_unit_price',
  'select unit_price_sun from accounts where user_id = $1',
);

/**
 * What an order needs besides its payment, decided in the statement that holds it. `parts` come after the locks of accounts and
 * subscriptions (`payer`, `chosen`), `met` is true of an order `o` that has it, `effects` follow the holds that were written (`hold`).
 */
export interface AlsoNeeded {
  /** The columns of an order's JSON. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly parts: string;
  readonly met: string;
  readonly effects: string;
}

/** The orders as JSON, then what `parts` ask for. */
export type HoldParams = [orders: string, ...parts: string[]];

/** Why an order is not paid, of several reasons the first: its own or its token's max cost, the token's daily limit, the balance. */
export type Refusal = 'max_cost' | 'daily_limit' | 'balance';

/** What an order would cost, and whether it would be refused. */
export interface CostRow {
  readonly refusal: Refusal | null;
  /** Null: more than any balance has. */
  readonly cost_sun: bigint | null;
  readonly token_max_cost_sun: bigint | null;
}

export interface HoldRow extends CostRow {
  readonly delegation_id: string;
  readonly met: boolean;
  /** Null where nothing is held. */
  readonly amount_sun: bigint | null;
  readonly subscription_id: string | null;
}

export type HoldStatement = Statement<HoldParams, HoldRow>;

/** An order as the statements of `holdText` take it: whole numbers as text, for JSON has no bigint. */
export interface HoldRequest {
  readonly delegation_id: string;
  readonly user_id: string;
  readonly energy: string;
  readonly from_balance_sun: string | undefined;
  readonly from_quota_sun: string;
  readonly token_id: string | null;
  readonly max_cost_sun: string | undefined;
  /** Fits a number, which JSON has. */
  readonly time_ms: number;
}

const NOTHING_ELSE: AlsoNeeded = { columns: [], parts: '', met: 'true', effects: '' };

type Columns = AlsoNeeded['columns'];
const names = (columns: Columns) => columns.map(([name]) => `, ${name}`).join('');
const types = (columns: Columns) => columns.map(([name, type]) => `, ${name} ${type}`).join('');

/**
 * A subscription that covers all of an order `o`, also where its account cannot pay what quota does not (an activation): the balance
 * could even less, and the order is refused for what it would have cost.
 */
const COVERING = `
        select s.id
        from subscriptions s
        where s.user_id = o.user_id
          and ${isValidAt('s', 'o.time_ms')}
          and s.quota_energy - s.used_energy - s.held_energy >= o.energy
        order by s.valid_until, s.id
        limit 1`;

/**
 * The price of an order `o`, paid by the subscription `chosen` if there is one, else by the account `payer`; its token is `t`, and that
 * one's day `used`.
 */
const COST = `case when chosen.id is null then o.from_balance_sun else o.from_quota_sun end`;
/** Counts in the token's day, even if a subscription pays. */
const LIST_PRICE = `coalesce(o.from_balance_sun, ${LARGEST_WHOLE})`;
const REFUSAL = `case
        when coalesce(${COST}, ${LARGEST_WHOLE}) > least(o.max_cost_sun, t.max_cost_sun) then 'max_cost'
        when ${LIST_PRICE} > t.daily_limit_sun - coalesce(used.used_sun, 0) then 'daily_limit'
        when (${COST} <= payer.spendable) is not true then 'balance'
      end`;

/**
 * $1: orders of different users, as JSON. Their costs are `from_balance_sun` if the balance pays (null: more than any balance has)
 * and `from_quota_sun` if quota pays. Gives a row for each order whose account it has locked; an amount only if that can pay, no
 * limit refuses it, and the order has what else it needs (`met`): then nothing else is held either.
 * Under its lock `payer` is the newest truth, while the update first meets the account as the statement's snapshot has it
 * and checks the table's constraints on that: so it writes from `payer`, or an old row would refuse what the new one allows.
 * The lock keeps all other orders of a token away from its day. Yet a day that began after the snapshot was taken is not seen by
 * `used`, only by the insert that it is in the way of: that one compares with the limit again.
 */
export const holdText = (locked: '' | 'skip locked', { columns, parts, met, effects } = NOTHING_ELSE): string => `
    with wanted as (
      select delegation_id, user_id, energy, from_balance_sun, from_quota_sun, token_id, max_cost_sun, time_ms${names(columns)}
        from json_to_recordset($1::json)
          as o (delegation_id uuid, user_id uuid, energy bigint, from_balance_sun bigint, from_quota_sun bigint,
                token_id uuid, max_cost_sun bigint, time_ms bigint${types(columns)})
    ), payer as (
      select user_id, balance_sun, held_sun, balance_sun - held_sun as spendable
      from accounts where user_id = any(array(select user_id from wanted)) order by user_id for update ${locked}
    ), chosen as (
      select o.delegation_id, s.id
      from wanted o
      join payer using (user_id)
      cross join lateral (${COVERING}
        for update
      ) s
    )${parts}, token as (
      select id, max_cost_sun, daily_limit_sun from api_tokens where id = any(array(select token_id from wanted))
    ), used as (
      select token_id, used_sun from token_days
      where token_id = any(array(
          select t.id from wanted o join payer using (user_id) join token t on t.id = o.token_id where t.daily_limit_sun is not null
        ))
        and day = ${UTC_TODAY}
      for update
    ), due as (
      select o.delegation_id, o.user_id, o.energy, o.token_id, o.max_cost_sun, chosen.id as subscription_id,
             ${COST} as cost_sun, ${LIST_PRICE} as counted_sun, t.max_cost_sun as token_max_cost_sun, t.daily_limit_sun,
             ${met} as met, ${REFUSAL} as refusal
      from wanted o
      join payer using (user_id)
      left join chosen using (delegation_id)
      left join token t on t.id = o.token_id
      left join used on used.token_id = o.token_id
    ), counted as (
      insert into token_days as d (token_id, day, used_sun)
      select token_id, ${UTC_TODAY}, counted_sun from due where met and refusal is null and token_id is not null
      on conflict (token_id, day) do update set used_sun = d.used_sun + excluded.used_sun
      where d.used_sun + excluded.used_sun
            <= coalesce((select due.daily_limit_sun from due where due.token_id = d.token_id), ${LARGEST_WHOLE})
      returning id, token_id
    ), payable as (
      select due.delegation_id, due.user_id, due.energy, due.cost_sun, due.subscription_id, due.max_cost_sun,
             counted.id as token_day_id, case when counted.id is not null then due.counted_sun end as counted_sun
      from due left join counted using (token_id)
      where due.met and due.refusal is null and (due.token_id is null or counted.id is not null)
    ), quota as (
      update subscriptions s set held_energy = s.held_energy + payable.energy
      from payable where s.id = payable.subscription_id
    ), hold as (
      insert into holds
        (delegation_id, user_id, amount_sun, subscription_id, quota_energy, token_day_id, counted_sun, max_cost_sun)
      select delegation_id, user_id, cost_sun, subscription_id, case when subscription_id is null then 0 else energy end,
             token_day_id, counted_sun, max_cost_sun
      from payable
      returning delegation_id, user_id, amount_sun, subscription_id
    ), account as (
      update accounts a
      set balance_sun = payer.balance_sun,
          held_sun = payer.held_sun + hold.amount_sun,
          updated_at = greatest(clock_timestamp(), a.updated_at + interval '1 microsecond')
      from payer join hold using (user_id)
      where a.user_id = payer.user_id and hold.amount_sun > 0
    )${effects}
    select due.delegation_id, due.met, hold.amount_sun, hold.subscription_id, due.cost_sun, due.token_max_cost_sun,
           case when due.met and hold.delegation_id is null then coalesce(due.refusal, 'daily_limit') end as refusal
    from due left join hold using (delegation_id)`;

export const HOLD = statement<HoldParams, HoldRow>('billing_hold', holdText(''));

/** What `HOLD` would find, without a lock. Nothing for a user without an account. */
export const JUDGE_COST = statement<
  [
    userId: string,
    energy: bigint | null,
    fromBalanceSun: bigint | null,
    fromQuotaSun: bigint,
    tokenId: string | null,
    maxCostSun: bigint | null,
    timeMs: number | null,
  ],
  CostRow
>(
  'billing_judge_cost',
  `
    with o as (
      select $1::uuid as user_id, $2::bigint as energy, $3::bigint as from_balance_sun, $4::bigint as from_quota_sun,
             $5::uuid as token_id, $6::bigint as max_cost_sun, $7::bigint as time_ms
    )
    select ${REFUSAL} as refusal, ${COST} as cost_sun, t.max_cost_sun as token_max_cost_sun
    from o
    join (select user_id, balance_sun - held_sun as spendable from accounts where user_id = $1) payer using (user_id)
    left join lateral (${COVERING}
    ) chosen on true
    left join api_tokens t on t.id = o.token_id
    left join token_days used on used.token_id = o.token_id and used.day = ${UTC_TODAY}`,
);

export const READ_MAX_COST = statement<[orderId: string], { max_cost_sun: bigint | null }>(
  'billing_max_cost',
  'select max_cost_sun from holds where delegation_id = $1',
);
