import type { CookieOptions, Request } from 'express';
import type { IncomingMessage } from 'node:http';

/** With `__Host-`, browsers take the cookie only over https and only from this very host. */
export function cookieName({ secure }: Pick<Request, 'secure'>, name: string): string {
  return secure ? `__Host-${name}` : name;
}

/** Such a name goes with the path `/` only. */
export function cookieOptions({ secure }: Pick<Request, 'secure'>) {
  return { path: secure ? '/' : '/panel', httpOnly: true, sameSite: 'lax', secure } as const satisfies CookieOptions;
}

export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return decode(value.join('='));
  }
  return undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
