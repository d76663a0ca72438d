import { utils } from 'tronweb';
import { v7 as uuid } from 'uuid';
import type { Fields } from './extra-fields';
import type { RouteWorld } from './route-world';

/** What a form needs beside what every form of this test has, to be carried out; what it does have is no field too many. */
export const NEEDS: Record<string, (routes: RouteWorld) => Fields | Promise<Fields>> = {
  'POST /panel/sign-in': () => ({ email: `${uuid()}@example.com` }),
  'POST /panel/operator/users/new': () => ({ email: `${uuid()}@example.com`, operator: '', unit_price: '' }),
  'POST /panel/operator/users/:id': async ({ world, ids }) => {
    const [user] = await world.query(`select name from users where id = $1`, [ids.attacker.user]);
    return { shown_name: String(user!['name']), operator: '', unit_price: '' };
  },
  'POST /panel/operator/users/:id/movements': () => ({ step: 'book' }),
  'POST /panel/operator/wallets': () => ({ name: 'pool', state: 'active' }),
  'POST /panel/operator/wallets/new': () => ({
    name: uuid(),
    address: utils.accounts.generateAccount().address.base58,
    role: 'delegate',
    key_kind: 'env',
    key: 'NOT_SET',
  }),
  'POST /panel/operator/wallets/:id': () => ({ key_kind: 'env', key: 'NOT_SET' }),
};

/** What no form of this test can do: all others are carried out. */
export const REFUSED: Record<string, number> = {
  'POST /panel/sign-in': 401,
  'POST /panel/sign-in/code': 401,
  'POST /panel/invitation': 404,
  'POST /panel/account': 422,
  'POST /panel/account/second-factor/enable': 422,
};

/** Columns of the one whom a form is about, beside those of visits; nothing else of users or their accounts changes by a form. */
export const CHANGES: Record<string, readonly string[]> = {
  'POST /panel/balance/low-balance': ['low_balance_sun', 'low_since'],
  'POST /panel/account/preferences': ['time_zone', 'language'],
  'POST /panel/operator/users/:id': ['name', 'rate_limit_per_minute', 'unit_price_sun'],
  'POST /panel/operator/users/:id/movements': ['balance_sun', 'updated_at', 'low_since'],
  'POST /panel/operator/users/:id/sessions': ['session_epoch'],
  'POST /panel/sign-out-everywhere': ['session_epoch'],
};
