import { Injectable } from '@nestjs/common';
import type { NewTransaction } from '../../chain/transactions/outbox/outbox';
import type { ReferenceBlock } from '../../chain/verified-chain/reference-blocks';
import { Transactions } from '../../chain/transactions/signing/transactions';
import { keyOwner, type WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { PlannedOrder } from './planned-order';

/** Signs an order's one delegation; a unique index refuses a second one. */
@Injectable()
export class SignDelegation {
  constructor(private readonly transactions: Transactions) {}

  /** The bytes to save. Until a success is answered only the order's request sends them: sent later, they could land after a failure was answered. */
  async sign(
    { id, request: { receiver }, stakeSun }: PlannedOrder,
    wallet: WalletRow,
    reference: ReferenceBlock,
  ): Promise<NewTransaction> {
    const signed = await this.transactions.delegate(keyOwner(wallet), receiver, stakeSun, reference);
    const row = { delegationId: id, walletId: wallet.id, receiver, amountSun: stakeSun };
    return { purpose: 'delegation', ...row, resend: false, signed };
  }
}
