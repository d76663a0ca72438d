import { Injectable } from '@nestjs/common';
import { SUN_PER_TRX } from '../../../common/money/sun';
import { amountIn, notUnderstood, recordIn } from './answer.reader';
import { NodeClient } from './node-client';

/** Far above the fee for the bytes of any transaction of ours: a node that names more is not believed. */
const MOST_SUN = 10n * SUN_PER_TRX;

/** What transactions have burned for their bytes. No block proves that: it is the word of the node that says it. */
@Injectable()
export class BurnedFees {
  constructor(private readonly client: NodeClient) {}

  /** Sun burned by a final transaction of this block; null where no node says it. @throws NodeUnavailableError */
  async ofBytes(txId: string, blockNumber: number): Promise<bigint | null> {
    const read = (info: Record<string, unknown>) => readNetFee(info, txId, blockNumber);
    return this.client.consult('walletsolidity', 'gettransactioninfobyid', { value: txId }, read);
  }
}

function readNetFee(info: Record<string, unknown>, txId: string, blockNumber: number): bigint | null {
  if (Object.keys(info).length === 0) return null;
  if (info['id'] !== txId) throw notUnderstood('id');
  if (amountIn(info, 'blockNumber') !== BigInt(blockNumber)) throw notUnderstood('blockNumber');
  const burnedSun = amountIn(recordIn(info, 'receipt'), 'net_fee');
  if (burnedSun > MOST_SUN) throw notUnderstood('net_fee');
  return burnedSun;
}
