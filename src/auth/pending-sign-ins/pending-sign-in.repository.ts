import { Injectable } from '@nestjs/common';
import { Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';
import type { Identity } from '../../users/user-record';

export interface PendingSignIn extends Identity {
  /** How the first step was taken. */
  readonly by: 'password' | 'link';
}

/** Limit for a user from one network at the same time: a thief of the password, elsewhere, pushes no other sign-in out. */
const MOST = 20;

const LIVE = `p.expires_at > now() and u.id = p.user_id and u.session_epoch = p.epoch and u.disabled_at is null`;

/** Only while the epoch is that in which the password was verified. */
const BEGIN = statement<
  [key: string, userId: string, sessionEpoch: number, by: string, network: string, lifetimeMs: number]
>(
  'pending_sign_in_begin',
  `with beyond as (
           delete from pending_sign_ins where key in (
             select key from pending_sign_ins where user_id = $2 and network = $5
              order by expires_at desc, key offset ${MOST - 1} for update skip locked))
         insert into pending_sign_ins (key, user_id, epoch, first_step, network, expires_at)
         select $1, id, session_epoch, $4, $5, now() + $6 * interval '1 millisecond'
           from users where id = $2 and session_epoch = $3 and disabled_at is null`,
);
const FIND = statement<[key: string], PendingSignIn>(
  'pending_sign_in_find',
  `select u.id as "userId", u.email, p.epoch as "sessionEpoch", p.first_step as by
           from pending_sign_ins p, users u where p.key = $1 and ${LIVE}`,
);
/** Deleting the row is using it: of two who try, one finds it. */
const USE = statement<[key: string]>(
  'pending_sign_in_use',
  `delete from pending_sign_ins p using users u where p.key = $1 and ${LIVE}`,
);
const END_ALL = statement('pending_sign_in_end_all', 'delete from pending_sign_ins');
const SWEEP = statement('pending_sign_in_sweep', 'delete from pending_sign_ins where expires_at < now()');

/** Table `pending_sign_ins`, by the hash of what the cookie holds. The database's clock decides what is live. */
@Injectable()
export class PendingSignInRepository {
  constructor(private readonly sql: Sql) {}

  /** False when all sessions of the user were ended since the password was verified. */
  async begin(
    key: string,
    { userId, sessionEpoch, by }: PendingSignIn,
    network: string,
    lifetimeMs: number,
  ): Promise<boolean> {
    return (await this.sql.execute(BEGIN, [key, userId, sessionEpoch, by, network, lifetimeMs])) > 0;
  }

  find(key: string): Promise<PendingSignIn | null> {
    return this.sql.row(FIND, [key]);
  }

  /** False when it was used, has expired or was ended meanwhile. */
  async use(key: string): Promise<boolean> {
    return (await this.sql.execute(USE, [key])) > 0;
  }

  /** Ends those of all users: none of them becomes a session. */
  async endAll(tx: SqlTransaction): Promise<void> {
    await tx.execute(END_ALL);
  }

  async sweep(): Promise<void> {
    await this.sql.execute(SWEEP);
  }
}
