import { Injectable } from '@nestjs/common';
import { ReferenceBlocks } from '../../chain/reference-blocks';
import { FreeActivations, MOST_FREE_ACTIVATIONS } from '../../delegation/placing/free-activations';

import type { Finding } from '../../findings/finding';

/** Accounts that get no more activations for now. */
@Injectable()
export class ActivationAlarms {
  constructor(
    private readonly references: ReferenceBlocks,
    private readonly activations: FreeActivations,
  ) {}

  /** @throws NodeUnavailableError */
  async read(): Promise<Finding[]> {
    const accounts = await this.activations.ofAll(await this.references.headTimeMs());
    return accounts.filter(({ free }) => free >= MOST_FREE_ACTIVATIONS).map(finding);
  }
}

function finding({ user_id: user, free }: { user_id: string; free: bigint }): Finding {
  return {
    kind: 'free_activations',
    subject: `user ${user}`,
    reason: `${free} activations in 24 hours were free, for their orders were answered with a failure`,
    next_step:
      'See why these orders failed (delegation:list --user); until the oldest is a day old the account gets no activation.',
  };
}
