import type { NewTransaction } from '../../chain/transactions/outbox/outbox';
import type { ReferenceBlock } from '../../chain/verified-chain/reference-blocks';
import type { SignedTransaction } from '../../chain/tron/node/signed-transaction';
import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { OrderRequest } from '../order-request';

/** A request, with what is known before its rows are written. */
export interface PlannedOrder {
  readonly id: string;
  readonly request: OrderRequest;
  readonly energy: bigint;
  /** For the energy, when the balance pays; null: more than any balance has. */
  readonly feeSun: bigint | null;
  readonly stakeSun: bigint;
  readonly receiverIsActive: boolean;
  readonly reference: ReferenceBlock;
}

/** A planned order on its wallet, with the signed bytes that are committed with it and sent afterwards. */
export interface OrderToWrite {
  readonly order: PlannedOrder;
  readonly wallet: WalletRow;
  readonly state: 'pending' | 'activating';
  /** It pays for its receiver's activation. */
  readonly activates: boolean;
  readonly transaction: NewTransaction | null;
}

/** Committed with its signed delegation. */
export interface SignedOrder {
  readonly kind: 'signed';
  readonly order: PlannedOrder;
  readonly wallet: WalletRow;
  readonly delegation: SignedTransaction;
  /** On the monotonic clock: not after the claim that its row has. */
  readonly claimedMs: number;
}

/** Committed; its delegation is signed once the receiver exists. */
export interface ActivatingOrder {
  readonly kind: 'activating';
  readonly order: PlannedOrder;
  readonly wallet: WalletRow;
  /** Sent by this order, or by another order for the same receiver. */
  readonly activationTxId: string;
  readonly activation: { readonly signed: SignedTransaction; readonly payer: WalletRow } | null;
}
