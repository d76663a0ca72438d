import { Injectable } from '@nestjs/common';
import { ChainTransactionRepository } from '../../transactions/outbox/chain-transaction.repository';
import { AcceptedBlockRepository } from './accepted-block.repository';
import { BlockListings } from './block-listings';

/** `unlisted`: the nodes agree on another list than the one that was accepted, so nothing says it any more. */
export type AcceptedResult = 'succeeded' | 'failed' | 'unlisted';

/** Results that no root proves: as they were listed when their block was accepted. */
@Injectable()
export class AcceptedResults {
  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly accepted: AcceptedBlockRepository,
    private readonly listings: BlockListings,
  ) {}

  /** The result of one of our transactions. Null: it is in no final block that was accepted, or no node shows that now, or nodes differ about it. */
  async of(txId: string): Promise<AcceptedResult | null> {
    const [recorded] = await this.transactions.findInBlocks([txId]);
    if (!recorded?.isFinal) return null;
    const { block } = recorded;
    const row = await this.accepted.find(block.number);
    if (row?.id !== block.id) return null;
    const listing = await this.listings.matching(block, row.digest);
    if (listing) return listing.succeeded.has(txId) ? 'succeeded' : 'failed';
    return (await this.listings.shown(block)) && 'unlisted';
  }
}
