import { Injectable } from '@nestjs/common';
import { ChainTransactionRepository } from '../../transactions/outbox/chain-transaction.repository';
import { AcceptedBlockRepository } from './accepted-block.repository';
import { BlockListings } from './block-listings';

/** `unlisted`: every node shows another list than the one that was accepted, and all the same, so nothing says it any more. */
export type AcceptedResult = 'succeeded' | 'failed' | 'unlisted';

/** Results that no root proves: as they were listed when their block was accepted. */
@Injectable()
export class AcceptedResults {
  constructor(
    private readonly transactions: ChainTransactionRepository,
    private readonly accepted: AcceptedBlockRepository,
    private readonly listings: BlockListings,
  ) {}

  /** The result of one of our transactions. Null: it is in no final block that was accepted, or a node does not show the block now, or nodes differ about it. */
  async of(txId: string): Promise<AcceptedResult | null> {
    const [recorded] = await this.transactions.findInBlocks([txId]);
    if (!recorded?.isFinal) return null;
    const { block } = recorded;
    const row = await this.accepted.find(block.number);
    if (row?.id !== block.id) return null;
    // The first question may have failed at the node that lists it: a call that failed shows no other list.
    const listing = (await this.listings.matching(block, row.digest)) ?? (await this.listings.ofAll(block));
    if (listing?.digest !== row.digest) return listing && 'unlisted';
    return listing.succeeded.has(txId) ? 'succeeded' : 'failed';
  }
}
