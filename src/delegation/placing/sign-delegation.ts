import type { NewTransaction } from '../../chain/transactions/outbox/outbox';
import type { ReferenceBlock } from '../../chain/verified-chain/reference-blocks';
import type { TransactionBuilder } from '../../chain/transactions/signing/transaction-builder';
import { keyOwner, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import { DELEGATION, stakeOf } from '../transaction-kinds';
import type { PlannedOrder } from './planned-order';

/** Signs an order's one delegation, and gives the bytes to save; a unique index refuses a second one. */
export async function signDelegation(
  builder: TransactionBuilder,
  { id, request: { receiver }, stakeSun }: PlannedOrder,
  wallet: WalletRow,
  reference: ReferenceBlock,
): Promise<NewTransaction> {
  const values = stakeOf(receiver, stakeSun);
  const signed = await builder.sign(keyOwner(wallet), DELEGATION, values, reference);
  return { kind: DELEGATION, subjectId: id, walletId: wallet.id, values, signed };
}
