import type { Block } from '../chain/block.model';
import type { ChainNode } from '../chain/chain.node';
import type { ChainView } from '../chain/chain.view';
import type { ChainTransaction } from '../chain/transaction.model';

export interface Standstill {
  head: boolean;
  solid: boolean;
  /** Whether a broadcast transaction is answered with success, and goes no further. */
  broadcasts: boolean;
}

/** The chain as one of its nodes has it: all of it, or what there was when that node came to a standstill. */
export class NodeSight {
  private headHeight = Infinity;
  private solidHeight = Infinity;
  private stoodFinal = Infinity;
  private swallows = false;

  constructor(private readonly node: ChainNode) {}

  /** What stands still already stays where it is. */
  stand({ head, solid, broadcasts }: Standstill): void {
    const now = { head: this.head.height, solid: this.solidView().head.height, final: this.finalHeight };
    this.headHeight = head ? now.head : Infinity;
    this.solidHeight = solid ? now.solid : Infinity;
    this.stoodFinal = solid ? now.final : Infinity;
    this.swallows = broadcasts;
  }

  /** Head and everything pending, as `wallet/*` shows it. A head that stands still has nothing pending on it. */
  walletView(): ChainView {
    if (this.headHeight >= this.node.head.height) return this.node.walletView();
    return this.node.viewAt(this.headHeight);
  }
  /** The solid state, or one further behind it. */
  solidView(further = 0): ChainView {
    return this.node.viewAt(Math.min(this.node.solidHeight, this.headHeight, this.solidHeight) - further);
  }

  get head(): Block {
    return this.walletView().head;
  }
  get finalHeight(): number {
    return Math.min(this.node.finalHeight, this.headHeight, this.stoodFinal);
  }

  broadcast(tx: ChainTransaction, doomed = false): void {
    if (!this.swallows) this.node.broadcast(tx, doomed);
  }
  get pending(): readonly ChainTransaction[] {
    return this.swallows ? [] : this.node.pool.transactions;
  }
  findPending(id: string): ChainTransaction | undefined {
    return this.swallows ? undefined : this.node.pool.find(id);
  }
}
