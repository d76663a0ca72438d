import { createHash, randomBytes } from 'node:crypto';
import { validate as isUuid } from 'uuid';

/** A link that opens one row: the row's id, and a secret of which the row has the hash. */
export interface LinkParts {
  readonly id: string;
  /** SHA-256 of the secret: 256 random bits need nothing slower. */
  readonly key: string;
}

/** What a link to this row has in its query: another one for each mail. */
export function newLinkTo(id: string): { readonly text: string; readonly key: string } {
  const secret = newSecret();
  return { text: `${id}.${secret}`, key: keyOf(secret) };
}

/** Null when it has another form. */
export function readLink(text: string): LinkParts | null {
  const [id = '', secret = ''] = text.split('.', 2);
  return isUuid(id) && secret !== '' ? { id, key: keyOf(secret) } : null;
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Only the hash is stored. */
export function keyOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
