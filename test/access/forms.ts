import { utils } from 'tronweb';
import { v7 as uuid } from 'uuid';
import { trxLiteral } from '../../src/common/money/sun';
import { WholeCheckRepository } from '../../src/reconciliation/whole-check/whole-check.repository';
import { until } from '../support/until';
import type { Fields } from './extra-fields';
import type { RouteWorld } from './route-world';
import { renewSmallDeposit } from './small-deposit';

async function noCheckIsUnderWay({ world }: RouteWorld): Promise<void> {
  const check = world.app.app.get(WholeCheckRepository);
  await until('no check is under way', async () => (await check.read())?.under_way !== true);
}

/** What a form needs beside what every form of this test has, to be carried out; what it does have counts as none too many. */
export const NEEDS: Record<string, (routes: RouteWorld) => Fields | Promise<Fields>> = {
  'POST /panel/sign-up': () => ({
    name: 'Shop',
    email: `${uuid()}@example.com`,
    password: 'four unrelated words of theirs',
    again: 'four unrelated words of theirs',
  }),
  'POST /panel/forgot': ({ login }) => ({ email: login.attacker.email }),
  'POST /panel/account/email': () => ({ email: `${uuid()}@example.com` }),
  'POST /panel/webhooks/:id': async ({ world, ids }) => {
    const [webhook] = await world.query('select url, events from webhooks where id = $1', [ids.attacker.webhook]);
    return {
      shown_url: String(webhook!['url']),
      shown_events: ((webhook!['events'] ?? []) as string[]).join(' '),
    };
  },
  'POST /panel/operator/users/new': () => ({ email: `${uuid()}@example.com`, operator: '', unit_price: '' }),
  'POST /panel/operator/users/:id': async ({ world, ids }) => {
    const [user] = await world.query(`select name from users where id = $1`, [ids.attacker.user]);
    return { shown_name: String(user!['name']), operator: '', unit_price: '' };
  },
  'POST /panel/operator/users/:id/movements': () => ({ step: 'book', reference: uuid() }),
  'POST /panel/operator/deposits/rate': async ({ world }) => {
    const [newest] = await world.query('select sun_per_usdt from deposit_rates order by since desc, id desc limit 1');
    return { rate: '3.1', newest_rate: newest ? trxLiteral(newest['sun_per_usdt'] as bigint) : 'none' };
  },
  'POST /panel/operator/deposits/:id/credit': async ({ world, ids, login }) => {
    // Each is credited once.
    await renewSmallDeposit(world, login.attacker.id, ids.attacker.deposit!);
    return { note: 'x', worth_sun: '7000000' };
  },
  'POST /panel/operator/findings': async (routes) => {
    // One check at a time.
    await noCheckIsUnderWay(routes);
    return {};
  },
  'POST /panel/operator/findings/:id/acknowledge': async (routes) => {
    // A check that ends meanwhile resolves what it has not found.
    await noCheckIsUnderWay(routes);
    const { world, ids } = routes;
    const again = 'update findings set acknowledged_at = null, resolved_at = null where id = $1 returning 1';
    await world.query(again, [ids.attacker.finding]);
    return {};
  },
  'POST /panel/operator/wallets': () => ({ name: 'pool', state: 'active' }),
  'POST /panel/operator/wallets/resume': async ({ world }) => {
    const found = await world.query('select id from findings where resolved_at is null and wallet_id is not null', []);
    return { name: 'pool', reason: 'for the test', seen: found.map(({ id }) => String(id)).join(' ') };
  },
  'POST /panel/operator/wallets/new': () => ({
    name: uuid(),
    address: utils.accounts.generateAccount().address.base58,
    role: 'delegate',
    key_kind: 'env',
    key: 'NOT_SET',
  }),
  'POST /panel/operator/wallets/:id': () => ({ key_kind: 'env', key: 'NOT_SET' }),
  'POST /panel/operator/wallets/:id/stake/care': () => ({
    key_kind: 'env',
    key: 'NOT_SET',
    permission_id: '3',
    votes: '',
    keep_liquid: '1000',
  }),
};

/** How often a form of this test is carried out; then it is refused with the reason. All others are each time. */
export const AT_MOST: Record<string, number> = {
  // The mail server takes none.
  'POST /panel/operator/notices/:channel/test': 0,
  // The wallet has no care before the next form.
  'POST /panel/operator/wallets/:id/stake/vote': 0,
  'POST /panel/operator/wallets/:id/stake/claim': 0,
  'POST /panel/operator/wallets/:id/stake/freeze': 0,
  'POST /panel/operator/wallets/:id/stake/unfreeze': 0,
  'POST /panel/operator/wallets/:id/stake/withdraw': 0,
  'POST /panel/operator/wallets/:id/stake/cancel-unfreeze': 0,
  // A sixth within a day is refused.
  'POST /panel/webhooks/:id/rotate': 5,
};

/** Columns of the one whom a form is about, beside those of visits; nothing else of users or their accounts changes by a form. */
export const CHANGES: Record<string, readonly string[]> = {
  'POST /panel/invitation': ['password_hash', 'session_epoch', 'address_changed_at'],
  // The test gives another factor when the codes of the first are used up.
  'POST /panel/sign-in/code': ['session_epoch'],
  'POST /panel/email': ['email', 'address_changed_at'],
  'POST /panel/account': ['password_hash', 'session_epoch', 'address_changed_at'],
  'POST /panel/account/second-factor/enable': ['session_epoch'],
  'POST /panel/account/second-factor/remove': ['session_epoch'],
  'POST /panel/operator/users/:id/second-factor': ['session_epoch'],
  'POST /panel/balance/low-balance': ['low_balance_sun', 'low_since'],
  'POST /panel/account/preferences': ['time_zone', 'language'],
  'POST /panel/operator/users/:id': ['name', 'rate_limit_per_minute', 'unit_price_sun'],
  'POST /panel/operator/users/:id/movements': ['balance_sun', 'updated_at', 'low_since'],
  'POST /panel/operator/deposits/:id/credit': ['balance_sun', 'updated_at', 'low_since'],
  'POST /panel/operator/users/:id/sessions': ['session_epoch'],
  'POST /panel/sign-out-everywhere': ['session_epoch'],
};
