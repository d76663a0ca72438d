import type { Request } from 'express';

interface RouterLayer {
  match(path: string): boolean;
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
}

/** The methods that some route has for this path, read from the router itself so that no list can go stale. */
export function allowedMethods(request: Request): string[] {
  // Only a browser finds something there: to a program it stays a path that does not exist.
  if (request.path === '/') return [];
  const layers = (request.app as unknown as { router: { stack: RouterLayer[] } }).router.stack;
  const methods = new Set<string>();
  for (const layer of layers) {
    // `_all` marks middleware, which does not count as a route.
    if (!layer.route || layer.route.methods['_all'] || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.size === 0) return [];
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort();
}

/** A path that cannot be decoded belongs to no route. */
function matches(layer: RouterLayer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
