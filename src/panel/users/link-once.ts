import type { PanelRequest } from '../http/visit';
import { openInSession, sealInSession } from '../http/session-seal';

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

/** Left for the page that the form leads to: a reload of that page makes nothing. */
export function leaveLink({ session, sessionID }: PanelRequest, link: MadeLink): void {
  session.link = sealInSession(sessionID, 'link', link);
}

/** Gives the link once; null when there is none for this user. */
export function takeLink({ session, sessionID, method }: PanelRequest, userId: string): MadeLink | null {
  const sealed = session.link;
  // A HEAD request has shown nothing to anybody.
  if (sealed === undefined || method === 'HEAD') return null;
  const link = openInSession(sessionID, 'link', sealed) as MadeLink | null;
  if (link?.userId !== userId) return null;
  delete (session as { link?: string }).link;
  return link;
}
