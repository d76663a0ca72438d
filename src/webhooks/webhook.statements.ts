import { statement } from '../database/statement';
import { newcomersIn } from '../users/newcomers';
import type { WebhookEvent } from './webhook-events';
import type { DisabledReason, WebhookState } from './webhooks.entities';

/** Named as people see it; the secret is in none of these. */
export interface WebhookRecord {
  readonly id: string;
  readonly userId: string;
  readonly url: string;
  /** null: all. */
  readonly events: readonly WebhookEvent[] | null;
  readonly state: Exclude<WebhookState, 'removed'>;
  readonly disabledReason: DisabledReason | null;
  readonly disabledAt: Date | null;
  readonly failingSince: Date | null;
  /** Until then a secret before the last rotation signs too. */
  readonly previousSecretUntil: Date | null;
  readonly createdAt: Date;
}

export interface LockedWebhook extends WebhookRecord {
  /** The e-mail address of its user. */
  readonly owner: string;
  readonly secret: string;
}

const RECORD = `w.id, w.user_id as "userId", w.url, w.events, w.state, w.disabled_reason as "disabledReason",
  w.disabled_at as "disabledAt", w.failing_since as "failingSince",
  (select max((p ->> 'until')::timestamptz) from jsonb_array_elements(w.previous_secrets) p
    where (p ->> 'until')::timestamptz > clock_timestamp()) as "previousSecretUntil",
  w.created_at as "createdAt"`;

/** Any user's webhook, or only one of user $2. */
const OWN = `w.id = $1 and w.state <> 'removed' and ($2::uuid is null or w.user_id = $2)`;

/** Nothing when there is one with this id. */
export const CREATE = statement<
  [id: string, userId: string, url: string, events: readonly WebhookEvent[] | null, secret: string],
  WebhookRecord
>(
  'webhook_create',
  `insert into webhooks as w (id, user_id, url, events, secret) values ($1, $2, $3, $4, $5)
       on conflict (id) do nothing returning ${RECORD}`,
);

export const COUNT_OF_USER = statement<[userId: string], { webhooks: bigint }>(
  'webhook_count_of_user',
  `select count(*) as webhooks from webhooks where user_id = $1 and state <> 'removed'`,
);

/** Those of all newcomers of one network; null: of all. */
export const COUNT_OF_NEWCOMERS = statement<[network: string | null], { webhooks: bigint }>(
  'webhook_count_of_newcomers',
  `select count(*) as webhooks from webhooks w where w.state <> 'removed' and w.user_id in (${newcomersIn('$1::text')})`,
);

/** By the key that they were encrypted with, null for none; those of before a rotation are gone in a day. */
export const COUNT_SECRETS = statement<[], { key: string | null; webhooks: number }>(
  'webhook_count_secrets',
  `select case when w.secret like 'gcm.%' then split_part(w.secret, '.', 2) end as key, count(*)::int as webhooks
     from webhooks w where w.state <> 'removed' group by 1 order by 1`,
);

/** Oldest first. */
export const LIST = statement<[userId: string], WebhookRecord>(
  'webhook_list',
  `select ${RECORD} from webhooks w where w.user_id = $1 and w.state <> 'removed' order by w.created_at, w.id`,
);

export const FIND = statement<[id: string, ownerId: string | undefined], WebhookRecord>(
  'webhook_find',
  `select ${RECORD} from webhooks w where ${OWN}`,
);

export const LOCK = statement<[id: string, ownerId: string | undefined], LockedWebhook>(
  'webhook_lock',
  `select ${RECORD}, u.email as owner, w.secret from webhooks w join users u on u.id = w.user_id
    where ${OWN} for no key update of w`,
);

/** What may be null is changed only when $4 says so. */
export const UPDATE = statement<
  [id: string, url: string | undefined, events: readonly WebhookEvent[] | null | undefined, changesEvents: boolean],
  WebhookRecord
>(
  'webhook_update',
  `update webhooks w set url = coalesce($2, w.url), events = case when $4 then $3::text[] else w.events end
    where w.id = $1 returning ${RECORD}`,
);

/** Beginning anew: five days count from the next failure on. */
export const ENABLE = statement<[id: string], WebhookRecord>(
  'webhook_enable',
  `update webhooks w set state = 'active', disabled_reason = null, disabled_at = null, failing_since = null
    where w.id = $1 returning ${RECORD}`,
);

/** True of a webhook `w` without a success in five days. */
const FAILS_TOO_LONG = `w.failing_since <= clock_timestamp() - interval '5 days'`;

/** Nothing unless it was active: the first reason stays. A success may be recorded while this waits for the row of one that failed. */
export const DISABLE = statement<[id: string, reason: DisabledReason], WebhookRecord & { readonly owner: string }>(
  'webhook_disable',
  `update webhooks w set state = 'disabled', disabled_reason = $2, disabled_at = clock_timestamp()
     from users u where w.id = $1 and w.state = 'active' and u.id = w.user_id and ($2 <> 'failing' or ${FAILS_TOO_LONG})
   returning ${RECORD}, u.email as owner`,
);

export const FIND_FAILING = statement<[], { id: string }>(
  'webhook_find_failing',
  `select w.id from webhooks w
    where w.state = 'active' and w.failing_since is not null and ${FAILS_TOO_LONG}
    order by w.id limit 100`,
);

/** Those before it whose day is not over. */
const STILL_SIGNING = `(select jsonb_agg(p) from jsonb_array_elements(w.previous_secrets) p
  where (p ->> 'until')::timestamptz > clock_timestamp())`;

/** The secret so far signs for another day. Nothing when $3 others do that already. */
export const ROTATE = statement<[id: string, secret: string, mostPrevious: number], WebhookRecord>(
  'webhook_rotate',
  `update webhooks w
      set secret = $2,
          previous_secrets = coalesce(${STILL_SIGNING}, '[]') ||
            jsonb_build_object('secret', w.secret, 'until', clock_timestamp() + interval '24 hours')
    where w.id = $1 and coalesce(jsonb_array_length(${STILL_SIGNING}), 0) < $3 returning ${RECORD}`,
);

/** Its secrets go at once; the row when its deliveries are deleted. */
export const REMOVE = statement<[id: string]>(
  'webhook_remove',
  `update webhooks
      set state = 'removed', secret = '', previous_secrets = null, disabled_reason = null
    where id = $1`,
);

/** A secret that no longer signs is not kept. */
export const FORGET_PREVIOUS = statement(
  'webhook_forget_previous',
  `update webhooks w set previous_secrets = ${STILL_SIGNING}
    where exists (select from jsonb_array_elements(w.previous_secrets) p
                   where (p ->> 'until')::timestamptz <= clock_timestamp())`,
);

export const DELETE_REMOVED = statement(
  'webhook_delete_removed',
  `delete from webhooks w
    where w.state = 'removed' and not exists (select from webhook_deliveries d where d.webhook_id = w.id)`,
);

/** What the panel tells its user on every page. */
export const COUNT_STOPPED = statement<[userId: string], { stopped: number }>(
  'webhook_count_stopped',
  `select count(*)::integer as stopped from webhooks
    where user_id = $1 and state = 'disabled' and disabled_reason <> 'asked'`,
);
