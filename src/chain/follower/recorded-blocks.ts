import { Injectable } from '@nestjs/common';
import { type BlockHeader, DoubtfulBlockError, type ShownBlock } from '../node/block-answer';
import { BlockReads } from '../node/block-reads';
import { NodeUnavailableError } from '../node/node-errors';
import { ChainProof } from './chain-proof';

/** A final block as it was recorded; a row may have been written without its id. */
interface RecordedBlock {
  readonly number: number;
  readonly id: string | null;
}

/** Blocks that were final, perhaps long ago, when a transaction of ours was recorded in them. */
@Injectable()
export class RecordedBlocks {
  constructor(
    private readonly reads: BlockReads,
    private readonly proof: ChainProof,
  ) {}

  /**
   * Whether the transaction is in the block that the chain has there: the recorded one, or another that an active witness has signed.
   * @throws NodeUnavailableError when no node shows either, in full
   */
  async have(txId: string, block: RecordedBlock): Promise<boolean> {
    let fault: unknown = new NodeUnavailableError(`no node shows block ${block.number}`);
    for (const url of this.reads.urls) {
      try {
        const [shown] = await this.reads.blocks(url, block.number, block.number);
        if (shown) return await this.isIn(shown, txId, block);
      } catch (error) {
        fault = error;
      }
    }
    throw fault;
  }

  private async isIn({ header, body }: ShownBlock, txId: string, block: RecordedBlock): Promise<boolean> {
    if (header.id !== block.id && !(await this.isBelieved(header)))
      throw new DoubtfulBlockError(`block ${header.number} is another one than was recorded, and nobody has signed it`);
    if (!body) throw new DoubtfulBlockError(`the transactions of block ${header.number} do not make its root`);
    return body.owners.has(txId);
  }

  private async isBelieved(header: BlockHeader): Promise<boolean> {
    // Genesis is signed by nobody: it is known by its id.
    if (header.number === 0) return true;
    await this.proof.prepare(null);
    return this.proof.judge.believes(header);
  }
}
