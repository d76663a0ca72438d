import type { TokenRecord } from '../auth/tokens/api-token.repository';

export const TOKEN_COLUMNS = [
  'id',
  'name',
  'prefix',
  'permissions',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
];

export function tokenDocument(token: TokenRecord) {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    permissions: token.permissions,
    created_at: token.createdAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    expires_at: token.expiresAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
  };
}
