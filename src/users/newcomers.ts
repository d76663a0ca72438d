import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';

/** SQL: the user has signed up without an operator's hand, and neither money nor a subscription was ever booked to the account. */
export const isNewcomer = (user: string) => `${user}.sign_up_network is not null
  and not exists (select from ledger_entries paid where paid.user_id = ${user}.id and paid.kind = 'credit')
  and not exists (select from subscriptions bought where bought.user_id = ${user}.id)`;

const NETWORK_OF = statement<[userId: string], { network: string }>(
  'newcomer_network',
  `select u.sign_up_network as network from users u where u.id = $1 and ${isNewcomer('u')}`,
);
const HOLD = statement<[what: string]>('newcomer_hold', `select pg_advisory_xact_lock(hashtextextended($1, 0))`);

/**
 * Accounts that cost their owner a mail address. What is free is bounded for each of them and for all of one network together: a hundred such
 * accounts buy no more than one.
 */
@Injectable()
export class Newcomers {
  constructor(private readonly sql: Sql) {}

  /** The network that such a user has signed up from; null for every other user. */
  async networkOf(userId: string, db: Queryable = this.sql): Promise<string | null> {
    return (await db.row(NETWORK_OF, [userId]))?.network ?? null;
  }

  /** Until the transaction ends, no other one counts the same of this network. */
  async hold(what: string, network: string, tx: SqlTransaction): Promise<void> {
    await tx.execute(HOLD, [`${what} of newcomers in ${network}`]);
  }
}
