import { ACTIVATION_SUN } from '../../chain/pool/wallets/fees';
import { ACCOUNT_FEES_SUN, BYTES_A_TRANSACTION, SUN_A_BYTE } from '../../chain/pool/wallets/fees';
import type { Burned } from '../../reporting/burned-bandwidth/burned-bandwidth.repository';
import type { OrderCounts } from '../../reporting/reports/order-report';

/** What orders have cost on the chain, by its fees. */
export interface ChainCosts {
  readonly activations: bigint;
  /** Sent to receivers that were created. */
  readonly transferredSun: bigint;
  readonly accountFeesSun: bigint;
}

/** What the bytes of our transactions cost: nothing where bandwidth was staked or free. */
export interface BandwidthCosts {
  /** It is known what they burned, on the UTC days of their blocks. */
  readonly read: bigint;
  readonly burnedSun: bigint;
  /** Delegations and reclaims, due ones among them, beyond those that were read. */
  readonly unread: bigint;
  readonly unreadAtMostSun: bigint;
}

export const EACH = {
  transferredSun: ACTIVATION_SUN,
  accountFeesSun: ACCOUNT_FEES_SUN,
  unreadAtMostSun: BYTES_A_TRANSACTION * SUN_A_BYTE,
} as const;

export function costsOf({ activations, activated_sun: transferredSun }: OrderCounts): ChainCosts {
  return { activations, transferredSun, accountFeesSun: activations * EACH.accountFeesSun };
}

/** Each delegation that has landed has a reclaim. */
export function bandwidthCostsOf({ landed }: OrderCounts, { transactions: read, burnedSun }: Burned): BandwidthCosts {
  const unread = landed * 2n > read ? landed * 2n - read : 0n;
  return { read, burnedSun, unread, unreadAtMostSun: unread * EACH.unreadAtMostSun };
}

export function activationCostSun({ transferredSun, accountFeesSun }: ChainCosts): bigint {
  return transferredSun + accountFeesSun;
}
