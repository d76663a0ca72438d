import { utils } from 'tronweb';
import { v7 as uuid } from 'uuid';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import type { RouteWorld, Who } from '../../access/route-world';
import { insertPanelUser } from '../../support/panel-user';
import { giveSecondFactor } from '../../support/second-factor';

/** One way through a form, as somebody goes it who fills it in and answers what it asks. */
export interface Walk {
  readonly route: string;
  /** The page that has the form, or asks what it leads to. */
  readonly page: string;
  readonly action: string;
  /** By name: typed, chosen or, of boxes, ticked. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Of the button, where it is not the form's first. */
  readonly value?: string;
  /** Where it ends stands something that is shown once. */
  readonly once?: boolean;
}

const FACTOR = '/panel/account/second-factor';
const WALLETS = '/panel/operator/wallets';
const STAKE = `${WALLETS}/:id/stake`;
const DEPOSITS = '/panel/operator/deposits';
const SIGN_UPS = '/panel/operator/sign-ups';

/** Forms that are sent by nobody who is signed in, or that end the session. Signed out there is nothing that could keep an answer. */
export const NO_WALK = new Set([
  'POST /panel/sign-in',
  'POST /panel/sign-in/code',
  'POST /panel/invitation',
  'POST /panel/sign-out',
  'POST /panel/sign-out-everywhere',
  // They have a button only with a second factor, or with a way of notices.
  `POST ${FACTOR}/recovery-codes`,
  `POST ${FACTOR}/remove`,
  'POST /panel/operator/notices/:channel/kinds',
  'POST /panel/operator/notices/:channel/test',
]);

export const withRoute = (route: string, path: string, more: Partial<Walk> = {}): Walk => ({
  route: `POST ${route}`,
  page: path,
  action: path,
  ...more,
});

/** Whether the form asks for something, stands on another page than its answer, has one of several buttons and shows something once. */
const kindOf = ({ fields, page, action, value, once }: Walk) =>
  [fields !== undefined, page === action, value !== undefined, once === true].join(' ');

/** All walks of the routes that are the first of a kind, for one walk may undo what the one before has done. */
export function ofEachKind(walks: readonly Walk[]): Walk[] {
  const firsts = walks.filter((walk, at) => walks.findIndex((other) => kindOf(other) === kindOf(walk)) === at);
  const routes = new Set(firsts.map(({ route }) => route));
  return walks.filter(({ route }) => routes.has(route));
}

/** In this order: what ends or removes something comes last. */
export async function walksOfUser({ ids: { victim }, victim: caller, world }: RouteWorld): Promise<Walk[]> {
  // The button is there until a customer has an address.
  await world.query('update deposit_addresses set user_id = null where user_id = $1 returning 1', [caller.id]);
  const token = `/panel/tokens/${victim.token}`;
  const hook = `/panel/webhooks/${victim.webhook}`;
  const order = `/panel/orders/${victim.order}`;
  const account = '/panel/account';
  const wrong = { current: 'not it', password: 'seven bright umbrellas', again: 'seven bright umbrellas' };
  return [
    withRoute('/panel/balance/low-balance', '/panel/balance/low-balance', {
      page: '/panel/balance',
      fields: { low_balance: 'much' },
    }),
    withRoute('/panel/top-up', '/panel/top-up'),
    withRoute('/panel/try-it', '/panel/try-it', { fields: { receiver: 'T', token: caller.token }, value: 'send' }),
    withRoute('/panel/tokens/new', '/panel/tokens/new', { fields: { name: ' ', permissions: 'balance' } }),
    withRoute('/panel/tokens/new', '/panel/tokens/new', { fields: { name: 'a', permissions: 'delegate' }, once: true }),
    withRoute('/panel/orders/:id/receipt/share', `${order}/receipt/share`, { page: order }),
    withRoute('/panel/orders/:id/receipt/withdraw', `${order}/receipt/withdraw`, { page: order }),
    withRoute('/panel/tokens/:id', token, { fields: { name: 'till' } }),
    withRoute('/panel/tokens/:id/limits', `${token}/limits`, { page: token, fields: { daily_limit: 'much' } }),
    withRoute('/panel/webhooks/new', '/panel/webhooks/new', { fields: { url: 'no address' } }),
    withRoute('/panel/webhooks/new', '/panel/webhooks/new', { fields: { url: 'http://127.0.0.1:1/' }, once: true }),
    withRoute('/panel/webhooks/:id/deliveries/:delivery/replay', `${hook}/deliveries/${victim.delivery}/replay`, {
      page: hook,
    }),
    withRoute('/panel/webhooks/:id/replay-failed', `${hook}/replay-failed`),
    withRoute('/panel/webhooks/:id', hook, { fields: { url: 'http://127.0.0.1:1/other' } }),
    withRoute('/panel/webhooks/:id/test', `${hook}/test`, { page: hook }),
    withRoute('/panel/webhooks/:id/disable', `${hook}/disable`, { page: hook }),
    withRoute('/panel/webhooks/:id/enable', `${hook}/enable`, { page: hook }),
    withRoute('/panel/webhooks/:id/rotate', `${hook}/rotate`, { once: true }),
    withRoute('/panel/webhooks/:id/remove', `${hook}/remove`),
    withRoute('/panel/tokens/:id/revoke', `${token}/revoke`),
    withRoute('/panel/account/preferences', `${account}/preferences`, { page: account }),
    withRoute('/panel/account/email', `${account}/email`, {
      page: account,
      fields: { email: `${uuid()}@example.com` },
    }),
    withRoute('/panel/account', account, { fields: wrong }),
    withRoute(`${FACTOR}/begin`, `${FACTOR}/begin`, { page: FACTOR }),
    withRoute(`${FACTOR}/enable`, `${FACTOR}/enable`, { fields: { code: '000000' } }),
    withRoute('/panel/account/sessions', `${account}/sessions`, { page: account }),
  ];
}

export async function walksOfOperator({ ids: { attacker }, login, world }: RouteWorld): Promise<Walk[]> {
  const users = '/panel/operator/users';
  const user = `${users}/${attacker.user}`;
  const lost = await insertPanelUser(world.app, {});
  await giveSecondFactor(world.app, lost);
  const [opened, refused] = [`${uuid()}@example.com`, `${uuid()}@example.com`];
  for (const email of [opened, refused]) {
    await world.query(
      `insert into sign_ups (id, email, name, password_hash, language, network, confirmed_at)
       values ($1, $2, 'Shop', 'x', 'en', '192.0.2.1', now()) returning 1`,
      [uuid(), email],
    );
  }
  const address = () => utils.accounts.generateAccount().address.base58;
  const spare = { name: uuid(), address: address(), keySource: 'env:NOT_SET', permissionId: 0 };
  await world.app.app.get(PoolWallets).add({ ...spare, role: 'delegate', state: 'paused' });
  const [added] = await world.query('select id from pool_wallets where name = $1', [spare.name]);
  const movement = withRoute('/panel/operator/users/:id/movements', `${user}/movements`, { page: `${user}/money` });
  const subscription = withRoute('/panel/operator/users/:id/subscriptions', `${user}/subscriptions`);
  const pool = { page: `${WALLETS}/resume?name=pool`, fields: { reason: 'looked at' } };
  const stake = `${WALLETS}/${String(added!['id'])}/stake`;
  const keys = { key_kind: 'env', key: 'NOT_SET' };
  return [
    withRoute('/panel/operator/sign-ups/approve', `${SIGN_UPS}/approve`, { page: SIGN_UPS, value: opened }),
    withRoute('/panel/operator/sign-ups/refuse', `${SIGN_UPS}/refuse`, {
      page: `${SIGN_UPS}/refuse?email=${encodeURIComponent(refused)}`,
      fields: { note: 'exchanges only' },
    }),
    { ...movement, fields: { kind: 'credit', amount: '0', note: 'x' } },
    { ...movement, fields: { kind: 'credit', amount: '7', note: 'invoice' } },
    { ...movement, fields: { kind: 'debit', amount: '3', note: 'refund' } },
    { ...movement, fields: { kind: 'debit', amount: '900000', note: 'too much' } },
    { ...subscription, fields: { transactions: '0', days: '1' } },
    { ...subscription, fields: { transactions: '5', days: '30' } },
    { ...subscription, fields: { transactions: '5', days: '30', price: '1', paid_by: 'balance', reference: uuid() } },
    withRoute(
      '/panel/operator/users/:id/subscriptions/:subscription/end',
      `${user}/subscriptions/${attacker.subscription}/end`,
    ),
    withRoute('/panel/operator/users/new', `${users}/new`, { fields: { email: login.victim.email, name: 'A' } }),
    withRoute('/panel/operator/users/new', `${users}/new`, {
      fields: { email: `${uuid()}@example.com`, name: 'A' },
      once: true,
    }),
    withRoute('/panel/operator/users/:id', user, { page: `${user}/access`, fields: { unit_price: '9' } }),
    withRoute('/panel/operator/users/:id', user, { page: `${user}/access`, fields: { unit_price: '2.3' } }),
    withRoute('/panel/operator/users/:id/state', `${user}/state`, { page: `${user}/disable` }),
    withRoute('/panel/operator/users/:id/state', `${user}/state`, { page: `${user}/access` }),
    withRoute('/panel/operator/users/:id/sessions', `${user}/sessions`, { page: `${user}/access` }),
    withRoute('/panel/operator/users/:id/invitation', `${user}/invitation`, { page: `${user}/access`, once: true }),
    withRoute('/panel/operator/users/:id/invitation/withdraw', `${user}/invitation/withdraw`, {
      page: `${user}/access`,
    }),
    withRoute('/panel/operator/users/:id/second-factor', `${users}/${lost.id}/second-factor`),
    withRoute('/panel/operator/users/:id/tokens/:token/revoke', `${user}/tokens/${attacker.token}/revoke`),
    withRoute(WALLETS, WALLETS, { page: `${WALLETS}/drain?name=pool` }),
    withRoute(`${WALLETS}/resume`, `${WALLETS}/resume`, { ...pool, fields: { reason: 'x'.repeat(301) } }),
    withRoute(`${WALLETS}/resume`, `${WALLETS}/resume`, pool),
    withRoute(`${WALLETS}/orders`, `${WALLETS}/orders`, { fields: { reason: 'x'.repeat(301) } }),
    withRoute(`${WALLETS}/orders`, `${WALLETS}/orders`, { fields: { reason: 'a look' } }),
    withRoute(`${WALLETS}/orders`, `${WALLETS}/orders`, { page: WALLETS }),
    withRoute(`${WALLETS}/reclaims`, `${WALLETS}/reclaims`, { fields: { reason: 'a look' } }),
    withRoute(`${WALLETS}/reclaims`, `${WALLETS}/reclaims`, { page: WALLETS }),
    withRoute(`${WALLETS}/new`, `${WALLETS}/new`, {
      page: `${WALLETS}/new?address=${address()}`,
      fields: { name: 'w'.repeat(101), role: 'delegate', ...keys },
    }),
    withRoute(`${WALLETS}/new`, `${WALLETS}/new`, {
      page: `${WALLETS}/new?address=${address()}`,
      fields: { name: uuid(), role: 'delegate', ...keys },
    }),
    withRoute(`${WALLETS}/:id`, `${WALLETS}/${String(added!['id'])}`, { fields: keys }),
    ...['vote', 'claim', 'withdraw', 'cancel-unfreeze'].map((act) => withRoute(`${STAKE}/${act}`, `${stake}/${act}`)),
    ...['freeze', 'unfreeze'].map((act) =>
      withRoute(`${STAKE}/${act}`, `${stake}/${act}`, { page: `${stake}/${act}?amount=5&resource=energy` }),
    ),
    withRoute(`${STAKE}/care`, `${stake}/care`, { fields: { ...keys, votes: 'T' } }),
    withRoute(`${STAKE}/care`, `${stake}/care`, { fields: { ...keys, permission_id: '3' } }),
    withRoute(`${STAKE}/care/off`, `${stake}/care/off`),
    withRoute(`${WALLETS}/:id/remove`, `${WALLETS}/${String(added!['id'])}/remove`),
    withRoute(`${DEPOSITS}/rate`, `${DEPOSITS}/rate`, { page: `${DEPOSITS}/rate?rate=3.1` }),
    withRoute(`${DEPOSITS}/rate`, `${DEPOSITS}/rate`, { page: `${DEPOSITS}/rate?off=yes` }),
    withRoute(`${DEPOSITS}/:id/credit`, `${DEPOSITS}/${attacker.deposit}/credit`, { fields: { note: 'looked at' } }),
    withRoute('/panel/operator/findings/:id/acknowledge', `/panel/operator/findings/${attacker.finding}/acknowledge`, {
      fields: { note: 'looked at' },
    }),
    withRoute('/panel/operator/findings', '/panel/operator/findings'),
  ];
}

export const WALKS: readonly (readonly [
  Extract<Who, 'victim' | 'operator'>,
  (world: RouteWorld) => Walk[] | Promise<Walk[]>,
])[] = [
  ['victim', walksOfUser],
  ['operator', walksOfOperator],
];
