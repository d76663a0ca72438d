import { Injectable } from '@nestjs/common';
import { isLockPast, type DelegatedStake, takeableSun } from '../../chain/delegated-stake';
import { ChainReads } from '../../chain/node/chain-reads';
import { formatTrx } from '../../common/money/sun';
import { Sql, type Statement } from '../../database/sql';
import type { OrderState } from '../../delegation/order.states';
import type { Finding } from '../../findings/finding';
import { type DelegatedResource, subjectOf } from './delegated-resources';
import type { StakeDifference } from './stake-difference';

export interface DelegatedResourceFinding extends Finding {
  /** The pool wallet whose stake is not explained. */
  readonly wallet: string;
  readonly receiver: string;
  /** Of the pair, whatever it is found as: at least so much is lent by somebody else, and at least so much is gone. */
  readonly foreignSun: bigint;
  readonly missingSun: bigint;
}

/** What the solid chain shows between a wallet and a receiver, and at which block it was read or a little before. */
export interface PairReading {
  readonly pair: DelegatedResource;
  readonly stake: DelegatedStake;
  readonly blockTimeMs: number;
  readonly difference: StakeDifference;
}

type Facts = Pick<Finding, 'kind' | 'reason' | 'next_step'>;

interface PairOrder {
  id: string;
  stake_sun: bigint;
  state: OrderState;
  tx_id: string | null;
  delegation_block: bigint | null;
}

const ORDERS: Statement = {
  name: 'audit_pair_orders',
  text: `
    select d.id, d.stake_sun, d.state, d.delegation_block, t.tx_id
      from delegations d
      join pool_wallets w on w.id = d.wallet_id
      left join chain_transactions t on t.delegation_id = d.id and t.purpose = 'delegation'
     where w.address = $1 and d.receiver = $2 and d.state not in ('failed', 'activating')
     order by d.created_at desc limit 200`,
};

const LENT: readonly OrderState[] = ['delegated', 'reclaiming', 'taking_back'];
const BACK: readonly OrderState[] = ['reclaimed', 'taken_back'];

/** Says what became of a pair of wallet and receiver whose stake on chain the orders do not explain. */
@Injectable()
export class DelegatedResourceFindings {
  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
  ) {}

  /** @throws NodeUnavailableError */
  async explain(reading: PairReading): Promise<DelegatedResourceFinding[]> {
    const { pair, stake, blockTimeMs, difference } = reading;
    const orders = await this.sql.rows<PairOrder & Record<string, unknown>>(ORDERS, [
      pair.walletAddress,
      pair.receiver,
    ]);
    const facts: Facts[] = [];
    if (difference.missingSun.least > 0n) {
      facts.push(await this.tooLittle(orders, takeableSun(stake, blockTimeMs), pair.leastSun));
    }
    if (difference.foreignSun.least > 0n) facts.push(...tooMuch(orders, reading));
    return facts.map((found) => ({
      ...found,
      subject: subjectOf(pair),
      wallet: pair.wallet,
      receiver: pair.receiver,
      foreignSun: difference.foreignSun.least,
      missingSun: difference.missingSun.least,
    }));
  }

  /** A delegation that is in its block was there once: then somebody has taken it back. */
  private async tooLittle(orders: readonly PairOrder[], shownSun: bigint, leastSun: bigint): Promise<Facts> {
    const amounts = `the chain shows ${formatTrx(shownSun)} TRX lent, the orders say at least ${formatTrx(leastSun)}`;
    const absent: string[] = [];
    for (const order of orders) {
      if (LENT.includes(order.state) && !(await this.isInItsBlock(order))) absent.push(order.id);
    }
    if (absent.length > 0) {
      return {
        kind: 'delegation_missing',
        reason: `${amounts}; not in the block that their rows name: ${absent.join(', ')}`,
        next_step: 'The rows are wrong (a restored backup, a change by hand): correct them before anything is charged.',
      };
    }
    return {
      kind: 'undelegation_foreign',
      reason: `${amounts}; every delegation of them is in its block`,
      next_step:
        'Stake was taken back by somebody else with the wallet key: find out who, rotate the key, then pool:resume.',
    };
  }

  private async isInItsBlock({ delegation_block: block, tx_id: txId }: PairOrder): Promise<boolean> {
    if (block === null || txId === null) return false;
    const [found] = await this.reads.blocks('walletsolidity', Number(block), Number(block));
    return found?.txIds.has(txId) ?? false;
  }
}

function tooMuch(orders: readonly PairOrder[], reading: PairReading): Facts[] {
  const { unlockedSun, lockedSun } = reading.stake;
  const { mostSun } = reading.pair;
  const amounts = `the chain shows ${formatTrx(unlockedSun)} TRX lent, the orders explain at most ${formatTrx(mostSun)}`;
  const ours = unlockedSun > mostSun ? ofAnOrder(orders, unlockedSun - mostSun, amounts) : undefined;
  if (!ours) return [foreign(amounts, reading)];
  return lockedSun > 0n ? [ours, foreign(amounts, reading)] : [ours];
}

/** What is lent beside the orders has exactly the stake of one of them. */
function ofAnOrder(orders: readonly PairOrder[], excessSun: bigint, amounts: string): Facts | undefined {
  const returned = orders.find(({ state, stake_sun }) => BACK.includes(state) && stake_sun === excessSun);
  if (returned) {
    return {
      kind: 'stake_not_released',
      reason: `${amounts}; the rest is the stake of ${returned.id}, which counts as ${returned.state}`,
      next_step: 'Set the order back to reclaiming with the service stopped, or take the stake back by hand.',
    };
  }
  const doubled = orders.find(({ state, stake_sun }) => !BACK.includes(state) && stake_sun === excessSun);
  if (doubled) {
    return {
      kind: 'delegation_double',
      reason: `${amounts}; the rest is exactly the stake of ${doubled.id} once more`,
      next_step: 'Take the second stake back by hand once you know who signed it; the order takes back only its own.',
    };
  }
  return undefined;
}

function foreign(amounts: string, { stake, blockTimeMs }: PairReading): Facts {
  const { lockedSun } = stake;
  const until = new Date(stake.lockedUntilMs).toISOString();
  if (lockedSun > 0n && isLockPast(stake, blockTimeMs)) {
    return {
      kind: 'delegation_foreign',
      reason: `${amounts}; ${formatTrx(lockedSun)} TRX more were locked until ${until} and can be taken back`,
      next_step:
        'This service never locks: find out who has the wallet key, rotate it, take the stake back by hand, then pool:resume.',
    };
  }
  if (lockedSun > 0n) {
    return {
      kind: 'delegation_foreign',
      reason: `${amounts}; ${formatTrx(lockedSun)} TRX more are locked until ${until}`,
      next_step:
        'This service never locks: find out who has the wallet key and rotate the key now. Nobody can take the stake back before that time.',
    };
  }
  return {
    kind: 'delegation_foreign',
    reason: amounts,
    next_step: 'Lent outside of this service: take it back by hand, or leave it and know that it is not for orders.',
  };
}
