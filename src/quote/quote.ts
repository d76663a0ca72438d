import type BigNumber from 'bignumber.js';
import type { TransferSize } from '../chain/tron/head/transfer-size';

export type SizedTransfer = Extract<TransferSize, { kind: 'sized' }>;

export interface QuoteCaller {
  readonly id: string;
  /** Whose limits apply; null: none do. */
  readonly tokenId: string | null;
  /** The only addresses that are quoted; null: all. */
  readonly receivers: readonly string[] | null;
}

/** What an order would be and cost at this moment. It reserves and promises nothing. */
export interface Quote {
  readonly receiver: string;
  readonly activated: boolean;
  readonly contract: boolean;
  /** What the receiver can use now; below 0 by what it has used above its present limit. */
  readonly energyLeft: bigint;
  readonly transactions: BigNumber;
  /** Energy of an order of so many transactions; null: more than any wallet has. */
  readonly energy: bigint | null;
  /** Without the activation. */
  readonly costSun: bigint;
  readonly activationSun: bigint;
  readonly paidBy: 'subscription' | 'balance' | null;
  /** One of them covers it, within the limits of the token. */
  readonly payable: boolean;
  readonly available: boolean;
  readonly largestTransactions: BigNumber;
  /** What would be burned if nothing were ordered. */
  readonly burnSun: bigint;
  readonly transfer: SizedTransfer | null;
  readonly quotedAt: Date;
}
