import { ENERGY_PER_TRANSACTION } from '../billing/energy-amount';
import { energyOfStake, type EnergyRate } from '../chain/energy';
import { lendableSun } from '../chain/wallets/fees';
import type { WalletRow } from '../chain/wallets/wallet-row';
import type { Document } from './output';

export const WALLET_COLUMNS = [
  'name',
  'address',
  'role',
  'state',
  'stake_sun',
  'delegable_sun',
  'reserved_sun',
  'largest_order',
  'balance_sun',
  'bandwidth',
  'resting_until',
] as const;

/** `largest_order` in whole transactions: more than no single wallet can cover. */
export function walletDocument(wallet: WalletRow, rate: EnergyRate | null): Document {
  const energy = rate && wallet.role === 'delegate' ? energyOfStake(lendableSun(wallet), rate) : 0n;
  return {
    name: wallet.name,
    address: wallet.address,
    role: wallet.role,
    state: wallet.state,
    stake_sun: wallet.stake_sun.toString(),
    delegable_sun: wallet.delegable_sun.toString(),
    reserved_sun: wallet.reserved_sun.toString(),
    largest_order: Number(energy / ENERGY_PER_TRANSACTION),
    balance_sun: wallet.balance_sun.toString(),
    bandwidth: Number(wallet.bandwidth),
    resting_until: wallet.rests ? wallet.resting_until!.toISOString() : null,
  };
}
