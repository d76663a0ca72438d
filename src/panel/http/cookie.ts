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

/** The panel's own, with and without `__Host-`: any other is taken off the request, so a new one has to be named here. */
const OWN = new Set(
  [
    'panel_session',
    'panel_form',
    'panel_browser',
    'panel_step',
    'panel_sign_up',
    'panel_language',
    'panel_zone',
  ].flatMap((name) => [name, `__Host-${name}`]),
);

/**
 * The request keeps the panel's own cookies, one of each. Whoever parses the others looks at every one, and at a broken one for several
 * microseconds: 12 KB of them cost more than a page.
 */
export function keepOwnCookies({ headers }: IncomingMessage): void {
  if (headers.cookie === undefined) return;
  const kept = new Map<string, string>();
  for (const [name, value] of cookiesIn(headers.cookie)) if (OWN.has(name) && !kept.has(name)) kept.set(name, value);
  headers.cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
}

export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  for (const [found, value] of cookiesIn(headers.cookie ?? '')) if (found === name) return decode(value);
  return undefined;
}

/** In one pass: what stands between two semicolons without an equals sign is no cookie, and costs nothing. */
function* cookiesIn(header: string): Generator<[name: string, value: string]> {
  let start = 0;
  for (let equals = header.indexOf('='); equals !== -1; equals = header.indexOf('=', start)) {
    start = header.lastIndexOf(';', equals) + 1;
    const semicolon = header.indexOf(';', equals);
    const end = semicolon === -1 ? header.length : semicolon;
    yield [header.slice(start, equals).trim(), header.slice(equals + 1, end).trim()];
    start = end;
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
