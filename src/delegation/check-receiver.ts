import { Injectable } from '@nestjs/common';
import { ChainReads } from '../chain/node/chain-reads';
import { Pool } from '../chain/pool/pool';
import type { ErrorCode } from '../common/error-codes';
import { ServiceError } from '../common/service.error';

@Injectable()
export class CheckReceiver {
  constructor(
    private readonly pool: Pool,
    private readonly reads: ChainReads,
  ) {}

  /**
   * True when the receiver exists on chain. Asked of `wallet/*`, which counts pending transactions.
   * @throws ServiceError RECEIVER_NOT_ALLOWED, RECEIVER_IS_CONTRACT, RECEIVER_NOT_ACTIVATED; NODE_UNAVAILABLE
   */
  async isActive(receiver: string, activate: boolean): Promise<boolean> {
    if (await this.pool.owns(receiver)) throw refusal('RECEIVER_NOT_ALLOWED', 'The receiver address is not allowed.');
    const state = await this.reads.receiverState(receiver);
    if (state === 'contract') throw refusal('RECEIVER_IS_CONTRACT', 'The receiver address must not be a contract.');
    if (state === 'inactive' && !activate) {
      throw refusal('RECEIVER_NOT_ACTIVATED', 'The receiver address is not activated.');
    }
    return state === 'active';
  }
}

function refusal(code: ErrorCode, sentence: string): ServiceError {
  return new ServiceError(code, sentence, { details: { receiver_address: [sentence] } });
}
