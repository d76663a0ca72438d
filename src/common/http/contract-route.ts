/** The two routes whose bodies the contract fixes; every other one has the plain body. */
export type ContractRoute = 'delegate' | 'balance' | 'other';

const ROUTES: Readonly<Record<string, ContractRoute>> = {
  '/api/chain/delegate-resource': 'delegate',
  '/api/user/balance': 'balance',
};

/** `/api/tron/…` is `/api/chain/…` on every route. */
export function withoutChainName(url: string): string {
  return url.replace(/^\/api\/tron(?=[/?#]|$)/i, '/api/chain');
}

/** Which route's body an answer has, whatever its method: as the router compares, without regard to case or a final slash. */
export function contractRouteOf(url: string): ContractRoute {
  const path = withoutChainName(url)
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
    .toLowerCase();
  return Object.hasOwn(ROUTES, path) ? ROUTES[path]! : 'other';
}
