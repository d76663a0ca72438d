import { ACTIVATION_SUN } from '../../chain/pool/wallets/fees';
import { ACCOUNT_FEES_SUN, BYTES_A_TRANSACTION, SUN_A_BYTE } from '../../chain/pool/wallets/fees';
import type { OrderCounts } from '../../reporting/reports/order-report';

/** What orders have cost on the chain, by its fees. */
export interface ChainCosts {
  readonly activations: bigint;
  /** Sent to receivers that were created. */
  readonly transferredSun: bigint;
  readonly accountFeesSun: bigint;
  /** Delegations and reclaims: each delegation that has landed has one. */
  readonly transactions: bigint;
  /** The most that their bandwidth cost: nothing where it was staked or free, and no node is asked for each of them. */
  readonly bandwidthAtMostSun: bigint;
}

export const EACH = {
  transferredSun: ACTIVATION_SUN,
  accountFeesSun: ACCOUNT_FEES_SUN,
  bandwidthAtMostSun: BYTES_A_TRANSACTION * SUN_A_BYTE,
} as const;

export function costsOf({ activations, activated_sun: transferredSun, landed }: OrderCounts): ChainCosts {
  const transactions = landed * 2n;
  return {
    activations,
    transferredSun,
    accountFeesSun: activations * EACH.accountFeesSun,
    transactions,
    bandwidthAtMostSun: transactions * EACH.bandwidthAtMostSun,
  };
}

export function activationCostSun({ transferredSun, accountFeesSun }: ChainCosts): bigint {
  return transferredSun + accountFeesSun;
}
