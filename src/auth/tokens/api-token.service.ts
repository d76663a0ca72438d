import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { v7 as uuid, validate as isUuid } from 'uuid';
import { InvalidValueError, RefusalError } from '../../common/refusal.error';
import { ApiToken, type Permission, PERMISSIONS } from '../api-token.entity';
import { User } from '../user.entity';
import { hashToken, mintToken, prefixOf } from './token-format';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 36_500;

export interface NewToken {
  readonly userId: string;
  readonly name: string;
  readonly permissions: readonly string[];
  readonly expiresInDays?: number;
}

export interface CreatedToken {
  /** Shown once: only its hash is kept. */
  readonly token: string;
  readonly row: ApiToken;
}

@Injectable()
export class ApiTokenService {
  constructor(private readonly em: EntityManager) {}

  async create({ userId, name, permissions, expiresInDays }: NewToken): Promise<CreatedToken> {
    const em = this.em.fork();
    const token = mintToken();
    const row = em.create(ApiToken, {
      id: uuid(),
      user: em.getReference(User, userId),
      name: checkTokenName(name),
      prefix: prefixOf(token),
      hash: hashToken(token),
      permissions: checkPermissions(permissions),
      expiresAt: expiresInDays === undefined ? null : new Date(Date.now() + checkDays(expiresInDays) * DAY_MS),
    });
    await em.flush();
    return { token, row };
  }

  /** Newest first, revoked and expired ones included. */
  list(userId: string, limit?: number): Promise<ApiToken[]> {
    return this.em.fork().find(ApiToken, { user: userId }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit });
  }

  /** Felt by the next request on every instance. With `ownerId`, another user's token reads as not found. */
  async revoke(id: string, ownerId?: string): Promise<ApiToken> {
    const em = this.em.fork();
    const row = await this.get(em, id, ownerId);
    row.revokedAt ??= new Date();
    await em.flush();
    return row;
  }

  async rename(id: string, name: string, ownerId?: string): Promise<ApiToken> {
    const em = this.em.fork();
    const row = await this.get(em, id, ownerId);
    row.name = checkTokenName(name);
    await em.flush();
    return row;
  }

  private async get(em: EntityManager, id: string, ownerId?: string): Promise<ApiToken> {
    const row = isUuid(id) ? await em.findOne(ApiToken, { id, ...(ownerId && { user: ownerId }) }) : null;
    if (!row) throw new RefusalError(`there is no token ${id}`);
    return row;
  }
}

export function checkTokenName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 100)
    throw new InvalidValueError('a token needs a name of 1 to 100 characters');
  return trimmed;
}

function checkPermissions(permissions: readonly string[]): Permission[] {
  const known = PERMISSIONS.filter((permission) => permissions.includes(permission));
  if (known.length === 0 || permissions.some((permission) => !known.includes(permission as Permission))) {
    throw new RefusalError(`permissions are one or more of ${PERMISSIONS.join(', ')}`);
  }
  return known;
}

function checkDays(days: number): number {
  if (days > 0 && days <= LONGEST_DAYS) return days;
  throw new RefusalError(`a token expires in more than 0 and at most ${LONGEST_DAYS} days`);
}
