import { Injectable, Logger } from '@nestjs/common';
import { ChainProof } from '../../verified-chain/chain-proof';
import type { Block, Listing } from '../../tron/node/block-answer';
import type { BlockHeader } from '../../proof/block-header';
import { ChainTransactionRepository } from '../../transactions/outbox/chain-transaction.repository';
import type { HeaderChain } from '../../proof/header-chain';
import type { AcceptedBy } from './accepted-block.entity';
import { AcceptedBlockRepository, type AcceptedBlockRow } from './accepted-block.repository';
import { BlockListings } from './block-listings';
import { BuiltOn } from './built-on';
import { TransactionOutcomes } from '../transaction-outcomes';

/** In block time. For so long an update of the service, or another node, may still prove the block. */
const WAIT_MS = 15 * 60_000;

export interface UnprovedBlock {
  readonly block: Block;
  readonly acceptedBy: AcceptedBy;
}

/**
 * A final block whose transactions no node shows as its root has them: a field that nodes do not show, or a kind that cannot be encoded
 * here. Its header is proved as any. What it has of ours is the word of all nodes, of two at least, and only where solid readings of
 * what is lent agree with it; or an operator's decision.
 */
@Injectable()
export class UnprovedBlocks {
  private readonly logger = new Logger(UnprovedBlocks.name);

  constructor(
    private readonly accepted: AcceptedBlockRepository,
    private readonly listings: BlockListings,
    private readonly builtOn: BuiltOn,
    private readonly outcomes: TransactionOutcomes,
    private readonly transactions: ChainTransactionRepository,
    private readonly proof: ChainProof,
  ) {}

  /** The block as nodes list it, without anything that proves it to others. Null while it does not count. */
  async settle(header: BlockHeader, chain: HeaderChain): Promise<UnprovedBlock | null> {
    if (header.signed === null || !this.proof.judge.believes(header)) return null;
    const decided = await this.decided(header);
    if (!decided && chain.headTimeMs - header.timeMs < WAIT_MS) return null;
    if (!(await this.builtOn.isFinal(header, chain))) return null;
    const listing = decided ? await this.listings.matching(header, decided.digest) : await this.listings.agreed(header);
    if (!listing) return null;
    const acceptedBy = decided?.accepted_by ?? 'nodes';
    if (acceptedBy === 'nodes' && !(await this.isCredible(header, listing))) return null;
    if (!decided && !(await this.keep(header, listing))) return null;
    return { block: { ...header, owners: listing.owners, transactions: null }, acceptedBy };
  }

  /** The lowest of these that an operator has accepted; null without one. */
  findDecided(numbers: readonly number[]): Promise<number | null> {
    return this.accepted.findByOperator(numbers);
  }

  private async decided({ number, id }: BlockHeader): Promise<AcceptedBlockRow | null> {
    const row = await this.accepted.find(number);
    return row?.id === id ? row : null;
  }

  private async isCredible({ number }: BlockHeader, { owners }: Listing): Promise<boolean> {
    const rows = owners.size === 0 ? [] : await this.transactions.findOpen(owners.keys());
    const agreed = await Promise.all(rows.map((row) => this.outcomes.agree(row, true, number)));
    return agreed.every(Boolean);
  }

  /** False when another instance has decided meanwhile: gone by the next time. */
  private async keep({ number, id }: BlockHeader, { digest }: Listing): Promise<boolean> {
    const isKept = await this.accepted.keep(number, id, digest);
    if (isKept)
      this.logger.warn(
        `Block ${number} (${id}) cannot be proved: it is settled by what all nodes list, and solid readings agree`,
      );
    return isKept;
  }
}
