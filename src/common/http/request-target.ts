const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i;

/** A request's target with path and query alone, and the host that it named itself. */
export interface RequestTarget {
  /** `*` stays what it is. */
  readonly url: string;
  readonly host?: string;
}

/**
 * Every server must understand `POST http://host/path` (RFC 9112, 3.2.2), but express reads such a target in one place and not in
 * another; with a fragment behind it, it takes `\` for `/` too.
 */
export function readTarget(target: string): RequestTarget {
  const [origin = '', host] = ABSOLUTE.exec(target) ?? [];
  // A base address that ends in a slash, with a path behind it that begins with one, makes two.
  const rest = target
    .slice(origin.length)
    .replace(/#.*$/s, '')
    .replace(/^\/{2,}/, '/');
  if (host === undefined) return { url: rest };
  return { url: rest.startsWith('/') ? rest : `/${rest}`, ...(host !== '' && { host }) };
}
