import { Injectable } from '@nestjs/common';
import { ChainTransactionRepository } from '../outbox/chain-transaction.repository';
import { InclusionWaiters } from './inclusion-waiters';

/** Whether anything is open: blocks are read in full only then. */
@Injectable()
export class OpenTransactions {
  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly waiters: InclusionWaiters,
  ) {}

  get isAnyWaiting(): boolean {
    return this.waiters.any;
  }

  /** Counts a request that waits for its transaction, and any open row, of this instance or another. */
  async areAny(): Promise<boolean> {
    const isAnyOpen = await this.transactions.isAnyOpen();
    return this.waiters.any || isAnyOpen;
  }
}
