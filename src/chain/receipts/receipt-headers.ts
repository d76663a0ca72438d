import { Injectable } from '@nestjs/common';
import type { BlockHeader } from '../node/block-answer';
import { headersBuiltOn } from '../proof/headers-built-on';
import type { Judge } from '../proof/judge';
import { ReceiptRepository } from './receipt.repository';

/** Keeps the signed headers that prove a block to others: once for all orders in it, and no others. */
@Injectable()
export class ReceiptHeaders {
  constructor(private readonly receipts: ReceiptRepository) {}

  /**
   * False when signatures cannot prove it: `CHAIN_PROOF=nodes`, or a header with fields that this version does not know.
   * @param at headers above it, of the verified chain
   */
  async keep(block: BlockHeader, at: (number: number) => BlockHeader | undefined, judge: Judge): Promise<boolean> {
    const above = block.signed && headersBuiltOn(block, at, judge);
    if (!above) return false;
    await this.receipts.keep(block, above, judge.witnesses);
    return true;
  }
}
