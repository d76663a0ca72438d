import { Injectable } from '@nestjs/common';
import type { AccountState, HeadState } from '../../chain/tron/head/head-state';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import { ServiceError } from '../../common/errors/service.error';
import { OrderTransactionRepository } from '../../delegation/placing/order-transaction.repository';

export interface ReceiverOutlookView extends AccountState {
  /** An order that activates it would be charged for that. */
  readonly paysActivation: boolean;
}

/** What an order would find of its receiver, without being refused for it. */
@Injectable()
export class ReceiverOutlook {
  constructor(
    private readonly wallets: PoolWallets,
    private readonly transactions: OrderTransactionRepository,
  ) {}

  /** @throws ServiceError RECEIVER_NOT_ALLOWED for what the token does not allow (null: all) and for the service's own wallets, as an order */
  async refuse(receiver: string, allowedReceivers: readonly string[] | null): Promise<void> {
    const isAllowed = allowedReceivers?.includes(receiver) ?? true;
    if (isAllowed && !(await this.wallets.owns(receiver))) return;
    const sentence = 'The receiver address is not allowed.';
    throw new ServiceError('RECEIVER_NOT_ALLOWED', sentence, { details: { receiver_address: [sentence] } });
  }

  /** What our own solid transactions prove outranks a node that may lag, as for an order. @throws NodeUnavailableError */
  async read(head: HeadState, receiver: string): Promise<ReceiverOutlookView> {
    const account = await head.account(receiver);
    if (account.state !== 'inactive') return { ...account, paysActivation: false };
    if (await this.transactions.provesReceiver(receiver)) return { ...account, state: 'active', paysActivation: false };
    return { ...account, paysActivation: (await this.transactions.findLiveActivation(receiver)) === null };
  }
}
