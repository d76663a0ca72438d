import { SUN_PER_TRX } from '../../../common/money/sun';
import { freeSun, type WalletRow } from './wallet-row';

/** Sent to a receiver to create its account; the network burns another 1.1 TRX (`ACCOUNT_FEES_SUN`). */
export const ACTIVATION_SUN = SUN_PER_TRX;
/** Our largest transaction with signature and result, rounded up (delegate 277 to 282 bytes, undelegate up to 286). */
export const BYTES_A_TRANSACTION = 300n;
/** Witness and count of one of several in a vote (29 to 34 bytes), rounded up. */
export const BYTES_A_VOTE = 34n;
/** The price of a byte without bandwidth (chain parameter getTransactionFee). */
export const SUN_A_BYTE = 1_000n;
/** Chain parameters getCreateNewAccountFeeInSystemContract and getCreateAccountFee. */
export const ACCOUNT_FEES_SUN = SUN_PER_TRX + SUN_PER_TRX / 10n;

type FeePayer = Pick<WalletRow, 'bandwidth' | 'free_bandwidth' | 'balance_sun' | 'transactions_due'>;

/**
 * How many transactions the wallet can certainly pay for now. The network pays each one wholly from staked bandwidth, else wholly from
 * free bandwidth, else wholly in TRX: what is left of two of them cannot pay for one together.
 */
export function transactionsPaid(wallet: FeePayer): bigint {
  const staked = wallet.bandwidth > wallet.free_bandwidth ? wallet.bandwidth - wallet.free_bandwidth : 0n;
  const inTrx = wallet.balance_sun / (BYTES_A_TRANSACTION * SUN_A_BYTE);
  return staked / BYTES_A_TRANSACTION + wallet.free_bandwidth / BYTES_A_TRANSACTION + inTrx;
}

/** The same as SQL. */
export const TRANSACTIONS_PAID = (wallet: string): string => `
  (greatest(${wallet}.bandwidth - ${wallet}.free_bandwidth, 0) / ${BYTES_A_TRANSACTION}
   + ${wallet}.free_bandwidth / ${BYTES_A_TRANSACTION} + ${wallet}.balance_sun / ${BYTES_A_TRANSACTION * SUN_A_BYTE})`;

/** The wallet can pay for a new order and for every reclaim still due. */
export function canPayOneMore(wallet: FeePayer): boolean {
  return transactionsPaid(wallet) >= wallet.transactions_due + 2n;
}

/** The stake that one order could get from it now: nothing while it rests or cannot pay for the order and its reclaim. */
export function lendableSun(wallet: WalletRow): bigint {
  return !wallet.rests && canPayOneMore(wallet) ? freeSun(wallet) : 0n;
}

/** The wallet's TRX pays for one more activation than those under way. */
export function canActivateOneMore(wallet: WalletRow): boolean {
  return wallet.balance_sun >= (wallet.transactions_due + 1n) * (ACTIVATION_SUN + ACCOUNT_FEES_SUN);
}

/** How many more orders its bandwidth and TRX pay for, each with its reclaim. */
export function ordersPaid(wallet: FeePayer): bigint {
  const left = transactionsPaid(wallet) - wallet.transactions_due;
  return left > 0n ? left / 2n : 0n;
}

/** How many activations its TRX pays for. */
export function activationsLeft(wallet: WalletRow): bigint {
  return wallet.balance_sun / (ACTIVATION_SUN + ACCOUNT_FEES_SUN);
}
