import { Injectable } from '@nestjs/common';
import { Sql, type Statement } from '../../database/sql';
import type { Permission } from '../api-token.entity';
import type { RequestUser } from '../request-user';
import { LastUsed } from './last-used';
import { hashToken, isWellFormedToken } from './token-format';

const FIND_LIVE_TOKEN: Statement = {
  name: 'find-live-token',
  text: `select t.id, t.user_id, t.permissions, u.rate_limit_per_minute,
                t.last_used_at is null or t.last_used_at < now() - interval '1 minute' as use_unrecorded
           from api_tokens t
           join users u on u.id = t.user_id
          where t.hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
            and u.disabled_at is null`,
};

interface LiveToken {
  id: string;
  user_id: string;
  permissions: Permission[];
  rate_limit_per_minute: number | null;
  use_unrecorded: boolean;
}

/** Asks the database on every request: a cache could not promise that a revocation is felt at once on every instance. */
@Injectable()
export class TokenLookup {
  constructor(
    private readonly sql: Sql,
    private readonly lastUsed: LastUsed,
  ) {}

  async findUser(token: string): Promise<RequestUser | null> {
    if (!isWellFormedToken(token)) return null;
    const row = await this.sql.row<LiveToken>(FIND_LIVE_TOKEN, [hashToken(token)]);
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
