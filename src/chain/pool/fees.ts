import { SUN_PER_TRX } from '../../common/sun';
import { ACTIVATION_SUN } from '../transactions';
import type { WalletRow } from './wallet-row';

/** Bytes of the largest of our transactions with its signature and result, rounded up (delegate 277 to 282, undelegate to 286). */
export const BYTES_A_TRANSACTION = 300n;
/** What a byte costs in TRX when there is no bandwidth (getTransactionFee). */
export const SUN_A_BYTE = 1_000n;
/** getCreateNewAccountFeeInSystemContract and getCreateAccountFee. */
const ACCOUNT_FEES_SUN = SUN_PER_TRX + SUN_PER_TRX / 10n;

/** The wallet can pay, by bandwidth or TRX, for a new delegation and for taking back all that it has lent. */
export function canPayOneMore(wallet: WalletRow): boolean {
  const due = wallet.transactions_due + 2n;
  return wallet.bandwidth + wallet.balance_sun / SUN_A_BYTE >= due * BYTES_A_TRANSACTION;
}

/** The wallet's TRX cover one more activation beside those under way. */
export function canActivateOneMore(wallet: WalletRow): boolean {
  return wallet.balance_sun >= (wallet.transactions_due + 1n) * (ACTIVATION_SUN + ACCOUNT_FEES_SUN);
}

/** How many more orders its bandwidth and TRX pay for, each with its reclaim, beside those under way. */
export function ordersPaid(wallet: WalletRow): bigint {
  const transactions = (wallet.bandwidth + wallet.balance_sun / SUN_A_BYTE) / BYTES_A_TRANSACTION;
  const left = transactions - wallet.transactions_due;
  return left > 0n ? left / 2n : 0n;
}

/** How many more activations its TRX pay for. */
export function activationsLeft(wallet: WalletRow): bigint {
  return wallet.balance_sun / (ACTIVATION_SUN + ACCOUNT_FEES_SUN);
}
