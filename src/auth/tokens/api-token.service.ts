import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid, validate as isUuid } from 'uuid';
import { InvalidValueError, MissingError, DomainError } from '../../common/errors/domain.error';
import { characterCount } from '../../common/text';
import { type Queryable, Sql, type SqlTransaction } from '../../database/sql';
import { type Permission, PERMISSIONS } from '../../users/permissions';
import { ApiToken } from './api-token.entity';
import { CREATE_TOKEN, LOCK_TOKEN, RENAME_TOKEN, REVOKE_TOKEN } from './api-token.statements';
import { hashToken, mintToken, prefixOf } from './token-format';

export const LONGEST_TOKEN_NAME = 100;
const MOST_DAYS = 36_500;

export interface NewToken {
  /** The caller's own name for it: the same one twice makes one token. */
  readonly id?: string;
  readonly userId: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresInDays?: number;
}

export type TokenRecord = Pick<
  ApiToken,
  'id' | 'name' | 'prefix' | 'permissions' | 'expiresAt' | 'lastUsedAt' | 'revokedAt' | 'createdAt'
>;

export interface CreatedToken {
  /** Shown once: only its hash is kept. */
  readonly token: string;
  readonly row: TokenRecord;
}

export interface LockedToken {
  readonly name: string;
  readonly prefix: string;
  readonly revokedAt: Date | null;
  /** The e-mail address of its user. */
  readonly owner: string;
}

type Row = TokenRecord & Record<string, unknown>;

/** With `ownerId`, another user's token reads as not found. */
@Injectable()
export class ApiTokenService {
  constructor(
    private readonly em: EntityManager,
    private readonly sql: Sql,
  ) {}

  /** @throws DomainError also when a token was made with this id before: its value was shown then. */
  async create(
    { id = uuid(), userId, name, permissions, expiresInDays }: NewToken,
    session: Queryable = this.sql,
  ): Promise<CreatedToken> {
    const token = mintToken();
    const days = expiresInDays === undefined ? null : checkDays(expiresInDays);
    const secret = [prefixOf(token), hashToken(token)];
    const values = [id, userId, checkTokenName(name), ...secret, checkPermissions(permissions), days];
    const row = await session.row<Row>(CREATE_TOKEN, values);
    if (!row) throw new DomainError('token.created-before');
    return { token, row };
  }

  /** Newest first, revoked and expired ones included. */
  list(userId: string, limit?: number): Promise<ApiToken[]> {
    return this.em.fork().find(ApiToken, { user: userId }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit });
  }

  /** What is true of the token until the transaction ends. */
  async lock(id: string, ownerId: string | undefined, tx: SqlTransaction): Promise<LockedToken> {
    const row = isUuid(id) ? await tx.row<LockedToken & Record<string, unknown>>(LOCK_TOKEN, [id, ownerId]) : null;
    return row ?? missing(id);
  }

  /** Felt by the next request on every instance. */
  async revoke(id: string, ownerId?: string, session: Queryable = this.sql): Promise<TokenRecord> {
    return (isUuid(id) ? await session.row<Row>(REVOKE_TOKEN, [id, ownerId]) : null) ?? missing(id);
  }

  async rename(id: string, name: string, ownerId?: string): Promise<TokenRecord> {
    const values = [id, ownerId, checkTokenName(name)];
    return (isUuid(id) ? await this.sql.row<Row>(RENAME_TOKEN, values) : null) ?? missing(id);
  }
}

function missing(id: string): never {
  throw new MissingError('token.not-found', { id });
}

export function checkTokenName(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '' && characterCount(trimmed) <= LONGEST_TOKEN_NAME) return trimmed;
  throw new InvalidValueError('token.name-length', { longest: LONGEST_TOKEN_NAME });
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
