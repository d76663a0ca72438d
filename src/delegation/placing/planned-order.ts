import type { NewTransaction } from '../../chain/transactions/outbox/outbox';
import type { ReferenceBlock } from '../../chain/verified-chain/reference-blocks';
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

/** A planned order on its wallet: committed with its signed delegation, which is sent afterwards. */
export interface SignedOrder {
  readonly state: 'pending';
  readonly order: PlannedOrder;
  readonly wallet: WalletRow;
  readonly delegation: NewTransaction;
  /** On the monotonic clock: not after the claim that its row has. */
  readonly claimedMs: number;
}

/** The same, but its delegation is signed once the receiver exists. */
export interface ActivatingOrder {
  readonly state: 'activating';
  readonly order: PlannedOrder;
  readonly wallet: WalletRow;
  /** Sent by this order, or by another order for the same receiver. */
  readonly activationTxId: string;
  /** Null: another order pays for it. */
  readonly activation: { readonly transaction: NewTransaction; readonly payer: WalletRow } | null;
}

export type PlacedOrder = SignedOrder | ActivatingOrder;

/** Null: another order pays for the activation that this one waits for. */
export function transactionOf(written: PlacedOrder): NewTransaction | null {
  return written.state === 'pending' ? written.delegation : (written.activation?.transaction ?? null);
}

/** It pays for its receiver's activation. */
export function activates(written: PlacedOrder): boolean {
  return written.state === 'activating' && written.activation !== null;
}
