import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../../database/batch-loader';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import { statement } from '../../database/statement';
import type { Permission } from '../../users/permissions';
import type { TokenLimits } from './token-limits';

export interface TokenRecord extends TokenLimits {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly permissions: readonly Permission[];
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
}

export interface NewTokenRow extends Pick<TokenRecord, 'id' | 'name' | 'prefix' | 'permissions'>, TokenLimits {
  readonly userId: string;
  /** SHA-256 of the whole token. */
  readonly hash: Buffer;
  /** The token is valid for so many times 24 hours; null: it stays valid. */
  readonly expiresInDays: number | null;
}

export interface LockedToken extends TokenLimits {
  readonly name: string;
  readonly prefix: string;
  readonly revokedAt: Date | null;
  /** The e-mail address of its user. */
  readonly owner: string;
}

/** A token that a request may come with, and its user. */
export interface LiveToken {
  /** Its hash, in hexadecimal. */
  readonly key: string;
  readonly id: string;
  readonly user_id: string;
  readonly permissions: readonly Permission[];
  readonly receivers: readonly string[] | null;
  readonly ips: readonly string[] | null;
  readonly rate_limit_per_minute: number | null;
  /** Its use in this minute is not in its row yet. */
  readonly use_unrecorded: boolean;
}

/** Named as `TokenLimits` names them. */
const LIMITS = `daily_limit_sun as "dailyLimitSun", max_cost_sun as "maxCostSun", receivers, ips`;
/** Named as `TokenRecord` names them. */
export const TOKEN_RECORD = `id, name, prefix, permissions, expires_at as "expiresAt", last_used_at as "lastUsedAt",
  revoked_at as "revokedAt", created_at as "createdAt", ${LIMITS}`;

/** Nothing when there is one with this id. */
const CREATE = statement<
  [
    id: string,
    userId: string,
    name: string,
    prefix: string,
    hash: Buffer,
    permissions: readonly Permission[],
    expiresInDays: number | null,
    dailyLimitSun: bigint | null,
    maxCostSun: bigint | null,
    receivers: readonly string[] | null,
    ips: readonly string[] | null,
  ],
  TokenRecord
>(
  'token_create',
  `
    insert into api_tokens (id, user_id, name, prefix, hash, permissions, expires_at, daily_limit_sun, max_cost_sun, receivers, ips)
    values ($1, $2, $3, $4, $5, $6, now() + $7::float8 * interval '24 hours', $8, $9, $10, $11)
    on conflict (id) do nothing
    returning ${TOKEN_RECORD}`,
);

/** Any user's token, or only one of user $2. */
const OWN = '($2::uuid is null or user_id = $2)';

const LOCK = statement<[id: string, ownerId: string | undefined], LockedToken>(
  'token_lock',
  `
    select t.name, t.prefix, t.revoked_at as "revokedAt", u.email as owner, ${LIMITS}
    from api_tokens t join users u on u.id = t.user_id
    where t.id = $1 and ${OWN} for no key update of t`,
);

/** The first revocation's time stays. */
const REVOKE = statement<[id: string, ownerId: string | undefined], TokenRecord>(
  'token_revoke',
  `
    update api_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1 and ${OWN}
    returning ${TOKEN_RECORD}`,
);

const REVOKE_ALL = statement(
  'token_revoke_all',
  `update api_tokens set revoked_at = clock_timestamp() where revoked_at is null`,
);

const REVOKE_OF_USER = statement<[userId: string]>(
  'token_revoke_of_user',
  `update api_tokens set revoked_at = clock_timestamp() where user_id = $1 and revoked_at is null`,
);

const RENAME = statement<[id: string, ownerId: string | undefined, name: string], TokenRecord>(
  'token_rename',
  `update api_tokens set name = $3 where id = $1 and ${OWN} returning ${TOKEN_RECORD}`,
);

const SET_LIMITS = statement<
  [
    id: string,
    ownerId: string | undefined,
    dailyLimitSun: bigint | null,
    maxCostSun: bigint | null,
    receivers: readonly string[] | null,
    ips: readonly string[] | null,
  ],
  TokenRecord
>(
  'token_set_limits',
  `
    update api_tokens set daily_limit_sun = $3, max_cost_sun = $4, receivers = $5, ips = $6 where id = $1 and ${OWN}
    returning ${TOKEN_RECORD}`,
);

const FIND_LIVE = statement<[hashes: readonly string[]], LiveToken>(
  'find_live_tokens',
  `select encode(t.hash, 'hex') as key, t.id, t.user_id, t.permissions, t.receivers, t.ips, u.rate_limit_per_minute,
                t.last_used_at is null or t.last_used_at not between now() - interval '1 minute' and now() as use_unrecorded
           from api_tokens t
           join users u on u.id = t.user_id
          where t.hash = any(select decode(unnest($1::text[]), 'hex')) and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
            and u.disabled_at is null`,
);

const RECORD_USE = statement<[id: string]>(
  'record_token_use',
  `update api_tokens set last_used_at = now()
          where id = $1 and (last_used_at is null or last_used_at not between now() - interval '1 minute' and now())`,
);

/** Table `api_tokens`. With `ownerId`, another user's token reads as not there. Ids come as UUIDs. */
@Injectable()
export class ApiTokenRepository {
  private readonly live: BatchLoader<LiveToken>;

  constructor(private readonly sql: Sql) {
    this.live = new BatchLoader<LiveToken>(sql, FIND_LIVE);
  }

  /** Null when there is one with this id. */
  create(token: NewTokenRow, db: Queryable = this.sql): Promise<TokenRecord | null> {
    const { id, userId, name, prefix, hash, permissions, expiresInDays } = token;
    const { dailyLimitSun, maxCostSun, receivers, ips } = token;
    const limits = [dailyLimitSun, maxCostSun, receivers, ips] as const;
    return db.row(CREATE, [id, userId, name, prefix, hash, permissions, expiresInDays, ...limits]);
  }

  lock(id: string, ownerId: string | undefined, tx: SqlTransaction): Promise<LockedToken | null> {
    return tx.row(LOCK, [id, ownerId]);
  }

  /** Revokes the tokens of all users. Returns how many. */
  revokeAll(tx: SqlTransaction): Promise<number> {
    return tx.execute(REVOKE_ALL);
  }

  /** Revokes the tokens of one user. Returns how many. */
  revokeOfUser(userId: string, tx: SqlTransaction): Promise<number> {
    return tx.execute(REVOKE_OF_USER, [userId]);
  }

  revoke(id: string, ownerId: string | undefined, db: Queryable = this.sql): Promise<TokenRecord | null> {
    return db.row(REVOKE, [id, ownerId]);
  }

  rename(id: string, ownerId: string | undefined, name: string): Promise<TokenRecord | null> {
    return this.sql.row(RENAME, [id, ownerId, name]);
  }

  setLimits(
    id: string,
    { dailyLimitSun, maxCostSun, receivers, ips }: TokenLimits,
    ownerId: string | undefined,
    db: Queryable = this.sql,
  ): Promise<TokenRecord | null> {
    return db.row(SET_LIMITS, [id, ownerId, dailyLimitSun, maxCostSun, receivers, ips]);
  }

  /** Neither revoked nor expired, of a user who is not disabled. Lookups that come together share a statement. */
  findLive(hash: Buffer): Promise<LiveToken | null> {
    return this.live.find(hash.toString('hex'));
  }

  /** At most once a minute for each token. */
  async recordUse(id: string): Promise<void> {
    await this.sql.execute(RECORD_USE, [id]);
  }
}
