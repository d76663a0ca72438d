import { statement } from '../../database/statement';
import type { DeliveryState, NoAnswerReason } from '../webhooks.entities';
import type { WebhookEvent } from '../webhook-events';

/** Longer than an attempt may take, so that it runs out only behind an instance that has ended or was stopped. */
export const LEASE_MS = 30_000;

/** A delivery that this instance may attempt now, with all that it takes. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly epoch: number;
  readonly step: number;
  readonly event: WebhookEvent;
  readonly body: string;
  readonly webhookId: string;
  readonly url: string;
  /** As it is kept. */
  readonly secret: string;
  /** Those that still sign. */
  readonly previousSecrets: readonly string[];
  readonly userId: string;
  /** Its account has so many attempts of these a minute. */
  readonly isLimited: boolean;
  /** Its webhook has failed since its last success. */
  readonly isFailing: boolean;
  /** Unix time, by the database's clock. */
  readonly timestamp: bigint;
}

/**
 * True of a delivery `d` on which no instance works. As with orders, a claim that ends later than its own length from now was made while
 * the database's clock was ahead.
 */
const UNCLAIMED = `(d.claimed_until is null or d.claimed_until < clock_timestamp()
  or d.claimed_until > clock_timestamp() + ${LEASE_MS + 10_000} * interval '1 millisecond')`;

const CLAIM_IT = `epoch = d.epoch + 1, claimed_until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'`;

const BODY = '(select e.body from webhook_events e where e.id = d.event_id)';

const claimed = (
  isFailing: string,
  body = BODY,
) => `d.id, d.epoch, d.step, d.event, ${body} as body, d.webhook_id as "webhookId", w.user_id as "userId",
  d.limited as "isLimited", w.url, w.secret,
  array(select p ->> 'secret' from jsonb_array_elements(w.previous_secrets) p
         where (p ->> 'until')::timestamptz > clock_timestamp()) as "previousSecrets",
  ${isFailing} as "isFailing", extract(epoch from clock_timestamp())::bigint as timestamp`;

export type ClaimParams = [
  mostHealthy: number,
  mostSick: number,
  knownIds: readonly string[],
  running: readonly number[],
  areSlow: readonly boolean[],
  accountsToWait: readonly string[],
];

/** Attempts under way at one webhook at a time, of one instance. */
const MOST_OF_ONE = 10;
const MOST_OF_SLOW = 3;
const MOST_OF_FAILING = 1;
/** For all webhooks of one account together, in one instance: room for the others is left whatever those do. */
const MOST_OF_ACCOUNT = 100;
const MOST_SICK_OF_ACCOUNT = 40;

/**
 * Claims what is due, a few of each webhook and of each account, so that no backlog stands before another's deliveries. The webhooks that
 * have any come from jumps through the index, one for each. A webhook is sick while it fails or is slow ($5): those get fewer attempts at a
 * time, and all of them together no more than $2, so that what they occupy is never what the others need. $3 to $5: what this instance has
 * under way, and which webhooks it knows to be slow. $6: accounts that have used up this minute's attempts of limited deliveries; what they
 * have left of those is not looked at, or a backlog of it would stand before others and before their own orders' events.
 */
export const CLAIM = statement<ClaimParams, ClaimedDelivery>(
  'webhook_claim',
  `with recursive waiting as (
         (select webhook_id from webhook_deliveries where state = 'pending' order by webhook_id limit 1)
         union all
         select (select d.webhook_id from webhook_deliveries d
                  where d.state = 'pending' and d.webhook_id > waiting.webhook_id order by d.webhook_id limit 1)
           from waiting where waiting.webhook_id is not null
       ), able as (
         select w.id, w.user_id, w.failing_since is not null or coalesce(k.is_slow, false) as is_sick,
                coalesce(k.running, 0) as running,
                case when w.failing_since is not null then ${MOST_OF_FAILING} when k.is_slow then ${MOST_OF_SLOW}
                     else ${MOST_OF_ONE} end - coalesce(k.running, 0) as room
           from waiting join webhooks w on w.id = waiting.webhook_id and w.state = 'active'
           left join unnest($3::uuid[], $4::integer[], $5::boolean[]) as k (id, running, is_slow) on k.id = w.id
       ), due as (
         select next.id, next.next_at, able.is_sick, able.user_id, able.room,
                row_number() over (partition by able.id order by next.next_at) as place
           from able cross join (values (false), (true)) as kind (limited) cross join lateral (
             select d.id, d.next_at from webhook_deliveries d
              where d.webhook_id = able.id and d.limited = kind.limited and d.state = 'pending'
                and d.next_at <= statement_timestamp() and ${UNCLAIMED}
              order by d.next_at
              limit case when kind.limited and able.user_id = any($6::uuid[]) then 0 else greatest(able.room, 0) end
                for update of d skip locked
           ) next
       ), busy as (
         select user_id, is_sick, sum(running) as running from able group by user_id, is_sick
       ), numbered as (
         select due.id, due.next_at, is_sick,
                busy.running + row_number() over (partition by user_id, is_sick order by due.next_at) as place
           from due join busy using (user_id, is_sick) where due.place <= due.room
       ), chosen as (
         (select id from numbered where not is_sick and place <= ${MOST_OF_ACCOUNT} order by next_at limit $1)
         union all
         (select id from numbered where is_sick and place <= ${MOST_SICK_OF_ACCOUNT} order by next_at limit $2)
       )
       update webhook_deliveries d set ${CLAIM_IT}
         from webhooks w
        where d.id = any(array(select id from chosen)) and w.id = d.webhook_id
       returning ${claimed('w.failing_since is not null')}`,
);

/** A test, claimed by who makes it. Nothing when there were $4 in the last minute. */
export const CREATE_TEST = statement<
  [id: string, webhookId: string, body: string, mostAMinute: number],
  ClaimedDelivery
>(
  'webhook_create_test',
  `with said as (
         insert into webhook_events (body)
         select $3 from webhooks w
          where w.id = $2 and (select count(*) from webhook_deliveries t
                                where t.webhook_id = w.id and t.event = 'webhook.test'
                                  and t.created_at > statement_timestamp() - interval '1 minute') < $4
         returning id
       ), d as (
         insert into webhook_deliveries (id, webhook_id, event, event_id, next_at, epoch, claimed_until, limited)
         select $1::uuid, $2::uuid, 'webhook.test', said.id, clock_timestamp(), 1,
                clock_timestamp() + ${LEASE_MS} * interval '1 millisecond', true
           from said
         returning id, epoch, step, event, webhook_id, limited
       )
       select ${claimed('false', '$3::text')} from d join webhooks w on w.id = d.webhook_id`,
);

export interface RecordedRow {
  readonly id: string;
}

export type RecordParams = [
  ids: readonly string[],
  epochs: readonly number[],
  states: readonly DeliveryState[],
  statuses: readonly (number | null)[],
  reasons: readonly (NoAnswerReason | null)[],
  tookMs: readonly number[],
  delaysMs: readonly (number | null)[],
];

/**
 * The outcomes of attempts, of claims that have not ended: only they go forward in the schedule, and only once, for a recorded claim is
 * over. A success ends its webhook's failing, a failure begins it; tests begin none.
 * Locks are taken in one order wherever both are: webhooks before their deliveries, and of many the smaller id first. So the webhooks
 * are chosen by what the snapshot shows of the claims; a delivery whose claim ends while they are waited for marks none.
 */
export const RECORD = statement<RecordParams, RecordedRow>(
  'webhook_record',
  `with outcome as (
         select o.id, o.epoch, o.state, o.status, o.reason, o.took_ms, o.delay_ms
           from unnest($1::uuid[], $2::integer[], $3::text[], $4::integer[], $5::text[], $6::integer[], $7::bigint[])
           as o (id, epoch, state, status, reason, took_ms, delay_ms)
       ), turn as (
         select d.webhook_id as id, bool_or(o.state = 'delivered') as works
           from webhook_deliveries d join outcome o on o.id = d.id and o.epoch = d.epoch
          where d.id = any($1::uuid[]) and d.state = 'pending' and (o.state = 'delivered' or d.event <> 'webhook.test')
          group by d.webhook_id
       ), locked as (
         select w.id from webhooks w join turn using (id)
          where w.id = any(array(select id from turn)) and (w.failing_since is not null) = turn.works
          order by w.id for no key update of w
       ), held as (
         select d.id from webhook_deliveries d
          where d.id = any($1::uuid[]) and (select count(*) from locked) >= 0 order by d.id for no key update
       ), recorded as (
         update webhook_deliveries d
            set state = o.state, attempts = d.attempts + 1, step = d.step + 1, status = o.status, reason = o.reason,
                took_ms = o.took_ms, attempted_at = clock_timestamp(), claimed_until = null,
                next_at = case when o.state = 'pending' then clock_timestamp() + o.delay_ms * interval '1 millisecond' end
           from outcome o
          where d.id = any(array(select id from held)) and d.id = o.id and d.epoch = o.epoch and d.state = 'pending'
            and d.claimed_until is not null
         returning d.id, d.webhook_id, d.state, d.event
       ), marked as (
         update webhooks w set failing_since = case when worked.works then null else clock_timestamp() end
           from (select webhook_id as id, bool_or(state = 'delivered') as works from recorded
                  where state = 'delivered' or event <> 'webhook.test' group by webhook_id) worked
          where w.id = any(array(select id from locked)) and w.id = worked.id
            and (w.failing_since is not null) = worked.works
       )
       select id from recorded`,
);

/** Nothing was sent, or it is not known what came of it: another instance need not wait for the lease. */
export const GIVE_BACK = statement<[ids: readonly string[], epochs: readonly number[], delayMs: number]>(
  'webhook_give_back',
  `with held as (
         select d.id from webhook_deliveries d where d.id = any($1::uuid[]) order by d.id for no key update
       )
       update webhook_deliveries d
          set claimed_until = null, next_at = clock_timestamp() + $3::integer * interval '1 millisecond'
         from unnest($1::uuid[], $2::integer[]) as o (id, epoch)
        where d.id = any(array(select id from held)) and d.id = o.id and d.epoch = o.epoch and d.state = 'pending'`,
);

export interface DeliveryView {
  readonly id: string;
  readonly event: WebhookEvent;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly status: number | null;
  readonly reason: NoAnswerReason | null;
  readonly tookMs: number | null;
  readonly attemptedAt: Date | null;
  readonly nextAt: Date | null;
  readonly createdAt: Date;
}

const VIEW = `d.id, d.event, d.state, d.attempts, d.status, d.reason, d.took_ms as "tookMs", d.attempted_at as "attemptedAt",
  d.next_at as "nextAt", d.created_at as "createdAt"`;

/** With the order that it tells of. */
export interface ListedDelivery extends DeliveryView {
  readonly orderId: string | null;
}

const ORDER_ID = `case when d.event like 'delegation.%' then (select e.body::jsonb #>> '{data,id}' from webhook_events e where e.id = d.event_id) end`;

/** Newest first; $2: only those before this one. The state is in the text: only then does the index of those that failed do. */
const page = (name: string, state?: DeliveryState) =>
  statement<[webhookId: string, before: string | null, limit: number | null], ListedDelivery>(
    name,
    `select ${VIEW}, ${ORDER_ID} as "orderId" from webhook_deliveries d
      where d.webhook_id = $1 ${state === undefined ? '' : `and d.state = '${state}'`}
        and ($2::uuid is null
             or (d.created_at, d.id) < (select b.created_at, b.id from webhook_deliveries b where b.id = $2 and b.webhook_id = $1))
      order by d.created_at desc, d.id desc limit $3::bigint`,
  );
export const PAGE = page('webhook_deliveries_page');
export const PAGE_OF: Readonly<Record<DeliveryState, typeof PAGE>> = {
  pending: page('webhook_deliveries_page_pending', 'pending'),
  delivered: page('webhook_deliveries_page_delivered', 'delivered'),
  failed: page('webhook_deliveries_page_failed', 'failed'),
};

export interface SentDelivery extends ListedDelivery {
  readonly body: string;
}

/** One of the webhook's, with what was sent. */
export const FIND = statement<[id: string, webhookId: string], SentDelivery>(
  'webhook_delivery_find',
  `select ${VIEW}, ${ORDER_ID} as "orderId", ${BODY} as body from webhook_deliveries d where d.id = $1 and d.webhook_id = $2`,
);

/** The webhook that it is of, when that is $2's own or anybody's. */
export const FIND_WEBHOOK = statement<[id: string, ownerId: string | undefined], { webhookId: string }>(
  'webhook_of_delivery',
  `select d.webhook_id as "webhookId" from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.id = $1 and w.state <> 'removed' and ($2::uuid is null or w.user_id = $2)`,
);

/** From the beginning of the schedule, under the same id. A claim of it ends here. $2: its own user asked for it. */
export const REPLAY = statement<[id: string, byItsUser: boolean], DeliveryView>(
  'webhook_replay',
  `update webhook_deliveries d
      set state = 'pending', step = 0, next_at = clock_timestamp(), epoch = d.epoch + 1, claimed_until = null,
          limited = d.limited or $2
    where d.id = $1 returning ${VIEW}`,
);

/** A test is over with its answer. */
const IS_FAILED = `d.webhook_id = $1 and d.state = 'failed' and d.event <> 'webhook.test'`;

/** $2: up to so many. */
export const COUNT_FAILED = statement<[webhookId: string, most: number], { readonly failed: number }>(
  'webhook_count_failed',
  `select count(*)::integer as failed from (select 1 from webhook_deliveries d where ${IS_FAILED} limit $2) d`,
);

/**
 * The oldest that failed, as `REPLAY` does with one: what is sent again is not failed, so that a second call finds none of it.
 * In the order of locks that `RECORD` has.
 */
export const REPLAY_FAILED = statement<[webhookId: string, byItsUser: boolean, most: number], { readonly id: string }>(
  'webhook_replay_failed',
  `with found as (
         select d.id from webhook_deliveries d where ${IS_FAILED} order by d.created_at, d.id limit $3
       ), held as (
         select d.id from webhook_deliveries d
          where d.id = any(array(select id from found)) and d.state = 'failed' order by d.id for no key update
       )
       update webhook_deliveries d
          set state = 'pending', step = 0, next_at = clock_timestamp(), epoch = d.epoch + 1, claimed_until = null,
              limited = d.limited or $2
        where d.id = any(array(select id from held)) and d.state = 'failed' returning d.id`,
);

/**
 * Old ones that have ended, and those of webhooks that were removed; a bounded number, so that no statement takes long. One that waits is
 * never old: a clock that is a month ahead for a moment would delete what a customer is still to be told.
 */
export const DELETE_OLD = statement<[most: number]>(
  'webhook_delete_old',
  `with old as (
         select id from webhook_deliveries where state <> 'pending' and created_at < statement_timestamp() - interval '30 days'
          order by created_at limit $1 for update skip locked
       ), removed as (
         select d.id from webhooks w join webhook_deliveries d on d.webhook_id = w.id where w.state = 'removed'
          limit $1 for update of d skip locked
       )
       delete from webhook_deliveries d where d.id = any(array(select id from old union all select id from removed))`,
);

/** Those that no delivery says any more. One that is being written is seen together with its deliveries. */
export const DELETE_UNUSED_EVENTS = statement<[most: number]>(
  'webhook_delete_unused_events',
  `delete from webhook_events where id = any(array(
         select e.id from webhook_events e
          where e.created_at < statement_timestamp() - interval '30 days'
            and not exists (select from webhook_deliveries d where d.event_id = e.id)
          order by e.created_at limit $1))`,
);

/**
 * A wait that no schedule has was begun while the database's clock was ahead: what was not attempted yet waits for a minute at most,
 * a low balance for the ten minutes of its account.
 */
export const END_LONG_WAITS = statement(
  'webhook_end_long_waits',
  `with held as (
         select id from webhook_deliveries
          where state = 'pending'
            and next_at > clock_timestamp() + case when step > 0 then interval '27 hours'
                                                   when event = 'balance.low' then interval '11 minutes'
                                                   else interval '61 seconds' end
          order by id for no key update skip locked
       )
       update webhook_deliveries set next_at = clock_timestamp() where id = any(array(select id from held))`,
);

/** Those of the webhooks that have something to be sent. */
export const WITH_PENDING = statement<[ids: readonly string[]], { id: string }>(
  'webhook_with_pending',
  `select k.id from unnest($1::uuid[]) as k (id)
    where exists (select from webhook_deliveries d where d.webhook_id = k.id and d.state = 'pending')`,
);
