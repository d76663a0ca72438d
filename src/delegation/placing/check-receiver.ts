import { Injectable } from '@nestjs/common';
import { ChainReads } from '../../chain/tron/node/chain-reads';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { PoolWallets } from '../../chain/pool/wallets/pool-wallets';
import { CrashPoints } from '../../common/crash-points';
import type { ErrorCode } from '../../common/errors/error-codes';
import { ServiceError } from '../../common/errors/service.error';
import type { OrderRequest } from '../order-request';
import { OrderTransactionRepository } from './order-transaction.repository';

@Injectable()
export class CheckReceiver {
  constructor(
    private readonly wallets: PoolWallets,
    private readonly reads: ChainReads,
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly transactions: OrderTransactionRepository,
    private readonly crashPoints: CrashPoints,
  ) {}

  /** @throws ServiceError RECEIVER_NOT_ALLOWED when the order's token is for other receivers */
  refuseOthers({ receiver, allowedReceivers }: OrderRequest): void {
    if (allowedReceivers && !allowedReceivers.includes(receiver)) throw notAllowed();
  }

  /**
   * True when the receiver exists on chain. Asked of `wallet/*`, which counts pending transactions; a node that does not know
   * the receiver may lag, so what our own solid transactions prove outranks it.
   * @throws ServiceError RECEIVER_NOT_ALLOWED, RECEIVER_IS_CONTRACT, RECEIVER_NOT_ACTIVATED; NODE_UNAVAILABLE
   */
  async isActive(receiver: string, activate: boolean): Promise<boolean> {
    if (await this.wallets.owns(receiver)) throw notAllowed();
    // A node whose chain stands still knows nothing of accounts that were activated since, and an order that cannot become final is not begun.
    await this.referenceBlocks.requireFinality();
    const state = await this.reads.receiverState(receiver);
    this.crashPoints.reached('receiver-read');
    if (state === 'contract') throw refusal('RECEIVER_IS_CONTRACT', 'The receiver address must not be a contract.');
    if (state === 'active' || (await this.transactions.provesReceiver(receiver))) return true;
    if (!activate) throw refusal('RECEIVER_NOT_ACTIVATED', 'The receiver address is not activated.');
    return false;
  }
}

function notAllowed(): ServiceError {
  return refusal('RECEIVER_NOT_ALLOWED', 'The receiver address is not allowed.');
}

function refusal(code: ErrorCode, sentence: string): ServiceError {
  return new ServiceError(code, sentence, { details: { receiver_address: [sentence] } });
}
