import { Injectable, Logger } from '@nestjs/common';
import { BillingService } from '../billing/billing.service';
import { Sql, type Statement } from '../database/sql';

/** Of orders that are over on both sides, row and chain, whose hold was never settled. */
const UNSETTLED: Statement = {
  name: 'mend_unsettled_holds',
  text: `
    select d.id, d.user_id,
           d.answer = 'failure' or d.state in ('failed', 'taken_back') as releases
      from delegations d
      join holds h on h.delegation_id = d.id and h.state = 'held'
      left join chain_transactions t on t.delegation_id = d.id and t.purpose = 'delegation'
     where d.state = 'failed' and coalesce(t.state, 'dead') = 'dead'
        or d.state in ('delegated', 'reclaiming', 'reclaimed', 'taking_back', 'taken_back') and t.state = 'final'
     order by d.user_id limit 500`,
};
const LOCK_ACCOUNT: Statement = {
  name: 'mend_lock_account',
  text: 'select user_id from accounts where user_id = $1 for update',
};
/** What is held is by definition the sum of the open holds; under the account's lock nobody changes it meanwhile. */
const HELD_AS_HOLDS_SAY: Statement = {
  name: 'mend_account_held',
  text: `
    with held as (select coalesce(sum(amount_sun), 0) as sun from holds where user_id = $1 and state = 'held')
    update accounts set held_sun = held.sun, updated_at = greatest(clock_timestamp(), updated_at + interval '1 microsecond')
      from held where user_id = $1 and held_sun <> held.sun and held.sun <= balance_sun`,
};
const ACCOUNTS_ADRIFT: Statement = {
  name: 'mend_accounts_adrift',
  text: `
    select a.user_id from accounts a
      left join (select user_id, sum(amount_sun) as total from holds where state = 'held' group by user_id) h using (user_id)
     where a.held_sun <> coalesce(h.total, 0) order by a.user_id limit 500`,
};

/**
 * Mends what can only have one right value: an order that is proved over settles its hold as its answer says, by the same
 * conditional updates as ever; a sum is what adds up to it. Everything else is left to people.
 */
@Injectable()
export class RepairService {
  private readonly logger = new Logger(RepairService.name);

  constructor(
    private readonly sql: Sql,
    private readonly billing: BillingService,
  ) {}

  /** What was mended, by the subject of its finding. What the end of the service leaves is mended by the next run. */
  async mend(signal?: AbortSignal): Promise<Map<string, string>> {
    // Sums first: a hold can only be settled out of an account that holds it.
    const corrected = await this.correctSums(signal);
    return new Map([...corrected, ...(await this.settleHolds(signal))]);
  }

  private async settleHolds(signal?: AbortSignal): Promise<[string, string][]> {
    const orders = await this.sql.rows<{ id: string; releases: boolean }>(UNSETTLED);
    const mended: [string, string][] = [];
    for (const { id, releases } of orders) {
      if (signal?.aborted) break;
      const settled = await this.sql
        .transaction((tx) => (releases ? this.billing.release(tx, id) : this.billing.take(tx, id)))
        .catch((error: unknown) => {
          // One that cannot be settled (a balance adrift) stays a finding and keeps no other from being settled.
          this.logger.error({ delegation: id, err: error }, 'A hold that was left behind could not be settled');
          return false;
        });
      if (!settled) continue;
      this.logger.warn({ delegation: id }, `A hold was left behind; it was ${releases ? 'released' : 'taken'}`);
      mended.push([`delegation ${id}`, releases ? 'mended: the hold was released' : 'mended: the hold was taken']);
    }
    return mended;
  }

  private async correctSums(signal?: AbortSignal): Promise<[string, string][]> {
    const mended: [string, string][] = [];
    for (const { user_id: userId } of await this.sql.rows<{ user_id: string }>(ACCOUNTS_ADRIFT)) {
      if (signal?.aborted) break;
      const corrected = await this.sql.transaction(async (tx) => {
        await tx.execute(LOCK_ACCOUNT, [userId]);
        return tx.execute(HELD_AS_HOLDS_SAY, [userId]);
      });
      if (corrected === 0) continue;
      this.logger.warn({ user: userId }, 'The held amount of an account was not the sum of its holds; it is now');
      mended.push([`user ${userId}`, 'mended: the held amount is the sum of the open holds again']);
    }
    return mended;
  }
}
