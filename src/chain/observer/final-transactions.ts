import { Injectable } from '@nestjs/common';
import type { BlockHeader } from '../proof/block-header';
import type { RawTransaction } from '../proof/block-transactions';
import type { ShownRaw } from '../tron/node/block-answer';
import { BlockReads } from '../tron/node/block-reads';
import { TransactionHeights } from '../tron/node/transaction-heights';
import { VerifiedChain } from '../verified-chain/verified-chain';
import { BuiltOn } from './unproved/built-on';

export interface FinalTransaction extends RawTransaction {
  readonly block: BlockHeader;
}

/**
 * Why it is none: no node shows it; its block, although proved to have it, may still be dropped; or what nodes show of its block proves
 * nothing.
 */
export interface NotFinal {
  readonly why: 'unknown' | 'not-final' | 'unproved';
  /** The block that nodes name; null: none. */
  readonly number: number | null;
}

/** Transactions of others, by their bytes in a final block. A node only says where to look. */
@Injectable()
export class FinalTransactions {
  constructor(
    private readonly heights: TransactionHeights,
    private readonly reads: BlockReads,
    private readonly chain: VerifiedChain,
    private readonly builtOn: BuiltOn,
  ) {}

  /**
   * Proved as the service's own are: the bytes and their result make the block's root, and enough active witnesses have built on the block.
   * A block from before the verified chain begins needs signatures of those that are active now: where too many have changed since,
   * nothing proves it.
   * @throws NodeUnavailableError
   */
  async find(txId: string): Promise<FinalTransaction | NotFinal> {
    await this.chain.lookShortly();
    const heights = await this.heights.of(txId);
    let found: NotFinal = { why: 'unknown', number: heights[0] ?? null };
    for (const number of heights) {
      if (found.why === 'unknown') found = { why: 'unproved', number };
      for (const url of this.reads.urls) {
        const shown = await this.shownBy(url, number);
        const transaction = shown?.body ? shown.raw.get(txId) : undefined;
        if (!shown || !transaction) continue;
        if (await this.builtOn.isFinal(shown.header, this.chain.headers))
          return { ...transaction, block: shown.header };
        // Above the final block a proof is a matter of a minute, below it a node that shows another branch.
        if (number > this.chain.tips().final.number) found = { why: 'not-final', number };
      }
    }
    return found;
  }

  private async shownBy(url: string, number: number): Promise<ShownRaw | undefined> {
    return (await this.reads.raw(url, number, number).catch((): ShownRaw[] => []))[0];
  }
}
