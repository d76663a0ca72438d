import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Sql, type Statement } from '../../database/sql';
import { cutPage, PAGE_SIZE, type PageOf } from '../layout/pager';

export interface HoldRow {
  readonly delegation_id: string;
  readonly amount_sun: bigint;
  readonly quota_energy: bigint;
  readonly created_at: Date;
}

export interface SubscriptionRow {
  readonly id: string;
  readonly quota_energy: bigint;
  readonly used_energy: bigint;
  readonly held_energy: bigint;
  readonly valid_from: Date;
  readonly valid_until: Date;
  readonly state: 'valid' | 'ended' | 'usedUp';
}

/** As many as anybody would read; the account's held amount is the sum of all. */
const HOLDS: Statement = {
  name: 'panel-holds',
  text: `select delegation_id, amount_sun, quota_energy, created_at from holds
          where user_id = $1 and state = 'held' order by created_at desc limit 100`,
};

const SUBSCRIPTION_COLUMNS = `id, quota_energy, used_energy, held_energy, valid_from, valid_until,
  case when valid_until <= now() then 'ended' when used_energy >= quota_energy then 'usedUp' else 'valid' end as state`;

const SUBSCRIPTIONS: Statement = {
  name: 'panel-subscriptions',
  text: `select ${SUBSCRIPTION_COLUMNS} from subscriptions where user_id = $1 order by valid_until desc, id desc limit $2`,
};
const MORE_SUBSCRIPTIONS: Statement = {
  name: 'panel-subscriptions-after',
  text: `select ${SUBSCRIPTION_COLUMNS} from subscriptions
          where user_id = $1
            and (valid_until, id) < (select valid_until, id from subscriptions where id = $3 and user_id = $1)
          order by valid_until desc, id desc limit $2`,
};
const FIND_SUBSCRIPTION: Statement = {
  name: 'panel-subscription',
  text: `select ${SUBSCRIPTION_COLUMNS} from subscriptions where user_id = $1 and id = $2`,
};

type Row = SubscriptionRow & Record<string, unknown>;

@Injectable()
export class MoneyQueries {
  constructor(private readonly sql: Sql) {}

  holds(userId: string): Promise<HoldRow[]> {
    return this.sql.rows<HoldRow & Record<string, unknown>>(HOLDS, [userId]);
  }

  /** Those that last longest first. */
  async subscriptions(userId: string, after: string): Promise<PageOf<SubscriptionRow>> {
    const found = isUuid(after)
      ? await this.sql.rows<Row>(MORE_SUBSCRIPTIONS, [userId, PAGE_SIZE + 1, after])
      : await this.sql.rows<Row>(SUBSCRIPTIONS, [userId, PAGE_SIZE + 1]);
    return cutPage(found, (row) => row.id);
  }

  async findSubscription(userId: string, id: string): Promise<SubscriptionRow | null> {
    return isUuid(id) ? this.sql.row<Row>(FIND_SUBSCRIPTION, [userId, id]) : null;
  }
}
