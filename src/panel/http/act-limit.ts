import { Injectable, SetMetadata } from '@nestjs/common';
import { SharedRateLimits } from '../../rate-limit/shared-rate-limits';
import { PanelError } from './panel-errors';

export const ACT_LIMIT = 'panel-act-limit';
const HOUR_MS = 3_600_000;

const MOST = { 'second-factor': 30, password: 30, tokens: 120 } as const;
export type LimitedAct = keyof typeof MOST;

/**
 * So many times an hour for each user: what users do to their own secrets leaves entries in the audit log, which is never cleared. Counted
 * behind the password, where it is asked for: nobody who found a browser open uses it up.
 */
export const LimitActs = (act: LimitedAct) => SetMetadata(ACT_LIMIT, act);

@Injectable()
export class ActLimits {
  constructor(private readonly limits: SharedRateLimits) {}

  /** @throws PanelError throttled */
  async take(act: LimitedAct, userId: string): Promise<void> {
    const { isBlocked, timeToExpire } = await this.limits.increment(userId, HOUR_MS, MOST[act], 0, `acts-${act}`);
    if (isBlocked) throw new PanelError('throttled', timeToExpire);
  }
}
