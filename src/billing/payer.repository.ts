import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql';
import { statement } from '../database/statement';
import type { Costs } from './hold.statements';
import { isValidAt } from './validity.sql';

export interface Payers {
  readonly quota: boolean;
  readonly balance: boolean;
}

/** $1 user, $2 energy, $3 cost if the balance pays, $4 cost if quota pays, $5 block time: as `HOLD` chooses, without a lock. */
const PAYERS = statement<
  [userId: string, energy: bigint, fromBalanceSun: bigint | null, fromQuotaSun: bigint, timeMs: number],
  Payers
>(
  'billing_payers',
  `
    select coalesce(spendable >= $3::bigint, false) as balance, spendable >= $4::bigint and exists (
      select from subscriptions s
      where s.user_id = $1
        and ${isValidAt('s', '$5::bigint')}
        and s.quota_energy - s.used_energy - s.held_energy >= $2::bigint
    ) as quota
    from (select balance_sun - held_sun as spendable from accounts where user_id = $1) a`,
);

/** Reads which of `accounts` and `subscriptions` would pay. */
@Injectable()
export class PayerRepository {
  constructor(private readonly sql: Sql) {}

  async find(userId: string, energy: bigint, { fromBalanceSun, fromQuotaSun }: Costs, timeMs: number): Promise<Payers> {
    const found = await this.sql.row(PAYERS, [userId, energy, fromBalanceSun, fromQuotaSun, timeMs]);
    return found ?? { quota: false, balance: false };
  }
}
