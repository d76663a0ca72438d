import { Injectable } from '@nestjs/common';
import type { Finding } from '../../billing/audit/audit-check';
import { ChainReads } from '../../chain/node/chain-reads';
import { Sql, type Statement } from '../../database/sql';
import type { DelegationState } from '../delegation.states';
import type { LentPair } from './lent-pairs';

export interface PairFinding extends Finding {
  /** The pool wallet whose stake is not explained. */
  readonly wallet: string;
}

interface PairOrder {
  id: string;
  stake_sun: bigint;
  state: DelegationState;
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

const LENT: readonly DelegationState[] = ['delegated', 'reclaiming', 'taking_back'];
const BACK: readonly DelegationState[] = ['reclaimed', 'taken_back'];

/** Says what became of a pair of wallet and receiver whose stake on chain the orders do not explain. */
@Injectable()
export class PairFindings {
  constructor(
    private readonly sql: Sql,
    private readonly reads: ChainReads,
  ) {}

  /** @throws NodeUnavailableError */
  async explain(pair: LentPair, shownSun: bigint): Promise<PairFinding> {
    const orders = await this.sql.rows<PairOrder & Record<string, unknown>>(ORDERS, [
      pair.walletAddress,
      pair.receiver,
    ]);
    const facts =
      shownSun < pair.leastSun
        ? await this.tooLittle(orders, shownSun, pair.leastSun)
        : tooMuch(orders, shownSun, pair.mostSun);
    return { subject: `${pair.wallet} to ${pair.receiver}`, wallet: pair.wallet, ...facts };
  }

  /** A delegation that is in its block was there once: then somebody has taken it back. */
  private async tooLittle(orders: readonly PairOrder[], shownSun: bigint, leastSun: bigint) {
    const amounts = `the chain shows ${shownSun} sun lent, the orders say at least ${leastSun}`;
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

function tooMuch(orders: readonly PairOrder[], shownSun: bigint, mostSun: bigint) {
  const excessSun = shownSun - mostSun;
  const amounts = `the chain shows ${shownSun} sun lent, the orders explain at most ${mostSun}`;
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
  return {
    kind: 'delegation_foreign',
    reason: amounts,
    next_step: 'Lent outside of this service: take it back by hand, or leave it and know that it is not for orders.',
  };
}
