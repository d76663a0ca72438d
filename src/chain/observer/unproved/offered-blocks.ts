import { Injectable } from '@nestjs/common';
import { ChainProof } from '../../verified-chain/chain-proof';
import type { Listing } from '../../tron/node/block-answer';
import type { BlockHeader } from '../../proof/block-header';
import { BlockReads } from '../../tron/node/block-reads';
import { NodeUnavailableError } from '../../tron/node/node-errors';
import { BlockListings } from './block-listings';
import { BuiltOn } from './built-on';

/** What an operator may accept, or why there is nothing to accept. */
export type OfferedBlock =
  | { readonly header: BlockHeader; readonly listing: Listing }
  | { readonly refused: 'provable' | 'not-final' | 'differing' };

/** A block whose transactions cannot be proved, for an operator who decides whether what nodes list for it counts. */
@Injectable()
export class OfferedBlocks {
  constructor(
    private readonly reads: BlockReads,
    private readonly proof: ChainProof,
    private readonly listings: BlockListings,
    private readonly builtOn: BuiltOn,
  ) {}

  /** @throws NodeUnavailableError when no node shows it */
  async at(number: number): Promise<OfferedBlock> {
    await this.proof.prepare(null);
    const headers = new Map<string, BlockHeader>();
    let fault: unknown = new NodeUnavailableError(`no node shows block ${number}`);
    for (const url of this.reads.allUrls) {
      const [shown] = await this.reads.blocks(url, number, number).catch((error: unknown) => {
        fault = error;
        return [];
      });
      if (shown?.body) return { refused: 'provable' };
      if (shown) headers.set(shown.header.id, shown.header);
    }
    if (headers.size === 0) throw fault;
    for (const header of headers.values()) {
      const isSigned = header.signed !== null && this.proof.judge.believes(header);
      if (!isSigned || !(await this.builtOn.isFinal(header, null))) continue;
      const listing = await this.listings.shown(header);
      return listing ? { header, listing } : { refused: 'differing' };
    }
    return { refused: 'not-final' };
  }
}
