import { utils } from 'tronweb';
import { v7 as uuid } from 'uuid';
import { newLinkTo } from '../../src/auth/link-secret';
import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { WebhookService } from '../../src/webhooks/webhook.service';
import type { PanelClient } from '../support/panel-client';
import { codeOf, giveSecondFactor } from '../support/second-factor';
import type { Fields } from './extra-fields';
import { hiddenToken, type RouteWorld } from './route-world';

/** A form that is about to be sent: by whom, to where, if not to the attacker's own path, and with what. */
export interface Sending {
  readonly client: PanelClient;
  readonly path?: string;
  readonly fields: Fields;
  /** Called once it was carried out. */
  readonly done?: () => void;
}
type Sender = () => Promise<Sending>;

const CODE = '/panel/sign-in/code';
const FACTOR = '/panel/account/second-factor';

const from = async (client: PanelClient, page: string, fields: Fields): Promise<Sending> => ({
  client,
  fields: { _csrf: (await hiddenToken(client, page))!, ...fields },
});

export async function withoutFactor({ world, login }: RouteWorld): Promise<void> {
  await world.query('delete from second_factors where user_id = $1 returning 1', [login.attacker.id]);
}

/** In a new browser, with the password alone. */
async function withPassword(routes: RouteWorld): Promise<PanelClient> {
  const { email, password } = routes.login.attacker;
  const client = routes.attackersBrowser();
  expect((await client.signIn(email, password)).status).toBe(303);
  return client;
}

/** In a new browser, past a second factor that there was none of before. */
async function withFactor(routes: RouteWorld): Promise<PanelClient> {
  const { recoveryCodes } = await giveSecondFactor(routes.world.app, routes.login.attacker);
  const client = await withPassword(routes);
  expect((await client.submit(CODE, CODE, { code: recoveryCodes[0]! })).location).toBe('/panel');
  return client;
}

function changed({ login }: RouteWorld, password: string): void {
  login.attacker = { ...login.attacker, password };
}

/** Somebody who has signed up, with the link of the mail; confirmed: who waits for an operator. */
async function signedUp({ world }: RouteWorld, confirmed: boolean): Promise<{ email: string; link: string }> {
  const [id, email] = [uuid(), `${uuid()}@example.com`];
  const { text: link, key } = newLinkTo(id);
  await world.query(
    `insert into sign_ups (id, email, name, password_hash, browser_key, language, network, keys, expires_at, confirmed_at)
     values ($1, $2, 'Shop', 'x', case when not $4 then 'x' end, 'en', gen_random_uuid()::text, array[$3], case when not $4 then now() + interval '1 hour' end,
             case when $4 then now() end) returning 1`,
    [id, email, key, confirmed],
  );
  return { email, link };
}

/** For forms that work only once, or need more than a session of the sender's: makes each time what it takes. */
export const SENDERS: Record<string, (routes: RouteWorld) => Sender | Promise<Sender>> = {
  'POST /panel/sign-in': (routes) => () => {
    const { email, password } = routes.login.attacker;
    return from(routes.attackersBrowser(), '/panel/sign-in', { email, password });
  },
  'POST /panel/sign-in/code': async (routes) => {
    const codes: string[] = [];
    return async () => {
      // There are more forms than a factor has codes.
      if (codes.length === 0) {
        await withoutFactor(routes);
        codes.push(...(await giveSecondFactor(routes.world.app, routes.login.attacker)).recoveryCodes);
      }
      return from(await withPassword(routes), CODE, { code: codes.pop()! });
    };
  },
  'POST /panel/invitation': (routes) => async () => {
    const link = await routes.world.app.app.get(InvitationService).invite(routes.login.attacker.email);
    const { pathname, search } = new URL(link.url);
    const path = pathname + search;
    const password = uuid();
    const sending = await from(routes.attackersBrowser(), path, { password, again: password });
    return { ...sending, path, done: () => changed(routes, password) };
  },
  'POST /panel/sign-up/confirm': (routes) => async () => {
    const { link } = await signedUp(routes, false);
    const password = uuid();
    return {
      ...(await from(routes.clients.attacker, '/panel/account', { password, again: password })),
      path: `/panel/sign-up/confirm?key=${link}`,
    };
  },
  'POST /panel/email': (routes) => async () => {
    const [id, email] = [uuid(), `${uuid()}@example.com`];
    const { text, key } = newLinkTo(id);
    await routes.world.query(
      `insert into email_changes (id, user_id, email, keys, expires_at)
       values ($1, $2, $3, array[$4], now() + interval '1 hour') returning 1`,
      [id, routes.login.attacker.id, email, key],
    );
    const done = () => {
      routes.login.attacker = { ...routes.login.attacker, email };
    };
    const sending = await from(routes.clients.attacker, '/panel/account', {});
    return { ...sending, path: `/panel/email?key=${text}`, done };
  },
  'POST /panel/operator/sign-ups/approve': (routes) => async () => {
    const { email } = await signedUp(routes, true);
    return from(routes.clients.operator, '/panel/account', { email });
  },
  'POST /panel/operator/sign-ups/refuse': (routes) => async () => {
    const { email } = await signedUp(routes, true);
    return from(routes.clients.operator, '/panel/account', { email, note: 'for the test' });
  },
  'POST /panel/account': (routes) => async () => {
    const client = await withPassword(routes);
    const [current, password] = [routes.login.attacker.password, uuid()];
    const sending = await from(client, '/panel/account', { current, password, again: password });
    return { ...sending, done: () => changed(routes, password) };
  },
  [`POST ${FACTOR}/enable`]: (routes) => async () => {
    await withoutFactor(routes);
    const client = await withPassword(routes);
    const page = await client.submit(FACTOR, `${FACTOR}/begin`);
    const { text } = await client.get(page.location!);
    const secret = /id="key"[^>]*>([^<]+)</.exec(text)![1]!.replaceAll(' ', '');
    return from(client, `${FACTOR}/enable`, { code: codeOf(secret) });
  },
  [`POST ${FACTOR}/recovery-codes`]: async (routes) => {
    const client = await withFactor(routes);
    return () => from(client, FACTOR, {});
  },
  [`POST ${FACTOR}/remove`]: (routes) => async () => from(await withFactor(routes), FACTOR, {}),
  'POST /panel/webhooks/:id/remove': (routes) => async () => {
    const { attacker } = routes.clients;
    const hook = { userId: routes.login.attacker.id, url: 'http://127.0.0.1:1/removed' };
    const { webhook } = await routes.world.app.app.get(WebhookService).create(hook);
    return { ...(await from(attacker, '/panel/account', {})), path: `/panel/webhooks/${webhook.id}/remove` };
  },
  'POST /panel/operator/users/:id/second-factor': (routes) => async () => {
    await giveSecondFactor(routes.world.app, routes.login.attacker);
    return from(routes.clients.operator, '/panel/account', {});
  },
  'POST /panel/operator/wallets/:id/remove': (routes) => async () => {
    const { address } = utils.accounts.generateAccount();
    const spare = { name: uuid(), address: address.base58, keySource: 'env:NOT_SET', permissionId: 0 };
    await routes.world.app.app.get(PoolWallets).add({ ...spare, role: 'delegate', state: 'paused' });
    const [added] = await routes.world.query('select id from pool_wallets where name = $1', [spare.name]);
    const sending = await from(routes.clients.operator, '/panel/account', {});
    return { ...sending, path: `/panel/operator/wallets/${String(added!['id'])}/remove` };
  },
};
