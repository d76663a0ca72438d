import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

/** A subscription as it is listed, with what the database's clock says of it. */
export interface ListedSubscription {
  readonly id: string;
  readonly quotaEnergy: bigint;
  readonly usedEnergy: bigint;
  readonly heldEnergy: bigint;
  readonly validFrom: Date;
  readonly validUntil: Date;
  readonly state: 'valid' | 'ended' | 'usedUp';
}

export interface SubscriptionPageQuery {
  /** The last subscription of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

const SELECT = `
  select id, quota_energy as "quotaEnergy", used_energy as "usedEnergy", held_energy as "heldEnergy",
         valid_from as "validFrom", valid_until as "validUntil",
         case when valid_until <= now() then 'ended' when used_energy >= quota_energy then 'usedUp' else 'valid' end as state
    from subscriptions`;
const LONGEST_FIRST = 'order by valid_until desc, id desc limit $2';

const LIST = statement<[userId: string, limit: number], ListedSubscription>(
  'panel_subscriptions_page',
  `${SELECT} where user_id = $1 ${LONGEST_FIRST}`,
);
/** A page cannot go on from another user's subscription: it reads like one that never was. */
const LIST_AFTER = statement<[userId: string, limit: number, after: string], ListedSubscription>(
  'panel_subscriptions_page_after',
  `${SELECT} where user_id = $1
      and (valid_until, id) < (select valid_until, id from subscriptions where id = $3 and user_id = $1) ${LONGEST_FIRST}`,
);
const FIND = statement<[userId: string, id: string], ListedSubscription>(
  'panel_subscriptions_one',
  `${SELECT} where user_id = $1 and id = $2`,
);

/** Subscriptions as the panel shows them. */
@Injectable()
export class SubscriptionListRepository {
  constructor(private readonly sql: Sql) {}

  /** Those that last longest first. */
  page(userId: string, { after, limit }: SubscriptionPageQuery): Promise<ListedSubscription[]> {
    return after === null ? this.sql.rows(LIST, [userId, limit]) : this.sql.rows(LIST_AFTER, [userId, limit, after]);
  }

  /** Another user's reads as not there. */
  async find(userId: string, id: string): Promise<ListedSubscription | null> {
    return isUuid(id) ? this.sql.row(FIND, [userId, id]) : null;
  }
}
