import { Injectable, SetMetadata } from '@nestjs/common';
import { SharedRateLimits } from '../../rate-limit/shared-rate-limits';
import { PanelError } from './panel-errors';

export const ACT_LIMIT = 'panel-act-limit';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const LIMITS = {
  'second-factor': { most: 30, windowMs: HOUR_MS },
  password: { most: 30, windowMs: HOUR_MS },
  tokens: { most: 120, windowMs: HOUR_MS },
  /** What makes this service call an address of the user's choice. */
  'webhook-calls': { most: 10, windowMs: MINUTE_MS },
  'webhook-changes': { most: 120, windowMs: HOUR_MS },
  receipts: { most: 120, windowMs: HOUR_MS },
} as const;
export type LimitedAct = keyof typeof LIMITS;

/**
 * So many times for each user: what users do to their own secrets, webhooks and receipts leaves entries in the audit log, which is never cleared.
 * Counted behind the password, where it is asked for: nobody who found a browser open uses it up.
 */
export const LimitActs = (act: LimitedAct) => SetMetadata(ACT_LIMIT, act);

@Injectable()
export class ActLimits {
  constructor(private readonly limits: SharedRateLimits) {}

  /** @throws PanelError throttled */
  async take(act: LimitedAct, userId: string): Promise<void> {
    const { most, windowMs } = LIMITS[act];
    const { isBlocked, timeToExpire } = await this.limits.increment(userId, windowMs, most, 0, `acts-${act}`);
    if (isBlocked) throw new PanelError('throttled', timeToExpire);
  }
}
