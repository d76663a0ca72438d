import type { Request } from 'express';

/**
 * Whether a form was sent by a page of this panel, as far as the browser says: a token alone does not keep others from signing
 * somebody in as themselves. Every current browser sends one of the two headers.
 */
export function isSentFromHere(request: Request, publicUrl: string | undefined): boolean {
  const site = request.get('Sec-Fetch-Site');
  if (site === 'same-origin') return true;
  if (site !== undefined && site !== 'none') return false;
  const origin = request.get('Origin');
  if (origin === undefined) return true;
  // Without the port: proxies often drop it, and cookies ignore it too.
  const host = hostOf(origin);
  return host !== null && (host === request.hostname || host === hostOf(publicUrl ?? ''));
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}
