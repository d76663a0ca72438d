import type BigNumber from 'bignumber.js';
import type { TransferSize } from '../chain/head/transfer-size';

export type SizedTransfer = Extract<TransferSize, { kind: 'sized' }>;

/** What an order would be and cost at this moment. It reserves and promises nothing. */
export interface Quote {
  readonly receiver: string;
  readonly activated: boolean;
  readonly contract: boolean;
  readonly energyAvailable: bigint;
  readonly transactions: BigNumber;
  /** Of an order of so many transactions. */
  readonly energy: bigint;
  /** Without the activation. */
  readonly costSun: bigint;
  readonly activationSun: bigint;
  readonly paidBy: 'subscription' | 'balance' | null;
  readonly available: boolean;
  readonly largestTransactions: BigNumber;
  /** For what is needed, which an order's amount rounds up. */
  readonly burnSun: bigint;
  readonly transfer: SizedTransfer | null;
  readonly quotedAt: Date;
}
