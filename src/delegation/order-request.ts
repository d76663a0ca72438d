import type { DelegateRequest } from './dto/delegate-request.dto';

/** What a caller asks for, validated, and who that is. */
export interface OrderRequest extends DelegateRequest {
  readonly userId: string;
  readonly tokenId: string | null;
  /** The only receivers that the token is for; null: all. */
  readonly allowedReceivers: readonly string[] | null;
  readonly idempotencyKey: string | null;
  /** The service itself asks, without a token: the order costs nothing, its activation included. */
  readonly isFree?: boolean;
}

/** What a placed order is answered with, as committed on its row. */
export interface OrderAnswer {
  readonly delegationId: string;
  readonly txId: string;
  readonly costSun: bigint;
  readonly state: 'included' | 'accepted';
}
