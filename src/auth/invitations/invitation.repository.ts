import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';

type InvitedRow =
  | { readonly userId: string; readonly email: string; readonly name: string }
  | { readonly userId: null; readonly email: null; readonly name: null };

/** Older links of the same user, or for the first operator, end with this one. */
const INVITE = statement<[key: string, userId: string | null, validHours: number], { expires_at: Date }>(
  'invitation_create',
  `with older as (delete from invitations where user_id is not distinct from $2 and key <> $1)
         insert into invitations (key, user_id, expires_at) values ($1, $2, now() + $3 * interval '1 hour')
         returning expires_at`,
);

const NO_OPERATOR = 'not exists (select from users where operator)';

/** The first operator's link is void as soon as there is an operator. */
const FIND = statement<[key: string], InvitedRow>(
  'invitation_find',
  `select i.user_id as "userId", u.email, u.name
           from invitations i left join users u on u.id = i.user_id
          where i.key = $1 and i.expires_at > now() and u.disabled_at is null
            and (i.user_id is not null or ${NO_OPERATOR})`,
);

/** Deleting the row is using the link: of two who try, one finds it. */
const USE = statement<[key: string], { user_id: string | null }>(
  'invitation_use',
  `delete from invitations i where i.key = $1 and i.expires_at > now()
            and (i.user_id is not null or ${NO_OPERATOR})
         returning i.user_id`,
);

const WITHDRAW = statement<[userId: string]>(
  'invitation_withdraw',
  'delete from invitations where user_id = $1 and expires_at > now()',
);

const WITHDRAW_ALL = statement<[], { withdrawn: number }>(
  'invitation_withdraw_all',
  `with withdrawn as (delete from invitations returning expires_at)
         select count(*)::integer as withdrawn from withdrawn where expires_at > now()`,
);
const SWEEP = statement('invitation_sweep', 'delete from invitations where expires_at < now()');

/** Table `invitations`, by the hash of the secret in the link. */
@Injectable()
export class InvitationRepository {
  constructor(private readonly sql: Sql) {}

  /** Ends older links of the same user, or for the first operator where `userId` is null; returns when this one expires. */
  async create(key: string, userId: string | null, validHours: number, tx: SqlTransaction): Promise<Date> {
    return (await tx.row(INVITE, [key, userId, validHours]))!.expires_at;
  }

  /** Null when the link can no longer be used. */
  find(key: string): Promise<InvitedRow | null> {
    return this.sql.row(FIND, [key]);
  }

  /** False when it can no longer be used. */
  async use(key: string, tx: SqlTransaction): Promise<boolean> {
    return (await tx.row(USE, [key])) !== null;
  }

  /** Whether there was a link that could still be used. */
  async withdraw(userId: string, db: Queryable = this.sql): Promise<boolean> {
    return (await db.execute(WITHDRAW, [userId])) > 0;
  }

  /** Withdraws the links of all users. Returns how many could still be used. */
  async withdrawAll(tx: SqlTransaction): Promise<number> {
    return (await tx.row(WITHDRAW_ALL))!.withdrawn;
  }

  async deleteExpired(): Promise<void> {
    await this.sql.execute(SWEEP);
  }
}
