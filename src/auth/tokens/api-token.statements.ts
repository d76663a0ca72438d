import type { Statement } from '../../database/sql';

/** Named as `TokenRecord` names them. */
const RECORD = `id, name, prefix, permissions, expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt",
  created_at as "createdAt"`;

/** Nothing when there is one with this id. $7 in days of 24 hours; null: it stays valid. */
export const CREATE_TOKEN: Statement = {
  name: 'token_create',
  text: `
    insert into api_tokens (id, user_id, name, prefix, hash, permissions, expires_at)
    values ($1, $2, $3, $4, $5, $6, now() + $7::float8 * interval '24 hours')
    on conflict (id) do nothing
    returning ${RECORD}`,
};

/** Of whoever it is, or of $2 alone. */
const OWN = '($2::uuid is null or user_id = $2)';

export const LOCK_TOKEN: Statement = {
  name: 'token_lock',
  text: `
    select t.name, t.prefix, t.revoked_at as "revokedAt", u.email as owner
    from api_tokens t join users u on u.id = t.user_id
    where t.id = $1 and ${OWN} for no key update of t`,
};

/** The first revocation's time stays. */
export const REVOKE_TOKEN: Statement = {
  name: 'token_revoke',
  text: `
    update api_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1 and ${OWN}
    returning ${RECORD}`,
};

export const RENAME_TOKEN: Statement = {
  name: 'token_rename',
  text: `update api_tokens set name = $3 where id = $1 and ${OWN} returning ${RECORD}`,
};
