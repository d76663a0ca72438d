import type { WorldState } from '../state/world.state';
import type { Block } from './block.model';
import type { BlockStore } from './block.store';
import type { IncludedTransaction } from './transaction.receipt';

/** The chain as one reader sees it: a state, and the blocks up to the one it belongs to. */
export class ChainView {
  constructor(
    readonly world: WorldState,
    readonly head: Block,
    private readonly blocks: BlockStore,
  ) {}

  findBlock(height: number): Block | undefined {
    return height <= this.head.height ? this.blocks.find(height) : undefined;
  }
  findBlockById(id: string): Block | undefined {
    const block = this.blocks.findById(id);
    return block && block.height <= this.head.height ? block : undefined;
  }
  listBlocks(from: number, to: number): Block[] {
    const last = Math.min(to, this.head.height + 1);
    return Array.from({ length: Math.max(0, last - from) }, (_, i) => this.blocks.find(from + i)!);
  }
  findTransaction(id: string): IncludedTransaction | undefined {
    const tx = this.blocks.findTransaction(id);
    return tx && tx.height <= this.head.height ? tx : undefined;
  }
  listTransactions(height: number): IncludedTransaction[] {
    return height <= this.head.height ? this.blocks.listTransactions(height) : [];
  }
}
