import { Injectable } from '@nestjs/common';
import type { BlockHeader } from '../../proof/block-header';
import type { HeaderChain } from '../../proof/header-chain';
import { headersBuiltOn } from '../../proof/headers-built-on';
import type { Judge } from '../../proof/judge';
import { ReceiptRepository } from './receipt.repository';

/** Keeps the signed headers that prove a block to others: once for all orders in it, and no others. */
@Injectable()
export class ReceiptHeaders {
  /**
   * Final, although too few have built on them in the chain as it is now: after a start with a node that has stepped back, or on a
   * longer branch of fewer witnesses. What was final stays it; their receipts wait for the blocks to come.
   */
  private readonly lacking = new Map<number, BlockHeader>();

  constructor(private readonly receipts: ReceiptRepository) {}

  /**
   * False when signatures cannot prove it: `CHAIN_PROOF=nodes`, or a header with fields that this version does not know.
   * @param at headers above it, of the verified chain
   */
  async keep(block: BlockHeader, at: (number: number) => BlockHeader | undefined, judge: Judge): Promise<boolean> {
    if (!block.signed || judge.witnesses.length === 0) return false;
    const above = headersBuiltOn(block, at, judge);
    if (above) {
      await this.receipts.keep(block, above, judge.witnesses);
      this.lacking.delete(block.number);
    } else this.lacking.set(block.number, block);
    return true;
  }

  /** Once more for those that lacked some, as long as the chain has them. */
  async keepLacking(chain: HeaderChain, judge: Judge): Promise<void> {
    for (const [number, block] of this.lacking) {
      if (chain.holds(number, block.id)) await this.keep(block, (above) => chain.at(above), judge);
      else this.lacking.delete(number);
    }
  }
}
