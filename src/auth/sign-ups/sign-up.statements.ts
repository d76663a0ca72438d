import { statement } from '../../database/statement';
import { mailboxSql } from '../../users/mailbox';
import { addKey, IS_OVER, KEPT, WORKS } from '../link-times.sql';

const COLUMNS = `id, email, name, password_hash as "passwordHash", browser_key as "browserKey", language, network, confirmed_at as "confirmedAt"`;

export interface SignUpRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The form gave it, until the address is confirmed. */
  readonly passwordHash: string;
  /** SHA-256 of the secret that the form's browser has; null once the address is confirmed. */
  readonly browserKey: string | null;
  readonly language: string;
  readonly network: string;
  /** null: not yet. */
  readonly confirmedAt: Date | null;
}

export interface Known {
  /** As it is stored: that is where the mail goes. */
  readonly email: string;
  readonly language: string | null;
  readonly waits: boolean;
}

/** The user with this mailbox, rather the one with this very address; else the sign-up that waits for an operator. */
export const FIND_KNOWN = statement<[email: string], Known>(
  'sign_up_find_known',
  `select email, language, false as waits, email = $1 as exact, created_at from users
    where ${mailboxSql('email')} = ${mailboxSql('$1::text')}
   union all
   select email, language, true, email = $1, created_at from sign_ups
    where ${mailboxSql('email')} = ${mailboxSql('$1::text')} and confirmed_at is not null
    order by waits, exact desc, created_at limit 1`,
);

export const ADD = statement<
  [
    id: string,
    email: string,
    name: string,
    passwordHash: string,
    browserKey: string,
    language: string,
    network: string,
    wide: string | null,
  ]
>(
  'sign_up_add',
  `insert into sign_ups (id, email, name, password_hash, browser_key, language, network, wide_network, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, now() + ${KEPT})`,
);

export const ADD_KEY = statement<[id: string, key: string]>('sign_up_add_key', addKey('sign_ups'));

export const FIND = statement<[id: string, key: string], SignUpRow>(
  'sign_up_find',
  `select ${COLUMNS} from sign_ups where id = $1 and ${WORKS}`,
);

/** Deleting the row is using the link: of two who try, one finds it. */
export const USE = statement<[id: string, key: string], SignUpRow>(
  'sign_up_use',
  `delete from sign_ups where id = $1 and ${WORKS} returning ${COLUMNS}`,
);

/** Likewise, where an operator decides: without its keys and its end the row waits. */
export const WAIT = statement<[id: string, key: string, passwordHash: string], SignUpRow>(
  'sign_up_wait',
  `update sign_ups set confirmed_at = now(), expires_at = null, keys = '{}', browser_key = null, password_hash = $3
    where id = $1 and ${WORKS} returning ${COLUMNS}`,
);

/** What else was asked for with this mailbox. */
export const FORGET_UNCONFIRMED = statement<[email: string]>(
  'sign_up_forget_unconfirmed',
  `delete from sign_ups where ${mailboxSql('email')} = ${mailboxSql('$1::text')} and confirmed_at is null`,
);

export const DECIDE = statement<[email: string], SignUpRow>(
  'sign_up_decide',
  `delete from sign_ups where email = $1 and confirmed_at is not null returning ${COLUMNS}`,
);

/** Oldest first. */
export const WAITING = statement<[most: number | null], SignUpRow>(
  'sign_up_waiting',
  `select ${COLUMNS} from sign_ups where confirmed_at is not null order by confirmed_at, id limit $1`,
);

export interface Waiting {
  readonly count: number;
  /** Null when none waits. */
  readonly newest: string | null;
  readonly newestAt: Date | null;
}

export const COUNT_WAITING = statement<[], Waiting>(
  'sign_up_count_waiting',
  `select count(*)::integer as count, (array_agg(email order by confirmed_at desc, id))[1] as newest, max(confirmed_at) as "newestAt"
     from sign_ups where confirmed_at is not null`,
);

/** Without a lock: those under way may be a few too many. */
export const HAS_PLACE = statement<
  [network: string, wide: string | null, ofNetwork: number, ofWide: number, ofAll: number],
  { free: boolean }
>(
  'sign_up_has_place',
  `select count(*) < $5 and count(*) filter (where network = $1) < $3 and count(*) filter (where wide_network = $2::text) < $4 as free
     from sign_ups where confirmed_at is not null`,
);

export const WITHDRAW_LINKS = statement('sign_up_withdraw_links', 'delete from sign_ups where confirmed_at is null');

export const SWEEP = statement('sign_up_sweep', `delete from sign_ups where ${IS_OVER}`);

export const SET_ORIGIN = statement<
  [userId: string, passwordHash: string, language: string, network: string, wide: string | null]
>(
  'sign_up_set_origin',
  'update users set password_hash = $2, language = $3, sign_up_network = $4, sign_up_wide_network = $5 where id = $1',
);
