import { IS_RESTORED } from '../database/identity/database-identity.sql';
import { claimDue, recordAttempt } from '../database/outbox.sql';
import { statement } from '../database/statement';
import type { NoticeState } from './notices.entities';
import type { AnyKind, Channel, NoticeItem } from './notice-kinds';

/** Operators get mail where no addresses are set. */
export const OPERATORS = statement<[], { email: string }>(
  'notice_operators',
  'select email from users where operator and disabled_at is null order by email limit 50',
);

/** What was not seen for so long had gone. Instances look once a minute. */
const GONE_AFTER = `interval '10 minutes'`;

/**
 * Marks what is wrong as seen, and says which of it is to be told of: what has begun since it was told of last, and what lasts for a
 * day since. Never the same thing twice in an hour: of two instances that look at the same moment, one finds the row of the other. What was
 * told of in the future was, while the database's clock was ahead, and would not be again until then.
 * In the order of the key, so that they do not wait for each other in turns.
 */
export const MARK = statement<
  [
    lookId: string,
    kinds: readonly string[],
    things: readonly string[],
    begunAt: readonly (Date | null)[],
    reminds: readonly boolean[],
  ],
  { kind: string; thing: string; isDue: boolean }
>(
  'notice_mark',
  `with seen as (
     select s.kind, s.thing, s.begun_at, s.reminds
       from unnest($2::text[], $3::text[], $4::timestamptz[], $5::boolean[]) as s (kind, thing, begun_at, reminds)
   ), known as (
     select m.kind, m.thing, m.noticed_at,
            coalesce(s.begun_at, case when m.seen_at < clock_timestamp() - ${GONE_AFTER} then clock_timestamp() else m.begun_at end) as begun_at
       from notice_marks m join seen s using (kind, thing) order by m.kind, m.thing for update of m
   ), told as (
     update notice_marks m
        set seen_at = clock_timestamp(), begun_at = k.begun_at, reminds = s.reminds,
            noticed_at = case when d.is_due then clock_timestamp() else m.noticed_at end,
            noticed_by = case when d.is_due then $1::uuid else m.noticed_by end
       from known k join seen s using (kind, thing)
            cross join lateral (select k.noticed_at > clock_timestamp() + interval '1 minute'
                                       or k.noticed_at <= clock_timestamp() - interval '1 hour'
                                          and (k.begun_at > k.noticed_at
                                               or s.reminds and k.noticed_at <= clock_timestamp() - interval '1 day') as is_due) d
      where m.kind = k.kind and m.thing = k.thing
     returning m.kind, m.thing, m.noticed_by
   ), new as (
     insert into notice_marks (kind, thing, begun_at, noticed_at, seen_at, noticed_by, reminds)
     select s.kind, s.thing, coalesce(s.begun_at, clock_timestamp()), clock_timestamp(), clock_timestamp(), $1::uuid, s.reminds
       from seen s where not exists (select from known k where k.kind = s.kind and k.thing = s.thing) order by s.kind, s.thing
     on conflict (kind, thing) do nothing
     returning kind, thing, noticed_by
   )
   select kind, thing, noticed_by = $1::uuid as "isDue" from told union all select kind, thing, true from new`,
);

export const FORGET_MARKS = statement(
  'notice_forget_marks',
  `delete from notice_marks where seen_at < clock_timestamp() - interval '30 days'`,
);

export const ENQUEUE = statement<[id: string, channel: Channel, userId: string | null, items: string]>(
  'notice_enqueue',
  `insert into notice_deliveries (id, channel, user_id, items, next_at) values ($1, $2, $3, $4::jsonb, clock_timestamp())`,
);

export interface ClaimedNotice {
  readonly id: string;
  readonly epoch: number;
  readonly channel: Channel;
  readonly items: readonly NoticeItem[];
  readonly attempts: number;
  /** For customers alone. */
  readonly recipient: string | null;
}

/** Claims for one channel. A restored database tells its operators so, and customers nothing that its original tells them. */
export const CLAIM = statement<[channel: Channel, most: number], ClaimedNotice>(
  'notice_claim',
  claimDue({
    table: 'notice_deliveries',
    which: `channel = $1 and (channel <> 'customers' or not ${IS_RESTORED})`,
    most: '$2',
    returning: `o.id, o.epoch, o.channel, o.items, o.attempts, (select u.email from users u where u.id = o.user_id) as recipient`,
  }),
);

export const RECORD = statement<
  [id: string, epoch: number, state: NoticeState, error: string | null, delayMs: number | null]
>('notice_record', recordAttempt('notice_deliveries'));

export interface NoticeView {
  readonly id: string;
  readonly channel: Channel;
  readonly items: readonly NoticeItem[];
  readonly state: NoticeState;
  readonly attempts: number;
  readonly error: string | null;
  readonly recipient: string | null;
  readonly createdAt: Date;
}

/** Newest first. */
export const LATEST = statement<[most: number], NoticeView>(
  'notice_latest',
  `select d.id, d.channel, d.items, d.state, d.attempts, d.error, u.email as recipient, d.created_at as "createdAt"
     from notice_deliveries d left join users u on u.id = d.user_id order by d.created_at desc, d.id desc limit $1`,
);

/** $1: the ways that are set up: what waits there is still to be sent, also when the clock is a month ahead for a moment. */
export const DELETE_OLD = statement<[open: readonly Channel[]]>(
  'notice_delete_old',
  `delete from notice_deliveries
    where created_at < clock_timestamp() - interval '30 days' and not (state = 'pending' and channel = any($1))`,
);

export const CHOICES = statement<[], { channel: Channel; kinds: readonly AnyKind[] }>(
  'notice_choices',
  'select channel, kinds from notice_choices',
);
export const CHOOSE = statement<[channel: Channel, kinds: readonly AnyKind[]]>(
  'notice_choose',
  `insert into notice_choices (channel, kinds) values ($1, $2)
     on conflict (channel) do update set kinds = excluded.kinds`,
);

export interface LowBalance {
  readonly userId: string;
  readonly email: string;
  readonly availableSun: bigint;
  readonly thresholdSun: bigint;
  readonly lowSince: Date;
}

/**
 * Accounts that went below their own threshold within a day, are there still, and have not been told: those that wait longest first, or the
 * first of them would come again at every look, and the others never. Who was told within the hour waits for the end of it (`MARK`).
 */
export const LOW_BALANCES = statement<[most: number], LowBalance>(
  'notice_low_balances',
  `select u.id as "userId", u.email, a.balance_sun - a.held_sun as "availableSun", a.low_balance_sun as "thresholdSun",
          a.low_since as "lowSince"
     from accounts a join users u on u.id = a.user_id
     left join notice_marks m on m.kind = 'low_balance' and m.thing = u.id::text
    where a.low_since > now() - interval '1 day' and u.disabled_at is null
      and (m.kind is null or m.noticed_at > clock_timestamp() + interval '1 minute'
           or m.noticed_at < a.low_since and m.noticed_at <= clock_timestamp() - interval '1 hour')
    order by a.low_since limit $1`,
);

export interface StoppedWebhook {
  readonly id: string;
  readonly url: string;
  readonly email: string;
  readonly disabledAt: Date;
}

/** Those that the service itself has disabled within a day. */
export const STOPPED_WEBHOOKS = statement<[], StoppedWebhook>(
  'notice_stopped_webhooks',
  `select w.id, w.url, u.email, w.disabled_at as "disabledAt" from webhooks w join users u on u.id = w.user_id
    where w.state = 'disabled' and w.disabled_reason <> 'asked' and w.disabled_at > now() - interval '1 day'
    order by w.disabled_at desc limit 1000`,
);
