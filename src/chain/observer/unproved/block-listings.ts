import { Injectable } from '@nestjs/common';
import type { Listing } from '../../tron/node/block-answer';
import type { BlockId } from '../../proof/block-header';
import { BlockReads } from '../../tron/node/block-reads';

/** A single node has no other to agree with. */
const FEWEST_NODES = 2;

/** What nodes list for a block whose transactions cannot be proved. */
@Injectable()
export class BlockListings {
  constructor(private readonly reads: BlockReads) {}

  /** As `ofAll`, and null when there is only one node. */
  async agreed(block: BlockId): Promise<Listing | null> {
    return this.reads.allUrls.length < FEWEST_NODES ? null : this.ofAll(block);
  }

  /** What every configured node lists; null when one does not answer, or lists anything else. */
  async ofAll(block: BlockId): Promise<Listing | null> {
    const listings = await Promise.all(this.reads.allUrls.map((url) => this.shownBy(url, block)));
    const [first] = listings;
    return first && listings.every((listing) => listing?.digest === first.digest) ? first : null;
  }

  /** What the nodes list that answer, where they agree. */
  async shown(block: BlockId): Promise<Listing | null> {
    const listings = await Promise.all(this.reads.allUrls.map((url) => this.shownBy(url, block)));
    const [first, ...others] = listings.filter((listing) => listing !== null);
    return first && others.every(({ digest }) => digest === first.digest) ? first : null;
  }

  /** With this digest, of whichever node lists that. */
  async matching(block: BlockId, digest: string): Promise<Listing | null> {
    for (const url of this.reads.urls) {
      const listing = await this.shownBy(url, block);
      if (listing?.digest === digest) return listing;
    }
    return null;
  }

  /** What the node lists for this very block. */
  private async shownBy(url: string, { number, id }: BlockId): Promise<Listing | null> {
    const [shown] = await this.reads.blocks(url, number, number).catch(() => []);
    return shown?.header.id === id ? shown.listing : null;
  }
}
