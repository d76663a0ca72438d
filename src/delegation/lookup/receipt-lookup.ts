import { Injectable } from '@nestjs/common';
import { readSignedHeader } from '../../chain/proof/header-fields';
import { ChangedWitnesses } from '../../chain/verified-chain/receipts/changed-witnesses';
import {
  type ProvedDelegation,
  receiptDocument,
  type ReceiptDocument,
} from '../../chain/verified-chain/receipts/receipt-document';
import { ReceiptRepository } from '../../chain/verified-chain/receipts/receipt.repository';
import { decodeBranch } from '../../chain/verified-chain/receipts/stored-branch';
import type { Witness } from '../../chain/proof/judge';
import type { OrderScope } from './order-lookup';
import { ReceiptViewRepository } from './receipt-view.repository';

/** Receipts of final delegations, made of what was stored when they became final. */
@Injectable()
export class ReceiptLookup {
  constructor(
    private readonly views: ReceiptViewRepository,
    private readonly receipts: ReceiptRepository,
    private readonly changed: ChangedWitnesses,
  ) {}

  /** Null when there is none in this scope. */
  async find(id: string, scope: OrderScope): Promise<ReceiptDocument | null> {
    const proved = await this.proved(id, scope);
    return proved && receiptDocument(proved);
  }

  /** `alsoActive`: the other set of witnesses, where they changed between its headers. */
  async findWithChange(id: string): Promise<{ receipt: ReceiptDocument; alsoActive: readonly Witness[] } | null> {
    const proved = await this.proved(id, {});
    if (!proved) return null;
    const { block, header, following, witnesses } = proved;
    const alsoActive = await this.changed.of(BigInt(block.number), [header, ...following], witnesses);
    return { receipt: receiptDocument(proved), alsoActive };
  }

  private async proved(id: string, scope: OrderScope): Promise<ProvedDelegation | null> {
    const row = await this.views.find(id, scope);
    if (!row) return null;
    const [header, ...following] = await this.receipts.headersFrom(row.block_number);
    // Another branch was accepted since: the block that had the delegation is undone.
    if (!header || readSignedHeader(header)?.id !== row.block_id) return null;
    return {
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
    };
  }
}
