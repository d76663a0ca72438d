import { Injectable } from '@nestjs/common';
import { DoubtfulBlockError, type Listing, type ShownBlock } from '../tron/node/block-answer';
import type { BlockHeader } from '../proof/block-header';
import { BlockReads, MOST_BLOCKS_A_READ } from '../tron/node/block-reads';
import { NodeUnavailableError } from '../tron/node/node-errors';
import { brokenLink, HeaderChain } from '../proof/header-chain';
import { AcceptedBlockRepository } from './unproved/accepted-block.repository';
import { ChainProof } from '../verified-chain/chain-proof';

/** On top of a block that is to be proved: 19 of 27 witnesses make so many in two turns, also while a third of them misses its slots. */
const MOST_ABOVE = 60;

/** A final block as it was recorded; a row may have been written without its id. */
interface RecordedBlock {
  readonly number: number;
  readonly id: string | null;
}

/** Each answer is possible by itself; it contradicts what was recorded, or what was not shown. */
class UnprovedBlockError extends DoubtfulBlockError {}

/** Blocks that were final, perhaps long ago, when a transaction of ours was recorded in them. */
@Injectable()
export class RecordedBlocks {
  constructor(
    private readonly reads: BlockReads,
    private readonly proof: ChainProof,
    private readonly accepted: AcceptedBlockRepository,
  ) {}

  /**
   * Whether the transaction is in the block that the chain has there: the recorded one, or another that enough witnesses have built on. A
   * signature alone proves nothing: losing branches are signed too.
   * @throws NodeUnavailableError when no node shows either, in full
   */
  async have(txId: string, block: RecordedBlock): Promise<boolean> {
    let fault: unknown = new NodeUnavailableError(`no node shows block ${block.number}`);
    for (const url of this.reads.urls) {
      try {
        const [shown] = await this.reads.blocks(url, block.number, block.number);
        if (shown) return await this.isIn(url, shown, txId, block);
      } catch (error) {
        if (error instanceof UnprovedBlockError) this.reads.doubted(url, error);
        fault = error;
      }
    }
    throw fault;
  }

  private async isIn(
    url: string,
    { header, body, listing }: ShownBlock,
    txId: string,
    block: RecordedBlock,
  ): Promise<boolean> {
    const { number } = header;
    if (header.id !== block.id && !(await this.isFinal(url, header))) {
      const reason = `block ${number} is another one than was recorded, and too few have built on it`;
      // A block that was recorded without an id may have been signed by witnesses of long ago, which is not a fault.
      throw block.id === null ? new DoubtfulBlockError(reason) : new UnprovedBlockError(reason);
    }
    if (listing && !body && (await this.isAccepted(header, listing))) return listing.owners.has(txId);
    if (!body) throw new UnprovedBlockError(`the transactions of block ${number} do not make its root`);
    return body.owners.has(txId);
  }

  /** What it has was settled by what nodes listed for it, as this one does. */
  private async isAccepted({ number, id }: BlockHeader, { digest }: Listing): Promise<boolean> {
    const row = await this.accepted.find(number);
    return row?.id === id && row.digest === digest;
  }

  /** By what the same node shows on top of it. */
  private async isFinal(url: string, block: BlockHeader): Promise<boolean> {
    // No witness signs genesis: its id identifies it.
    if (block.number === 0) return true;
    await this.proof.prepare(null);
    const above: BlockHeader[] = [];
    while (above.length < MOST_ABOVE) {
      const from = block.number + above.length + 1;
      const shown = await this.reads.blocks(url, from, from + MOST_BLOCKS_A_READ - 1);
      for (const { header } of shown) {
        if (brokenLink(above.at(-1) ?? block, header) !== null) return false;
        above.push(header);
      }
      const branch = new HeaderChain(block, this.proof.judge);
      branch.extend(above);
      if (branch.final) return true;
      if (shown.length === 0) return false;
    }
    return false;
  }
}
