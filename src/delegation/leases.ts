import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../config/configuration';

/** Time for the database and the node besides the waits themselves. */
const SLACK_MS = 10_000;
export const RECLAIM_LEASE_MS = 30_000;

/**
 * True of an order `d` on which no instance works. A claim that ends later than its own length from now was made while the database's clock
 * was ahead: waiting for it could take days. Ten seconds more are allowed, or a clock that is set back a little would free every fresh
 * claim.
 */
export const UNCLAIMED = `(d.claimed_until is null or d.claimed_until < clock_timestamp()
  or d.claimed_until > clock_timestamp() + (d.claim_ms + 10000) * interval '1 millisecond')`;

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
