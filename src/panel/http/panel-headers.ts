import type { Response } from 'express';

/** Nothing inline, nothing from elsewhere. The images in the CSS base (ticks, arrows) are data URLs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  // Pages that keep themselves up to date.
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function setPanelHeaders(response: Response): void {
  response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), clipboard-write=(self)');
  // With `no-referrer` browsers send forms from nowhere: then ours would look like those of other sites.
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cache-Control', 'no-store');
}
