import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { PanelRequest } from '../http/page-context';

declare module 'express-session' {
  interface SessionData {
    /** A link on its way to the page that shows it, sealed. */
    link: string;
  }
}

export interface MadeLink {
  readonly userId: string;
  readonly url: string;
  readonly expiresAt: string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Left for the page that the form leads to: a reload of that page makes nothing. The session's row is in the database and its backups,
 * which know of its id only a hash; so what is in the row is sealed with the id itself, which the browser alone has.
 */
export function leaveLink({ session, sessionID }: PanelRequest, link: MadeLink): void {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(sessionID), nonce);
  const text = Buffer.concat([cipher.update(JSON.stringify(link), 'utf8'), cipher.final()]);
  session.link = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** Gives the link once; null when there is none for this user. */
export function takeLink({ session, sessionID, method }: PanelRequest, userId: string): MadeLink | null {
  const sealed = session.link;
  // A HEAD request has shown nothing to anybody.
  if (sealed === undefined || method === 'HEAD') return null;
  const link = open(Buffer.from(sealed, 'base64url'), sessionID);
  if (link?.userId !== userId) return null;
  delete (session as { link?: string }).link;
  return link;
}

function open(sealed: Buffer, sessionId: string): MadeLink | null {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(sessionId), nonce);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return JSON.parse(text.toString('utf8')) as MadeLink;
  } catch {
    // Sealed for another session id.
    return null;
  }
}

function keyOf(sessionId: string): Buffer {
  return createHash('sha256').update(`link of ${sessionId}`).digest();
}
