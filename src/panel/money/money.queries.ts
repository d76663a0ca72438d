import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Sql, type Statement } from '../../database/sql';
import { PagesOfUser } from '../http/pages-of-user';
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

/** Ids are made in the order of time, so that the newest come first by the key itself. */
const HOLDS: Statement = {
  name: 'panel-holds',
  text: `select delegation_id, amount_sun, quota_energy, created_at from holds
          where user_id = $1 and state = 'held' and delegation_id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
          order by delegation_id desc limit $2`,
};

const SUBSCRIPTIONS = new PagesOfUser<SubscriptionRow>(
  'panel-subscriptions',
  `id, quota_energy, used_energy, held_energy, valid_from, valid_until,
   case when valid_until <= now() then 'ended' when used_energy >= quota_energy then 'usedUp' else 'valid' end as state`,
  'subscriptions',
  'valid_until',
);

@Injectable()
export class MoneyQueries {
  constructor(private readonly sql: Sql) {}

  /** Newest first. */
  async holds(userId: string, after: string): Promise<PageOf<HoldRow>> {
    const values = [userId, PAGE_SIZE + 1, isUuid(after) ? after : null];
    const found = await this.sql.rows<HoldRow & Record<string, unknown>>(HOLDS, values);
    return cutPage<HoldRow>(found, (row) => row.delegation_id);
  }

  /** Those that last longest first. */
  subscriptions(userId: string, after: string): Promise<PageOf<SubscriptionRow>> {
    return SUBSCRIPTIONS.read(this.sql, userId, after);
  }

  subscription(userId: string, id: string): Promise<SubscriptionRow | null> {
    return SUBSCRIPTIONS.find(this.sql, userId, id);
  }
}
