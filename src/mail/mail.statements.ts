import { IS_RESTORED } from '../database/identity/database-identity.sql';
import { claimDue, recordAttempt } from '../database/outbox.sql';
import { statement } from '../database/statement';
import { mailboxSql } from '../users/mailbox';
import {
  MOST_FOR_ADDRESS,
  MOST_FOR_NETWORK,
  MOST_FOR_WIDE_NETWORK,
  MOST_OF_KIND,
  MOST_TOLD_A_DAY,
  MOST_TOLD_AN_HOUR,
  PLACES_FOR_RESET,
} from './mail-limits';
import type { MailState } from './mails.entities';

const RESET = 'password_reset';

/** Without those that were written while the clock was ahead: they would count until it is that time. */
const within = (time: string) =>
  `created_at > statement_timestamp() - interval '${time}' and created_at < statement_timestamp() + interval '1 hour'`;
const WITHIN_HOUR = within('1 hour');
const ofMailbox = (email: string, which: string, time = '1 hour') =>
  `(select count(*) from mails where ${mailboxSql('address')} = ${mailboxSql(email)} and ${which} and ${within(time)})`;
/** SQL: whether one more may be asked for from these. The wide network is null of IPv4. */
const networkHasPlace = (network: string, wide: string) => `
  ((select count(*) from mails where network = ${network} and ${WITHIN_HOUR}) < ${MOST_FOR_NETWORK}
   and (select count(*) from mails where wide_network = ${wide} and ${WITHIN_HOUR}) < ${MOST_FOR_WIDE_NETWORK})`;
/** SQL: whether one more of a kind may go to this. */
const mailboxHasPlace = (kind: string, address: string) => `
  (${ofMailbox(address, 'network is not null')} < ${MOST_FOR_ADDRESS}
   and (${kind} = '${RESET}' or ${ofMailbox(address, `network is not null and kind <> '${RESET}'`)} < ${MOST_FOR_ADDRESS - PLACES_FOR_RESET}))`;

/** Until the transaction ends, no other one counts for these: sorted, so that two never wait for each other. */
export const LOCK_COUNTS = statement<[names: readonly string[]]>(
  'mail_lock_counts',
  `select pg_advisory_xact_lock(key)
     from (select distinct hashtextextended('mails ' || name, 0) as key from unnest($1::text[]) as name order by key) keys`,
);

/** A limit of mails in an hour. */
export type LimitReached = 'network' | 'mailbox' | 'total';

export const LIMIT_REACHED = statement<
  [kind: string, network: string, wide: string | null, address: string],
  { reached: Exclude<LimitReached, 'total'> | null }
>(
  'mail_limit_reached',
  `select case when not ${networkHasPlace('$2', '$3::text')} then 'network'
               when not ${mailboxHasPlace('$1', '$4')} then 'mailbox' end as reached`,
);

/**
 * Behind the locks. Nothing when the networks, the address or all together have had their mails of the hour; without a lock for all, those under way
 * may be a few too many.
 */
export const ASK = statement<
  [
    id: string,
    kind: string,
    address: string,
    network: string,
    wide: string | null,
    language: string | null,
    facts: string,
    linkFor: string | null,
    state: MailState,
  ]
>(
  'mail_ask',
  `insert into mails (id, kind, address, network, wide_network, language, facts, link_for, state, next_at, ended_at)
   select $1, $2, $3, $4, $5::text, $6, $7::jsonb, $8, $9::text, case when $9::text = 'pending' then clock_timestamp() end,
          case when $9::text <> 'pending' then clock_timestamp() end
    where ${networkHasPlace('$4', '$5::text')} and ${mailboxHasPlace('$2', '$3')}
      and (select count(*) from mails
            where kind = $2 and network is not null and (state = 'void') = ($9::text = 'void') and ${WITHIN_HOUR}) < ${MOST_OF_KIND}`,
);

export const SEND = statement<
  [id: string, kind: string, address: string, language: string | null, facts: string, linkFor: string | null]
>(
  'mail_send',
  `insert into mails (id, kind, address, language, facts, link_for, next_at)
   values ($1, $2, $3, $4, $5::jsonb, $6, clock_timestamp())`,
);

/** What a stranger's forms asked for counts apart. */
const TOLD = 'network is null and kind = $2';

/** To the address that the user has now. */
export const TELL = statement<
  [id: string, kind: string, userId: string, facts: string, linkFor: string | null, limited: boolean]
>(
  'mail_tell',
  `insert into mails (id, kind, address, language, facts, link_for, next_at)
   select $1, $2, u.email, u.language, $4::jsonb, $5, clock_timestamp() from users u
    where u.id = $3 and (not $6::boolean or ${ofMailbox('u.email', TOLD)} < ${MOST_TOLD_AN_HOUR}
                                   and ${ofMailbox('u.email', TOLD, '1 day')} < ${MOST_TOLD_A_DAY})`,
);

export interface ClaimedMail {
  readonly id: string;
  readonly epoch: number;
  readonly kind: string;
  readonly address: string;
  readonly language: string | null;
  readonly facts: Readonly<Record<string, string>>;
  readonly linkFor: string | null;
  /** With the one that is about to begin. */
  readonly attempts: number;
  readonly ageMs: number;
}

/** A copy sends nothing that its original sends: a restored database waits until an operator says that it is the one to go on with. */
export const CLAIM = statement<[most: number], ClaimedMail>(
  'mail_claim',
  claimDue({
    table: 'mails',
    which: `not ${IS_RESTORED}`,
    most: '$1',
    returning: `o.id, o.epoch, o.kind, o.address, o.language, o.facts, o.link_for as "linkFor", o.attempts,
      (extract(epoch from clock_timestamp() - o.created_at) * 1000)::float8 as "ageMs"`,
  }),
);

export const RECORD = statement<
  [id: string, epoch: number, state: MailState, error: string | null, delayMs: number | null]
>('mail_record', recordAttempt('mails', `ended_at = case when $3 <> 'pending' then clock_timestamp() end,`));

/** Those that wait. */
export const VOID_PENDING = statement(
  'mail_void_pending',
  `update mails set state = 'void', next_at = null, claimed_until = null, epoch = epoch + 1, ended_at = clock_timestamp()
    where state = 'pending'`,
);

export interface MailView {
  readonly id: string;
  readonly kind: string;
  readonly address: string;
  readonly state: MailState;
  readonly attempts: number;
  readonly error: string | null;
  readonly createdAt: Date;
}

/** Newest first. */
export const LATEST = statement<[most: number], MailView>(
  'mail_latest',
  `select id, kind, address, state, attempts, error, created_at as "createdAt"
     from mails where state <> 'void' order by created_at desc, id desc limit $1`,
);

export interface MailBacklog {
  readonly pending: number;
  /** A mail whose address the server refuses does not count: strangers choose addresses. */
  readonly oldestSeconds: number;
  /** A day after they were written: counted for another one. */
  readonly givenUp: number;
  /** The mail server refuses the address; of one day. */
  readonly refusedAddresses: number;
  /** Since the server last took a mail it refused addresses of so many, for good or for now: with several it may refuse every address. */
  readonly refusedDomains: number;
}

/** SQL: errors that are the server's answer to an address. */
const REFUSED = "'RCPT %'";

/** In a restored database nothing counts as waiting: it holds all back. */
export const BACKLOG = statement<[], MailBacklog>(
  'mail_backlog',
  `select w.pending, w."oldestSeconds", f."givenUp", f."refusedAddresses", r."refusedDomains"
     from (select count(*)::integer as pending,
                  coalesce(extract(epoch from clock_timestamp() - min(created_at) filter (where error is null or error not like ${REFUSED})), 0)::float8 as "oldestSeconds"
             from mails where state = 'pending' and not ${IS_RESTORED}) w,
          (select count(distinct split_part(address, '@', 2))::integer as "refusedDomains"
             from mails
            where error like ${REFUSED} and created_at > greatest(clock_timestamp() - interval '1 day',
              (select max(ended_at) from mails where state = 'sent' and created_at > clock_timestamp() - interval '2 days'))) r,
          (select count(*) filter (where state = 'failed')::integer as "givenUp",
                  count(*) filter (where state = 'undeliverable')::integer as "refusedAddresses"
             from mails where state in ('failed', 'undeliverable') and ended_at > clock_timestamp() - interval '1 day') f`,
);

/** A mail that arrived stays in the list with its address and time; one that did not goes: its address may be a stranger's slip. */
export const DELETE_OLD = statement(
  'mail_delete_old',
  `delete from mails
    where created_at < clock_timestamp() - interval '30 days'
       or state in ('failed', 'undeliverable', 'void') and ended_at < clock_timestamp() - interval '1 day'`,
);
export const FORGET_CONTENT = statement(
  'mail_forget_content',
  `update mails set facts = '{}', link_for = null
    where state = 'sent' and ended_at < clock_timestamp() - interval '1 day' and (facts <> '{}' or link_for is not null)`,
);
