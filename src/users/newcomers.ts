import { Injectable } from '@nestjs/common';
import { type Queryable, Sql, type SqlTransaction } from '../database/sql';
import { statement } from '../database/statement';

/** SQL: kinds of ledger entries by which money has come in. */
const PAID = `('credit', 'deposit')`;

/**
 * SQL: the user has signed up without an operator's hand, and neither money nor a subscription was ever booked to the account.
 * By the first payment, one of an account's first entries: a semi-join would read the whole ledger.
 */
export const isNewcomer = (user: string) => `${user}.sign_up_network is not null
  and (select paid.id from ledger_entries paid where paid.user_id = ${user}.id and paid.kind in ${PAID} order by paid.id limit 1) is null
  and not exists (select from subscriptions bought where bought.user_id = ${user}.id)`;

/** SQL: those of one network, of the smaller or the wider size; of all networks where the parameter is null. */
export const newcomersIn = (network: string) => `
  select id from users n where n.sign_up_network = ${network} and ${isNewcomer('n')}
  union select id from users n where n.sign_up_wide_network = ${network} and ${isNewcomer('n')}
  union select id from users n where ${network} is null and ${isNewcomer('n')}`;

const NETWORKS_OF = statement<[userId: string], { network: string; wide: string | null }>(
  'newcomer_networks',
  `select u.sign_up_network as network, u.sign_up_wide_network as wide from users u where u.id = $1 and ${isNewcomer('u')}`,
);
const HOLD = statement<[what: string]>('newcomer_hold', `select pg_advisory_xact_lock(hashtextextended($1, 0))`);

/** How much all newcomers of a network have for nothing, and all together. */
export interface NewcomerLimits {
  readonly network: number;
  /** An IPv6 network of 48 bits, which one customer of a provider may have. */
  readonly wide: number;
  readonly all: number;
}

/** Newcomers that share a limit: null is all of them. */
export interface SharedLimit {
  readonly network: string | null;
  readonly most: number;
}

/**
 * Accounts that cost their owner a mail address. What is free is bounded for each of them and for all of one network together: a hundred such
 * accounts buy no more than one.
 */
@Injectable()
export class Newcomers {
  constructor(private readonly sql: Sql) {}

  /** The limits that such a user shares with others, the largest first; none for every other user. */
  async limitsOf(userId: string, most: NewcomerLimits, db: Queryable = this.sql): Promise<SharedLimit[]> {
    const networks = await db.row(NETWORKS_OF, [userId]);
    if (!networks) return [];
    const wide = networks.wide === null ? [] : [{ network: networks.wide, most: most.wide }];
    return [{ network: null, most: most.all }, ...wide, { network: networks.network, most: most.network }];
  }

  /** Until the transaction ends, no other one counts the same of these. In the order of `limitsOf`, so that none waits for another in turns. */
  async hold(what: string, { network }: SharedLimit, tx: SqlTransaction): Promise<void> {
    await tx.execute(HOLD, [`${what} of newcomers in ${network ?? 'all networks'}`]);
  }
}
