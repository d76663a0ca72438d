import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../users/request-user';
import { ApiTokenRepository } from './api-token.repository';
import { hashToken, isWellFormedToken } from './token-format';
import { TokenUsage } from './token-usage';

/** Asks the database on every request: a cache could not promise that every instance refuses a revoked token from the next request on. */
@Injectable()
export class TokenLookup {
  constructor(
    private readonly tokens: ApiTokenRepository,
    private readonly usage: TokenUsage,
  ) {}

  async findUser(token: string): Promise<RequestUser | null> {
    if (!isWellFormedToken(token)) return null;
    const row = await this.tokens.findLive(hashToken(token));
    if (!row) return null;
    if (row.use_unrecorded) this.usage.record(row.id);
    return {
      id: row.user_id,
      rateLimitPerMinute: row.rate_limit_per_minute,
      tokenId: row.id,
      permissions: row.permissions,
      receivers: row.receivers,
      ips: row.ips,
    };
  }
}
