import type { ReferenceBlock } from '../../verified-chain/reference-blocks';
import type { ContractValues } from '../kinds/contract';
import type { TransactionKind } from '../kinds/transaction-kind';

/** A transaction that is to be signed. */
export interface PlannedTransaction {
  readonly kind: TransactionKind;
  /** The contract's fields that were given; the wallet is the owner. */
  readonly values: ContractValues;
  readonly reference: Pick<ReferenceBlock, 'number' | 'id'>;
  readonly expirationMs: number;
  readonly timestampMs: number;
}
