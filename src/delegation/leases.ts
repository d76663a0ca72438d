import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';

/** Time for the database and the node beside the waits themselves. */
const SLACK_MS = 10_000;
export const RECLAIM_LEASE_MS = 30_000;

/** How long a claim on an order lasts. When it runs out, another instance may go on with the order. */
@Injectable()
export class Leases {
  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  /** A request's hold on its order: one wait for a block, or with an activation under way, two. */
  requestMs(activating: boolean): number {
    const wait = this.configuration.delegation.answerTimeoutMs;
    return (activating ? 2 * wait : wait) + SLACK_MS;
  }
}
