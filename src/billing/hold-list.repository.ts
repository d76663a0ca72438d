import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';

/** Energy or TRX held for an order that is not settled. */
export interface ListedHold {
  readonly delegationId: string;
  readonly amountSun: bigint;
  readonly quotaEnergy: bigint;
  readonly createdAt: Date;
}

/** All users together. */
export interface HeldTotal {
  readonly holds: number;
  readonly amountSun: bigint;
  readonly quotaEnergy: bigint;
}

export interface HoldPageQuery {
  /** The order of the last hold of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** Ids are made in the order of time, so that the newest come first by the key itself. */
const LIST = statement<[userId: string, limit: number, after: string | null], ListedHold>(
  'panel_holds',
  `select delegation_id as "delegationId", amount_sun as "amountSun", quota_energy as "quotaEnergy", created_at as "createdAt"
     from holds
    where user_id = $1 and state = 'held' and delegation_id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by delegation_id desc limit $2`,
);
const TOTAL = statement<[], HeldTotal>(
  'panel_overview_held',
  `select count(*)::integer as holds, coalesce(sum(amount_sun), 0)::bigint as "amountSun",
          coalesce(sum(quota_energy), 0)::bigint as "quotaEnergy"
     from holds where state = 'held'`,
);

/** Holds as the panel shows them. */
@Injectable()
export class HoldListRepository {
  constructor(private readonly sql: Sql) {}

  /** Newest first. */
  page(userId: string, { after, limit }: HoldPageQuery): Promise<ListedHold[]> {
    return this.sql.rows(LIST, [userId, limit, after]);
  }

  async total(): Promise<HeldTotal> {
    return (await this.sql.row(TOTAL))!;
  }
}
