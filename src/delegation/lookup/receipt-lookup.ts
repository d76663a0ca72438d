import { Injectable } from '@nestjs/common';
import { readSignedHeader } from '../../chain/proof/header-fields';
import { receiptDocument, type ReceiptDocument } from '../../chain/verified-chain/receipts/receipt-document';
import { ReceiptRepository } from '../../chain/verified-chain/receipts/receipt.repository';
import { decodeBranch } from '../../chain/verified-chain/receipts/stored-branch';
import type { OrderScope } from './order-lookup';
import { ReceiptViewRepository } from './receipt-view.repository';

/** Receipts of final delegations, made of what was stored when they became final. */
@Injectable()
export class ReceiptLookup {
  constructor(
    private readonly views: ReceiptViewRepository,
    private readonly receipts: ReceiptRepository,
  ) {}

  /** Null when there is none in this scope. */
  async find(id: string, scope: OrderScope): Promise<ReceiptDocument | null> {
    const row = await this.views.find(id, scope);
    if (!row) return null;
    const [header, ...following] = await this.receipts.headersFrom(row.block_number);
    // Another branch was accepted since: the block that had the delegation is undone.
    if (!header || readSignedHeader(header)?.id !== row.block_id) return null;
    return receiptDocument({
      txId: row.tx_id,
      receiver: row.receiver,
      stakeSun: row.stake_sun,
      raw: row.raw,
      tail: row.tail,
      branch: decodeBranch(row.branch),
      block: { number: Number(row.block_number), id: row.block_id, timeMs: Number(row.block_time_ms) },
      header,
      following,
      witnesses: await this.receipts.witnessesOf(row.block_number),
    });
  }
}
