import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * For what waits in a session: its row is in the database and its backups, which know of its id only a hash. So what is in the row is
 * sealed with the id itself, which the browser alone has. `purpose`: it opens for no other.
 */
export function sealInSession(sessionId: string, purpose: string, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(sessionId, purpose), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** Null for what was sealed with another session's id, or for another purpose. */
export function openInSession(sessionId: string, purpose: string, text: string): unknown {
  const sealed = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(CIPHER, keyOf(sessionId, purpose), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const opened = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(opened.toString('utf8'));
  } catch {
    return null;
  }
}

function keyOf(sessionId: string, purpose: string): Buffer {
  return createHash('sha256').update(`${purpose} of ${sessionId}`).digest();
}
