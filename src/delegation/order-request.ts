import type BigNumber from 'bignumber.js';

/** What a caller asks for, validated. */
export interface OrderRequest {
  readonly userId: string;
  readonly tokenId: string;
  /** The only receivers that the token is for; null: all. */
  readonly allowedReceivers: readonly string[] | null;
  /** base58check. */
  readonly receiver: string;
  /** Exact; may be beyond anything that can be paid. */
  readonly transactions: BigNumber;
  readonly rentalMinutes: number;
  readonly activate: boolean;
  /** An order that would cost more is refused; null: whatever it costs. */
  readonly maxCostSun: bigint | null;
  readonly idempotencyKey: string | null;
}

/** What a placed order is answered with, as committed on its row. */
export interface OrderAnswer {
  readonly delegationId: string;
  readonly txId: string;
  readonly costSun: bigint;
  readonly state: 'included' | 'accepted';
}
