import { Injectable } from '@nestjs/common';
import type { NewTransaction } from '../../chain/transactions/outbox/outbox';
import type { ReferenceBlock } from '../../chain/verified-chain/reference-blocks';
import { Transactions } from '../../chain/transactions/signing/transactions';
import { keyOwner, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import { DELEGATION, stakeOf } from '../transaction-kinds';
import type { PlannedOrder } from './planned-order';

/** Signs an order's one delegation; a unique index refuses a second one. */
@Injectable()
export class SignDelegation {
  constructor(private readonly transactions: Transactions) {}

  /** The bytes to save. */
  async sign(
    { id, request: { receiver }, stakeSun }: PlannedOrder,
    wallet: WalletRow,
    reference: ReferenceBlock,
  ): Promise<NewTransaction> {
    const values = stakeOf(receiver, stakeSun);
    const signed = await this.transactions.sign(keyOwner(wallet), DELEGATION, values, reference);
    return { kind: DELEGATION, subjectId: id, walletId: wallet.id, values, signed };
  }
}
