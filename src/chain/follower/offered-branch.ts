import { Injectable } from '@nestjs/common';
import type { FinalBlock } from '../node/chain-identity.repository';
import { NodeUnavailableError } from '../node/node-errors';
import { UndoesFinalError } from '../proof/header-chain';
import { ChainProof } from './chain-proof';
import { BelowFinalError, ChainStart } from './chain-start';

/** The longest branch that the nodes offer, for an operator who decides whether it is to be gone by. */
@Injectable()
export class OfferedBranch {
  constructor(
    private readonly starts: ChainStart,
    private readonly proof: ChainProof,
  ) {}

  /** Its newest final block; null when it undoes nothing that was final. @throws NodeUnavailableError */
  async undoing(remembered: FinalBlock | null): Promise<FinalBlock | null> {
    await this.proof.prepare(null);
    const [best] = await this.starts.offers();
    if (!best) throw new NodeUnavailableError('no node shows a block');
    const { judge } = this.proof;
    try {
      await this.starts.below(best.head, best.url, judge, remembered);
      return null;
    } catch (error) {
      if (!(error instanceof UndoesFinalError || error instanceof BelowFinalError)) throw error;
    }
    const { number, id } = (await this.starts.below(best.head, best.url, judge, null)).final!;
    return { number, id };
  }
}
