import { formatTrx } from '../common/money/sun';
import type { Asset, DepositState, WaitingFor } from './deposit-states';

/** A deposit as it is shown. */
export interface DepositView {
  readonly id: string;
  readonly user_id: string;
  readonly user: string;
  readonly txid: string | null;
  readonly index: number | null;
  readonly address: string;
  readonly asset: Asset;
  readonly amount: bigint;
  /** Null until it is credited. */
  readonly credited_sun: bigint | null;
  readonly rate_sun: bigint | null;
  readonly state: DepositState;
  readonly waits_for: WaitingFor | null;
  readonly note: string | null;
  readonly block_number: bigint | null;
  /** Blocks from its own to the head, both counted: 0 without a block. */
  readonly confirmations: number;
  readonly seen_at: string;
  readonly credited_at: string | null;
}

/** On the command line and in the ledger: both assets have six places. */
export const formatAmount = ({ amount, asset }: Pick<DepositView, 'amount' | 'asset'>) =>
  `${formatTrx(amount)} ${asset}`;
