import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../../database/batch-loader';
import { Sql, type Statement } from '../../database/sql';
import type { Permission } from '../../users/permissions';
import type { RequestUser } from '../../users/request-user';
import { hashToken, isWellFormedToken } from './token-format';
import { TokenUsage } from './token-usage';

const FIND_LIVE_TOKENS: Statement = {
  name: 'find-live-tokens',
  text: `select encode(t.hash, 'hex') as key, t.id, t.user_id, t.permissions, u.rate_limit_per_minute,
                t.last_used_at is null or t.last_used_at not between now() - interval '1 minute' and now() as use_unrecorded
           from api_tokens t
           join users u on u.id = t.user_id
          where t.hash = any(select decode(unnest($1::text[]), 'hex')) and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
            and u.disabled_at is null`,
};

interface LiveToken {
  key: string;
  id: string;
  user_id: string;
  permissions: Permission[];
  rate_limit_per_minute: number | null;
  use_unrecorded: boolean;
}

/** Asks the database on every request: a cache could not promise that a revocation is felt at once on every instance. */
@Injectable()
export class TokenLookup {
  private readonly tokens: BatchLoader<LiveToken>;

  constructor(
    sql: Sql,
    private readonly lastUsed: TokenUsage,
  ) {
    this.tokens = new BatchLoader(sql, FIND_LIVE_TOKENS);
  }

  async findUser(token: string): Promise<RequestUser | null> {
    if (!isWellFormedToken(token)) return null;
    const row = await this.tokens.find(hashToken(token).toString('hex'));
    if (!row) return null;
    if (row.use_unrecorded) this.lastUsed.record(row.id);
    return {
      id: row.user_id,
      rateLimitPerMinute: row.rate_limit_per_minute,
      tokenId: row.id,
      permissions: row.permissions,
    };
  }
}
