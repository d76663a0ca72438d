import { Injectable } from '@nestjs/common';
import { ReferenceBlocks } from '../../chain/verified-chain/reference-blocks';
import { FreeActivations, MOST_FREE_ACTIVATIONS } from '../../delegation/placing/free-activations';
import { type Finding, finding } from '../../findings/finding';

/** Accounts that get no more activations for now. */
@Injectable()
export class ActivationAlarms {
  constructor(
    private readonly referenceBlocks: ReferenceBlocks,
    private readonly activations: FreeActivations,
  ) {}

  /** @throws NodeUnavailableError */
  async read(): Promise<Finding[]> {
    const accounts = await this.activations.ofAll(await this.referenceBlocks.headTimeMs());
    return accounts
      .filter(({ free }) => free >= MOST_FREE_ACTIVATIONS)
      .map(({ user_id: id, free }) =>
        finding('free_activations', { activations: free.toString() }, { type: 'user', id }),
      );
  }
}
