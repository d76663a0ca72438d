import type { Client } from 'pg';
import type { Account } from '../../../local-chain/src/state/account.model';
import { keys } from '../../../local-chain/src/state/world.state';
import { tronPowerSun } from '../../../local-chain/src/votes/tron.power';
import { BYTES_A_TRANSACTION, SUN_A_BYTE } from '../../../src/chain/pool/wallets/fees';
import { SUN_PER_TRX } from '../../../src/common/money/sun';
import { toHexAddress } from '../../../src/chain/tron/addresses';
import type { SimChain } from '../network/sim-chain';

/** An order that is not over, with its transactions. */
interface LiveOrder {
  readonly wallet: string;
  readonly stake_sun: string;
  readonly is_open: boolean;
  readonly delegations: readonly string[];
  readonly reclaims: readonly string[];
}

const LIVE_ORDERS = `
  select w.address as wallet, d.stake_sun, d.state in ('pending', 'activating', 'sent', 'included') as is_open,
         array(select t.tx_id from chain_transactions t where t.subject_id = d.id and t.purpose = 'delegation') as delegations,
         array(select t.tx_id from chain_transactions t where t.subject_id = d.id and t.purpose = 'reclaim') as reclaims
    from delegations d join pool_wallets w on w.id = d.wallet_id where d.state not in ('reclaimed', 'taken_back', 'failed') order by d.id`;

/** What the head shows of a wallet's stake, and what the rows promise from it. */
export class StakeTruth {
  constructor(
    private readonly database: Client,
    private readonly chain: SimChain,
  ) {}

  account(address: string): Account {
    return this.chain.node.state.head().get(keys.account(toHexAddress(address))) as Account;
  }

  /** Whole votes, as nodes show them: by the head and by all that was sent since. */
  power(address: string): bigint {
    return tronPowerSun(this.chain.node.walletView().world.findAccount(toHexAddress(address))!) / SUN_PER_TRX;
  }

  isInBlock(txIds: readonly string[]): boolean {
    return txIds.some((txId) => this.chain.node.blocks.findTransaction(txId) !== undefined);
  }

  /** How many transactions bandwidth and TRX pay for; the network pays each wholly from one of them. */
  async paid(address: string): Promise<bigint> {
    const shown = await this.chain.ask('wallet/getaccountresource', { address, visible: true });
    const left = (what: string) => BigInt(Number(shown[`${what}Limit`] ?? 0) - Number(shown[`${what}Used`] ?? 0));
    const bytes = [left('Net'), left('freeNet'), this.account(address).balanceSun / SUN_A_BYTE];
    return bytes.reduce((sum, one) => sum + (one > 0n ? one / BYTES_A_TRANSACTION : 0n), 0n);
  }

  /** By wallet: how many transactions its orders still take, and how much of its stake they have been promised and is not lent. */
  async promised(): Promise<ReadonlyMap<string, { due: bigint; promisedSun: bigint }>> {
    const query = { name: 'sim_live_orders', text: LIVE_ORDERS };
    const promised = new Map<string, { due: bigint; promisedSun: bigint }>();
    for (const order of (await this.database.query<LiveOrder>(query)).rows) {
      const sums = promised.get(order.wallet) ?? { due: 0n, promisedSun: 0n };
      promised.set(order.wallet, sums);
      const isLent = this.isInBlock(order.delegations);
      if (!this.isInBlock(order.reclaims)) sums.due += isLent ? 1n : 2n;
      if (order.is_open && !isLent) sums.promisedSun += BigInt(order.stake_sun);
    }
    return promised;
  }
}
