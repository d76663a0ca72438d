import { Injectable } from '@nestjs/common';
import { v7 as uuid, validate as isUuid } from 'uuid';
import { InvalidValueError, MissingError, DomainError } from '../../common/errors/domain.error';
import { characterCount, hasUnseen, oneSpelling } from '../../common/text';
import type { Queryable, SqlTransaction } from '../../database/sql';
import { type Permission, PERMISSIONS } from '../../users/permissions';
import { ApiTokenRepository, type LockedToken, type TokenRecord } from './api-token.repository';
import { hashToken, mintToken, prefixOf } from './token-format';
import { checkIps, checkReceivers, NO_LIMITS, type TokenLimits } from './token-limits';

const LONGEST_NAME = 100;
const MOST_DAYS = 36_500;

export interface NewToken {
  /** The caller's own name for it: the same one twice makes one token. */
  readonly id?: string;
  readonly userId: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresInDays?: number;
  /** A limit that is left out does not apply. */
  readonly limits?: Partial<TokenLimits>;
}

export interface CreatedToken {
  /** Shown once: only its hash is kept. */
  readonly token: string;
  readonly row: TokenRecord;
}

/** With `ownerId`, another user's token reads as not found. */
@Injectable()
export class ApiTokenService {
  constructor(private readonly tokens: ApiTokenRepository) {}

  /** @throws DomainError also when a token was made with this id before: its value was shown then. */
  async create(
    { id = uuid(), userId, expiresInDays, limits, ...asked }: NewToken,
    db?: Queryable,
  ): Promise<CreatedToken> {
    const token = mintToken();
    const values = {
      expiresInDays: expiresInDays === undefined ? null : checkDays(expiresInDays),
      name: checkTokenName(asked.name),
      permissions: checkPermissions(asked.permissions),
      ...checkLimits({ ...NO_LIMITS, ...limits }),
    };
    const secret = { prefix: prefixOf(token), hash: hashToken(token) };
    const row = await this.tokens.create({ id, userId, ...values, ...secret }, db);
    if (!row) throw new DomainError('token.created-before');
    return { token, row };
  }

  /** Until the transaction ends, no other one changes what this returns. */
  async lock(id: string, ownerId: string | undefined, tx: SqlTransaction): Promise<LockedToken> {
    return (isUuid(id) ? await this.tokens.lock(id, ownerId, tx) : null) ?? missing(id);
  }

  /** Every instance refuses the token from the next request on. */
  async revoke(id: string, ownerId?: string, db?: Queryable): Promise<TokenRecord> {
    return (isUuid(id) ? await this.tokens.revoke(id, ownerId, db) : null) ?? missing(id);
  }

  /** Revokes the tokens of all users. Returns how many. */
  revokeAll(tx: SqlTransaction): Promise<number> {
    return this.tokens.revokeAll(tx);
  }

  /** They hold for requests, and for orders to be written, from now on; what open orders hold stays. */
  async setLimits(id: string, limits: TokenLimits, ownerId?: string, db?: Queryable): Promise<TokenRecord> {
    const checked = checkLimits(limits);
    return (isUuid(id) ? await this.tokens.setLimits(id, checked, ownerId, db) : null) ?? missing(id);
  }

  async rename(id: string, name: string, ownerId?: string): Promise<TokenRecord> {
    const checked = checkTokenName(name);
    return (isUuid(id) ? await this.tokens.rename(id, ownerId, checked) : null) ?? missing(id);
  }
}

function missing(id: string): never {
  throw new MissingError('token.not-found', { id });
}

export function checkTokenName(name: string): string {
  const trimmed = oneSpelling(name);
  if (hasUnseen(trimmed)) throw new InvalidValueError('token.name-unseen');
  if (trimmed !== '' && characterCount(trimmed) <= LONGEST_NAME) return trimmed;
  throw new InvalidValueError('token.name-length', { longest: LONGEST_NAME });
}

/** Amounts come as whole sun, 0 or more. @throws InvalidValueError */
function checkLimits({ dailyLimitSun, maxCostSun, receivers, ips }: TokenLimits): TokenLimits {
  return { dailyLimitSun, maxCostSun, receivers: receivers && checkReceivers(receivers), ips: ips && checkIps(ips) };
}

function checkPermissions(permissions: readonly string[]): Permission[] {
  const known = PERMISSIONS.filter((permission) => permissions.includes(permission));
  if (known.length === 0 || permissions.some((permission) => !known.includes(permission as Permission))) {
    throw new DomainError('token.permissions-invalid', { permissions: PERMISSIONS });
  }
  return known;
}

function checkDays(days: number): number {
  if (days > 0 && days <= MOST_DAYS) return days;
  throw new DomainError('token.days-invalid', { most: MOST_DAYS });
}
