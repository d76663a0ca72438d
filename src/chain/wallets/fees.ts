import { SUN_PER_TRX } from '../../common/money/sun';
import { ACTIVATION_SUN } from '../signing/transactions';
import { freeSun, type WalletRow } from './wallet-row';

/** Bytes of the largest of our transactions with its signature and result, rounded up (delegate 277 to 282, undelegate to 286). */
export const BYTES_A_TRANSACTION = 300n;
/** What a byte costs in TRX when there is no bandwidth (getTransactionFee). */
export const SUN_A_BYTE = 1_000n;
/** getCreateNewAccountFeeInSystemContract and getCreateAccountFee. */
const ACCOUNT_FEES_SUN = SUN_PER_TRX + SUN_PER_TRX / 10n;

type Payer = Pick<WalletRow, 'bandwidth' | 'free_bandwidth' | 'balance_sun' | 'transactions_due'>;

/**
 * Transactions that the wallet can pay for now, at least. The network takes the bytes of each wholly from the staked bandwidth,
 * else wholly from the free one, else wholly in TRX: what one of them has left, and is not enough, helps no other.
 */
export function transactionsPaid(wallet: Payer): bigint {
  const staked = wallet.bandwidth > wallet.free_bandwidth ? wallet.bandwidth - wallet.free_bandwidth : 0n;
  const inTrx = wallet.balance_sun / (BYTES_A_TRANSACTION * SUN_A_BYTE);
  return staked / BYTES_A_TRANSACTION + wallet.free_bandwidth / BYTES_A_TRANSACTION + inTrx;
}

/** The same of a wallet's newest row. */
export const TRANSACTIONS_PAID = (wallet: string): string => `
  (greatest(${wallet}.bandwidth - ${wallet}.free_bandwidth, 0) / ${BYTES_A_TRANSACTION}
   + ${wallet}.free_bandwidth / ${BYTES_A_TRANSACTION} + ${wallet}.balance_sun / ${BYTES_A_TRANSACTION * SUN_A_BYTE})`;

/** The wallet can pay for a new delegation and for taking back all that it has lent. */
export function canPayOneMore(wallet: Payer): boolean {
  return transactionsPaid(wallet) >= wallet.transactions_due + 2n;
}

/** What one order could get from it now: nothing while it rests, or cannot pay for the order and its reclaim. */
export function lendableSun(wallet: WalletRow): bigint {
  return !wallet.rests && canPayOneMore(wallet) ? freeSun(wallet) : 0n;
}

/** The wallet's TRX cover one more activation beside those under way. */
export function canActivateOneMore(wallet: WalletRow): boolean {
  return wallet.balance_sun >= (wallet.transactions_due + 1n) * (ACTIVATION_SUN + ACCOUNT_FEES_SUN);
}

/** How many more orders its bandwidth and TRX pay for, each with its reclaim, beside those under way. */
export function ordersPaid(wallet: Payer): bigint {
  const left = transactionsPaid(wallet) - wallet.transactions_due;
  return left > 0n ? left / 2n : 0n;
}

/** How many more activations its TRX pay for. */
export function activationsLeft(wallet: WalletRow): bigint {
  return wallet.balance_sun / (ACTIVATION_SUN + ACCOUNT_FEES_SUN);
}
