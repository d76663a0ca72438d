/** Callers that a route is for. In the API: a token with this permission, any token, everybody. In the panel: a user who is signed in. */
export type Access = 'public' | 'token' | 'delegate' | 'balance' | 'anyone' | 'user' | 'operator';
/** What an id in a path stands for, in the order of the path. */
export type Named =
  | 'order'
  | 'token'
  | 'webhook'
  | 'delivery'
  | 'user'
  | 'wallet'
  | 'subscription'
  | 'finding'
  | 'channel'
  | 'asset'
  | 'document'
  | 'language'
  | 'share'
  | 'deposit'
  | 'any';

/**
 * Written down a second time, on purpose: what the code says of a route is what is tested. A route that is not here, or whose path
 * has other ids than are named here, fails the test.
 */
export const ROUTE_CLASSES: Readonly<Record<string, readonly [Access, ...Named[]]>> = {
  'GET /health/live': ['public'],
  'GET /health/ready': ['public'],
  'GET /openapi.json': ['public'],
  'GET /': ['public'],
  'GET /r/:key': ['public', 'share'],
  'GET /r/:key/receipt.json': ['public', 'share'],
  'GET /status': ['public'],
  'GET /status.json': ['public'],
  'GET /docs/api': ['public'],
  'GET /docs': ['public'],
  'GET /docs/search': ['public'],
  'GET /docs/:page': ['public', 'document'],
  'GET /docs/:language/search': ['public', 'language'],
  'GET /docs/:language/:page': ['public', 'language', 'document'],
  'GET /site/assets/:version/:name': ['public', 'asset', 'asset'],
  'GET /docs/assets/:version/:name': ['public', 'asset', 'asset'],
  'GET /panel/assets/:version/:name': ['public', 'asset', 'asset'],
  'GET /api/user/balance': ['balance'],
  'GET /api/user/deposit-address': ['balance'],
  'GET /api/user/deposits': ['balance'],
  'GET /api/user/token': ['token'],
  'POST /api/chain/delegate-resource': ['delegate'],
  'GET /api/chain/delegations': ['delegate'],
  'GET /api/chain/delegations/:id': ['delegate', 'order'],
  'GET /api/chain/delegations/:id/receipt': ['delegate', 'order'],
  'GET /api/chain/quote': ['delegate'],

  'GET /panel': ['anyone'],
  'GET /panel/sign-in': ['anyone'],
  'POST /panel/sign-in': ['anyone'],
  'GET /panel/sign-in/code': ['anyone'],
  'POST /panel/sign-in/code': ['anyone'],
  'POST /panel/sign-out': ['anyone'],
  'POST /panel/sign-out-everywhere': ['anyone'],
  'GET /panel/invitation': ['anyone'],
  'POST /panel/invitation': ['anyone'],
  'GET /panel/sign-up': ['anyone'],
  'POST /panel/sign-up': ['anyone'],
  'GET /panel/sign-up/sent': ['anyone'],
  'GET /panel/sign-up/confirm': ['anyone'],
  'POST /panel/sign-up/confirm': ['anyone'],
  'GET /panel/sign-up/ready': ['anyone'],
  'GET /panel/sign-up/waiting': ['anyone'],
  'GET /panel/forgot': ['anyone'],
  'POST /panel/forgot': ['anyone'],
  'GET /panel/forgot/sent': ['anyone'],
  'GET /panel/email': ['anyone'],
  'POST /panel/email': ['anyone'],
  'GET /panel/email/changed': ['anyone'],
  'ALL /panel/{*path}': ['anyone', 'any'],

  'GET /panel/answer': ['user'],
  'GET /panel/account': ['user'],
  'POST /panel/account': ['user'],
  'POST /panel/account/preferences': ['user'],
  'POST /panel/account/email': ['user'],
  'GET /panel/search': ['user'],
  'GET /panel/quote': ['user'],
  'POST /panel/account/sessions': ['user'],
  'GET /panel/account/second-factor': ['user'],
  'POST /panel/account/second-factor/begin': ['user'],
  'GET /panel/account/second-factor/enable': ['user'],
  'POST /panel/account/second-factor/enable': ['user'],
  'GET /panel/account/second-factor/recovery-codes': ['user'],
  'POST /panel/account/second-factor/recovery-codes': ['user'],
  'POST /panel/account/second-factor/remove': ['user'],
  'GET /panel/balance': ['user'],
  'POST /panel/balance/low-balance': ['user'],
  'GET /panel/balance/ledger.csv': ['user'],
  'GET /panel/balance/statement': ['user'],
  'GET /panel/balance/statement.csv': ['user'],
  'GET /panel/top-up': ['user'],
  'POST /panel/top-up': ['user'],
  'GET /panel/subscriptions': ['user'],
  'GET /panel/orders': ['user'],
  'GET /panel/orders/orders.csv': ['user'],
  'GET /panel/orders/refused': ['user'],
  'GET /panel/orders/failures': ['user'],
  'GET /panel/orders/:id': ['user', 'order'],
  'GET /panel/orders/:id/receipt': ['user', 'order'],
  'POST /panel/orders/:id/receipt/share': ['user', 'order'],
  'POST /panel/orders/:id/receipt/withdraw': ['user', 'order'],
  'GET /panel/try-it': ['user'],
  'POST /panel/try-it': ['user'],
  'GET /panel/home': ['user'],
  'GET /panel/tokens': ['user'],
  'GET /panel/tokens/new': ['user'],
  'POST /panel/tokens/new': ['user'],
  'GET /panel/tokens/:id': ['user', 'token'],
  'POST /panel/tokens/:id': ['user', 'token'],
  'POST /panel/tokens/:id/limits': ['user', 'token'],
  'GET /panel/tokens/:id/revoke': ['user', 'token'],
  'POST /panel/tokens/:id/revoke': ['user', 'token'],
  'GET /panel/webhooks': ['user'],
  'GET /panel/webhooks/new': ['user'],
  'POST /panel/webhooks/new': ['user'],
  'GET /panel/webhooks/:id': ['user', 'webhook'],
  'POST /panel/webhooks/:id': ['user', 'webhook'],
  'POST /panel/webhooks/:id/test': ['user', 'webhook'],
  'POST /panel/webhooks/:id/disable': ['user', 'webhook'],
  'POST /panel/webhooks/:id/enable': ['user', 'webhook'],
  'GET /panel/webhooks/:id/rotate': ['user', 'webhook'],
  'POST /panel/webhooks/:id/rotate': ['user', 'webhook'],
  'GET /panel/webhooks/:id/deliveries/:delivery': ['user', 'webhook', 'delivery'],
  'GET /panel/webhooks/:id/replay-failed': ['user', 'webhook'],
  'POST /panel/webhooks/:id/replay-failed': ['user', 'webhook'],
  'POST /panel/webhooks/:id/deliveries/:delivery/replay': ['user', 'webhook', 'delivery'],
  'GET /panel/webhooks/:id/remove': ['user', 'webhook'],
  'POST /panel/webhooks/:id/remove': ['user', 'webhook'],

  'GET /panel/operator': ['operator'],
  'GET /panel/operator/today': ['operator'],
  'GET /panel/operator/earnings': ['operator'],
  'GET /panel/operator/earnings/wallets.csv': ['operator'],
  'GET /panel/operator/earnings/demand.csv': ['operator'],
  'GET /panel/operator/business': ['operator'],
  'GET /panel/operator/business/orders.csv': ['operator'],
  'GET /panel/operator/business/refused.csv': ['operator'],
  'GET /panel/operator/books': ['operator'],
  'GET /panel/operator/books/ledger.csv': ['operator'],
  'GET /panel/operator/deposits': ['operator'],
  'GET /panel/operator/deposits/rate': ['operator'],
  'POST /panel/operator/deposits/rate': ['operator'],
  'GET /panel/operator/deposits/:id/credit': ['operator', 'deposit'],
  'POST /panel/operator/deposits/:id/credit': ['operator', 'deposit'],
  'GET /panel/operator/orders': ['operator'],
  'GET /panel/operator/orders/orders.csv': ['operator'],
  'GET /panel/operator/orders/:id': ['operator', 'order'],
  'GET /panel/operator/audit-log': ['operator'],
  'GET /panel/operator/audit-log/audit-log.csv': ['operator'],
  'GET /panel/operator/findings': ['operator'],
  'POST /panel/operator/findings': ['operator'],
  'GET /panel/operator/findings/:id/acknowledge': ['operator', 'finding'],
  'POST /panel/operator/findings/:id/acknowledge': ['operator', 'finding'],
  'GET /panel/operator/notices': ['operator'],
  'POST /panel/operator/notices/:channel/kinds': ['operator', 'channel'],
  'POST /panel/operator/notices/:channel/test': ['operator', 'channel'],
  'GET /panel/operator/wallets': ['operator'],
  'POST /panel/operator/wallets': ['operator'],
  'GET /panel/operator/wallets/drain': ['operator'],
  'GET /panel/operator/wallets/resume': ['operator'],
  'POST /panel/operator/wallets/resume': ['operator'],
  'GET /panel/operator/wallets/new': ['operator'],
  'POST /panel/operator/wallets/new': ['operator'],
  'GET /panel/operator/wallets/:id': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/remove': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id/remove': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/stake': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/stake/vote': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id/stake/vote': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/stake/claim': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id/stake/claim': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/stake/freeze': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id/stake/freeze': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/stake/unfreeze': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id/stake/unfreeze': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/stake/withdraw': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id/stake/withdraw': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/stake/cancel-unfreeze': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id/stake/cancel-unfreeze': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/stake/care': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id/stake/care': ['operator', 'wallet'],
  'GET /panel/operator/wallets/:id/stake/care/off': ['operator', 'wallet'],
  'POST /panel/operator/wallets/:id/stake/care/off': ['operator', 'wallet'],
  'GET /panel/operator/settings': ['operator'],
  'GET /panel/operator/wallets/orders': ['operator'],
  'POST /panel/operator/wallets/orders': ['operator'],
  'GET /panel/operator/wallets/reclaims': ['operator'],
  'POST /panel/operator/wallets/reclaims': ['operator'],
  'GET /panel/operator/sign-ups': ['operator'],
  'POST /panel/operator/sign-ups/approve': ['operator'],
  'GET /panel/operator/sign-ups/refuse': ['operator'],
  'POST /panel/operator/sign-ups/refuse': ['operator'],
  'GET /panel/operator/users': ['operator'],
  'GET /panel/operator/users/new': ['operator'],
  'POST /panel/operator/users/new': ['operator'],
  'GET /panel/operator/users/:id': ['operator', 'user'],
  'GET /panel/operator/users/:id/money': ['operator', 'user'],
  'GET /panel/operator/users/:id/statement': ['operator', 'user'],
  'GET /panel/operator/users/:id/statement.csv': ['operator', 'user'],
  'GET /panel/operator/users/:id/money/ledger.csv': ['operator', 'user'],
  'GET /panel/operator/users/:id/subscriptions': ['operator', 'user'],
  'GET /panel/operator/users/:id/access': ['operator', 'user'],
  'POST /panel/operator/users/:id': ['operator', 'user'],
  'GET /panel/operator/users/:id/disable': ['operator', 'user'],
  'POST /panel/operator/users/:id/state': ['operator', 'user'],
  'POST /panel/operator/users/:id/sessions': ['operator', 'user'],
  'GET /panel/operator/users/:id/invitation': ['operator', 'user'],
  'POST /panel/operator/users/:id/invitation': ['operator', 'user'],
  'POST /panel/operator/users/:id/invitation/withdraw': ['operator', 'user'],
  'GET /panel/operator/users/:id/second-factor': ['operator', 'user'],
  'POST /panel/operator/users/:id/second-factor': ['operator', 'user'],
  'POST /panel/operator/users/:id/movements': ['operator', 'user'],
  'POST /panel/operator/users/:id/subscriptions': ['operator', 'user'],
  'GET /panel/operator/users/:id/subscriptions/:subscription/end': ['operator', 'user', 'subscription'],
  'POST /panel/operator/users/:id/subscriptions/:subscription/end': ['operator', 'user', 'subscription'],
  'GET /panel/operator/users/:id/tokens': ['operator', 'user'],
  'GET /panel/operator/users/:id/tokens/:token/revoke': ['operator', 'user', 'token'],
  'POST /panel/operator/users/:id/tokens/:token/revoke': ['operator', 'user', 'token'],
};

export interface ClassifiedRoute {
  readonly name: string;
  readonly method: string;
  readonly access: Access;
  readonly named: readonly Named[];
  /** With these ids in the places of its parameters. */
  readonly path: (ids: Partial<Record<Named, string>>) => string;
}

export function classify(name: string): ClassifiedRoute {
  const found = ROUTE_CLASSES[name];
  if (!found) throw new Error(`${name} is not classified: say in route-classes.ts who it is for`);
  const [access, ...named] = found;
  const [method, template] = name.split(' ') as [string, string];
  const parameters = template.match(/:\w+|\{\*\w+\}/g) ?? [];
  if (parameters.length !== named.length)
    throw new Error(`${name} has ${parameters.length} ids, ${named.length} named`);
  const path = (ids: Partial<Record<Named, string>>) => {
    const left = [...named];
    return template.replaceAll(/:\w+|\{\*\w+\}/g, () => ids[left.shift()!] ?? 'nothing');
  };
  return { name, method: method === 'ALL' ? 'GET' : method, access, named, path };
}

export const ROUTES = Object.keys(ROUTE_CLASSES).map(classify);
export const byName = (routes: readonly ClassifiedRoute[]) => routes.map((route) => [route.name, route] as const);

/** Each route is in one of these, by who it is for; each is tested as a whole. */
const isOf = (...accesses: Access[]) => ROUTES.filter(({ access }) => accesses.includes(access));
export const PUBLIC = isOf('public');
export const API = isOf('token', 'delegate', 'balance');
export const PANEL = isOf('anyone', 'user', 'operator');
