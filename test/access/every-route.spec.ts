import { v7 as uuid } from 'uuid';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { insertSubscription, insertUser } from '../support/factories';
import { OrderWorld, type TokenCaller } from '../support/order-world';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { declaredRoutes, mountedRoutes } from '../support/route-table';
import { fingerprint } from '../support/table-fingerprint';
import { WebhookReceiver } from '../support/webhook-receiver';
import { classify, type Named, ROUTE_CLASSES } from './route-classes';

type Ids = Partial<Record<Named, string>>;
type Headers = Record<string, string>;

const ROUTES = Object.keys(ROUTE_CLASSES).map(classify);
const API = ROUTES.filter(({ path }) => path({}).startsWith('/api/'));
const PANEL = ROUTES.filter(({ path, named }) => path({}).startsWith('/panel') && named[0] !== 'asset');
const byName = (routes: typeof ROUTES) => routes.map((route) => [route.name, route] as const);
/** Written by whoever opens a page. */
const OF_SESSIONS = ['sessions', 'known_places', 'job_runs'];
const KEY = 'the key of somebody else';

/** What a page says, but for the address that was asked for and hidden fields. */
const withoutIds = (page: string) => page.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID').replaceAll(/value="[^"]*"/g, '');

describe('every route', () => {
  let world: OrderWorld;
  let receiver: WebhookReceiver;
  let victim: TokenCaller;
  let login: Record<'victim' | 'attacker' | 'operator', PanelUserLogin>;
  let clients: Record<'victim' | 'attacker' | 'operator', PanelClient>;
  let ids: Record<'victim' | 'attacker', Ids>;
  let txId: string;
  /** What nobody who attacks has sent. */
  let ofTheVictimAlone: string[];
  let calls = 0;

  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    world = await OrderWorld.open({ env: { TRUST_PROXY: 'loopback', WEBHOOK_ALLOW_PRIVATE: 'on' } });
    login = {
      victim: await insertPanelUser(world.app, { balance: 100 }),
      attacker: await insertPanelUser(world.app, { balance: 100 }),
      operator: await insertPanelUser(world.app, { operator: true }),
    };
    victim = await world.tokenOf(login.victim.id);
    const attacker = await world.tokenOf(login.attacker.id);
    ids = { victim: await own(victim), attacker: await own(attacker) };
    const order = (await world.show(ids.victim.order!))!;
    txId = order.txid!;
    ofTheVictimAlone = [txId, order.receiver, victim.token.slice(0, 10)];
    // From here on nothing changes by itself.
    const first = world.app;
    await world.startInstance({}, false);
    await world.stopInstance(first);
    clients = {
      victim: await signIn('victim'),
      attacker: await signIn('attacker'),
      operator: await signIn('operator'),
    };
  });
  afterAll(async () => {
    await world.close();
    receiver.close();
  });

  /** One of each thing that has an id. */
  async function own(caller: TokenCaller): Promise<Ids> {
    const placed = await world.delegate(
      caller,
      { receiver_address: await world.receiver(), amount: 1 },
      { 'idempotency-key': KEY },
    );
    expect(placed.status).toBe(200);
    const order = placed.headers.get('x-delegation-id')!;
    await world.untilState(order, 'delegated');
    const { webhook } = await world.app.app.get(WebhookService).create({ userId: caller.id, url: receiver.url('/x') });
    await world.app.app.get(WebhookDeliveries).test(webhook.id);
    const delivery = (
      await world.untilRow(`select id from webhook_deliveries where webhook_id = $1 and state = 'delivered'`, [
        webhook.id,
      ])
    )['id'];
    const finding = (
      await world.query(
        `insert into findings (kind, subject, subject_type, subject_id, reason, next_step, amount_sun)
         values ('shortage', $1, 'order', $1, 'stake is missing', 'look', 5) returning id`,
        [order],
      )
    )[0]!['id'];
    return {
      order,
      token: caller.tokenId,
      webhook: webhook.id,
      delivery: String(delivery),
      user: caller.id,
      wallet: String((await world.query(`select id from pool_wallets where name = 'pool'`))[0]!['id']),
      subscription: await insertSubscription(world.app.orm, caller.id, 3),
      finding: String(finding),
    };
  }

  /** Of its own address, so that no limit of an address is met. */
  const address = () => ({ 'x-forwarded-for': `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls++ & 255}` });
  async function signIn(who: keyof typeof login): Promise<PanelClient> {
    const client = new PanelClient(world.app.url, address());
    expect((await client.signIn(login[who].email, login[who].password)).status).toBe(303);
    return client;
  }
  /** With a form's token; signs in again where the last route has ended the session. */
  async function formToken(who: keyof typeof login): Promise<string> {
    const hidden = async () =>
      /name="_csrf" value="([^"]+)"/.exec((await clients[who].get('/panel/account')).text)?.[1];
    const found = await hidden();
    if (found !== undefined) return found;
    clients[who] = await signIn(who);
    return (await hidden())!;
  }

  const random = (): Ids =>
    Object.fromEntries([...Object.keys(ids.victim).map((name) => [name, uuid()]), ['finding', '999999']]) as Ids;
  const all = () => fingerprint(world.app.sql, { except: OF_SESSIONS });
  const ofVictim = () => fingerprint(world.app.sql, { userId: login.victim.id, except: OF_SESSIONS });

  async function call(method: string, path: string, headers: Headers, body?: unknown) {
    const answer = await fetch(`${world.app.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...address(), 'content-type': 'application/json', ...headers },
      body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  /** What a form or a body might be understood to say, with the ids of somebody else in every field that could take one. */
  function extraFields(theirs: Ids): Record<string, string> {
    const of = (names: string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
    return {
      ...of(['user_id', 'userId', 'user', 'owner', 'owner_id', 'account_id', 'account', 'customer'], theirs.user!),
      ...of(['token_id', 'tokenId', 'token', 'form_key'], theirs.token!),
      ...of(['id', 'delegation_id', 'delegationId', 'order', 'order_id'], theirs.order!),
      ...of(['webhook_id', 'webhook'], theirs.webhook!),
      ...of(['subscription_id', 'subscription'], theirs.subscription!),
      ...of(['cost', 'cost_sun', 'price', 'unit_price', 'unitPriceSun', 'fee', 'stake_sun'], '0'),
      ...of(['operator', 'is_operator', 'isOperator', 'admin'], 'true'),
      ...of(['balance', 'balance_sun', 'balanceSun'], '1000000'),
      ...of(['state', 'answer'], 'success'),
      ...of(['paid_by', 'wallet_id', 'email', 'role'], login.victim.email),
      ...of(['__proto__', 'constructor', 'prototype', 'toString'], 'x'),
    };
  }
  /** A form that says something to each route. */
  const FILLED =
    `name=changed&permissions=balance&events=delegation.failed&amount=7&direction=credit&kind=credit&step=book&note=x
    &reason=x&reference=x&orders=pause&transactions=5&days=30&daily_limit=1&max_cost=1&low_balance=5&amount_sun=5
    &current=not+it&password=another+password&repeated=another+password&threshold=5`.replaceAll(/\s/g, '');
  const filledForm = (): Record<string, string> => ({
    url: receiver.url('/y'),
    ...Object.fromEntries(new URLSearchParams(FILLED)),
  });

  it('says who it is for, here and in the code, and is in the router; nothing else is', () => {
    const app = world.app.app;
    const declared = declaredRoutes(app);
    expect(declared.toSorted()).toEqual(Object.keys(ROUTE_CLASSES).toSorted());
    // A middleware of one route is mounted as one more of it.
    expect([...new Set(mountedRoutes(app))].toSorted()).toEqual(declared.toSorted());
  });

  it('have no other method', async () => {
    const before = await all();
    for (const [name, route] of byName(ROUTES)) {
      const path = route.path(ids.victim);
      const known = ROUTES.filter((other) => other.path(ids.victim) === path).map(({ method }) => method);
      const _csrf = await formToken('operator');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !known.includes(one))) {
        const cookie = [...clients.operator.cookies].map((pair) => pair.join('=')).join('; ');
        const headers = { ...bearer(victim.token), cookie, 'x-csrf-token': _csrf };
        const { status } = await call(method, path, headers);
        expect([name, method, [403, 404, 405].includes(status)]).toEqual([name, method, true]);
      }
    }
    expect(await all()).toEqual(before);
  });

  describe('of the API', () => {
    const both = (path: string) => [path, path.replace('/api/chain', '/api/tron')];
    const order = async () => ({ receiver_address: await world.receiver(), amount: 1 });

    it.each(byName(API))('%s answers nobody without a live token', async (_name, route) => {
      const tokens = world.app.app.get(ApiTokenService);
      const make = async (expiresInDays?: number) =>
        tokens.create({ userId: login.victim.id, name: 'x', permissions: ['delegate', 'balance'], expiresInDays });
      const [revoked, expired] = [await make(), await make(1)];
      await tokens.revoke(revoked.row.id);
      await world.query(`update api_tokens set expires_at = now() - interval '1 second' where id = $1 returning 1`, [
        expired.row.id,
      ]);
      const disabled = await world.tokenOf(await insertUser(world.app.orm, { balance: 10 }));
      await world.query(`update users set disabled_at = now() where id = $1 returning 1`, [disabled.id]);
      const before = await fingerprint(world.app.sql, { except: ['api_tokens', ...OF_SESSIONS] });
      const refused: Headers[] = [
        {},
        ...['nonsense', revoked.token, expired.token, disabled.token, victim.tokenId].map(bearer),
        { authorization: `Basic ${Buffer.from(`${login.victim.email}:${login.victim.password}`).toString('base64')}` },
        { authorization: victim.token },
        { cookie: [...clients.victim.cookies].map((pair) => pair.join('=')).join('; ') },
        { 'x-api-key': victim.token, 'x-access-token': victim.token },
      ];
      for (const path of both(route.path(ids.victim))) {
        for (const headers of refused) {
          const answer = await call(route.method, `${path}?token=${victim.token}`, headers, await order());
          expect([answer.status, answer.headers.get('x-error-code')]).toEqual([401, 'UNAUTHENTICATED']);
        }
      }
      expect(await fingerprint(world.app.sql, { except: ['api_tokens', ...OF_SESSIONS] })).toEqual(before);
    });

    it.each(byName(API))(
      '%s goes by the permission of the token, for whichever name of the chain',
      async (_name, route) => {
        for (const permissions of [['delegate'], ['balance'], ['balance', 'delegate']] as const) {
          for (const path of both(route.path(ids.victim))) {
            const userId = await insertUser(world.app.orm, {});
            const { token } = await world.app.app
              .get(ApiTokenService)
              .create({ userId, name: 'x', permissions: [...permissions] });
            const { status, headers, text } = await call(route.method, path, bearer(token), {});
            const allowed = route.access === 'token' || (permissions as readonly string[]).includes(route.access);
            if (allowed) expect([200, 400, 404]).toContain(status);
            else expect([status, headers.get('x-error-code')]).toEqual([401, 'PERMISSION_DENIED']);
            expect(JSON.parse(text)).toMatchObject({ success: status === 200 });
          }
        }
      },
    );

    it.each(byName(API.filter(({ named }) => named.length > 0)))(
      '%s does not find what is another’s',
      async (_n, route) => {
        const attacker = await world.caller();
        const asked = async (theirs: Ids, token: string) => {
          const { status, text } = await call(route.method, route.path(theirs), bearer(token));
          return [status, text];
        };
        expect(await asked(ids.victim, attacker.token)).toEqual(await asked(random(), attacker.token));
        expect((await asked(ids.victim, attacker.token))[0]).toBe(404);
        expect((await asked(ids.victim, victim.token))[0]).toBe(200);
      },
    );

    it('that lists orders lists none of another’s, whatever is asked for', async () => {
      const attacker = await world.caller();
      const list = async (query: string, token: string) => {
        const { status, text } = await call('GET', `/api/chain/delegations?${query}`, bearer(token));
        return [status, (JSON.parse(text) as { data?: unknown[] }).data?.length ?? 0];
      };
      const queries = [`txid=${txId}`, `idempotency_key=${encodeURIComponent(KEY)}`, `user_id=${victim.id}`, ''];
      for (const query of queries) expect(await list(query, attacker.token)).toEqual([200, 0]);
      for (const query of queries) expect(await list(query, victim.token)).toEqual([200, 1]);
      expect((await list(`before=${ids.victim.order}`, attacker.token))[1]).toBe(0);
    });

    it.each(byName(API))('%s takes no field that it does not have', async (_name, route) => {
      const attacker = await world.caller();
      const before = await ofVictim();
      const extra = extraFields(ids.victim);
      const query = new URLSearchParams({
        ...extra,
        ...(route.name.endsWith('/quote') && { receiver_address: await world.receiver() }),
      });
      const path = `${route.path({ order: uuid() })}?${query.toString()}`;
      const answer = await call(
        route.method,
        path,
        { ...bearer(attacker.token), 'idempotency-key': KEY },
        {
          ...extra,
          ...(await order()),
        },
      );
      expect(answer.status).toBeLessThan(500);
      for (const told of ofTheVictimAlone) expect(answer.text).not.toContain(told);
      if (route.method === 'POST') {
        expect(answer.status).toBe(200);
        const rows = await world.query(
          `select d.user_id, h.user_id as payer, d.cost_sun from delegations d join holds h on h.delegation_id = d.id
            where d.id = $1`,
          [answer.headers.get('x-delegation-id')],
        );
        expect(rows).toEqual([{ user_id: attacker.id, payer: attacker.id, cost_sun: 3_000_000n }]);
      }
      expect(await ofVictim()).toEqual(before);
    });
  });

  describe('of the panel', () => {
    const isFor = (access: string) => byName(PANEL.filter((route) => route.access === access));

    it('lead nobody but to the sign-in', async () => {
      const before = await all();
      for (const [name, route] of [...isFor('user'), ...isFor('operator')]) {
        for (const headers of [{}, bearer(victim.token)] as Headers[]) {
          const visitor = new PanelClient(world.app.url, { ...address(), ...headers });
          const path = route.path(ids.victim);
          const hidden = /name="_csrf" value="([^"]+)"/.exec((await visitor.get('/panel/sign-in')).text)![1]!;
          const form = { ...filledForm(), _csrf: hidden };
          const answer = route.method === 'GET' ? await visitor.get(path) : await visitor.post(path, form);
          // A form keeps what was typed, and has a link to the sign-in.
          if (route.method === 'POST')
            expect([name, answer.status, answer.text]).toEqual([name, 403, expect.stringContaining('/panel/sign-in')]);
          else
            expect([name, answer.status, answer.location]).toEqual([
              name,
              303,
              expect.stringContaining('/panel/sign-in'),
            ]);
        }
      }
      expect(await all()).toEqual(before);
    });

    it('of operators are not there for a user', async () => {
      const before = await all();
      for (const [name, route] of isFor('operator')) {
        const _csrf = await formToken('attacker');
        const open = async (path: string) =>
          route.method === 'GET' ? clients.attacker.get(path) : clients.attacker.post(path, { ...filledForm(), _csrf });
        expect([name, (await open(route.path(ids.victim))).status]).toEqual([name, 404]);
        expect([name, (await open(route.path(ids.attacker))).status]).toEqual([name, 404]);
      }
      expect(await all()).toEqual(before);
    });

    // That an operator was refused is written down.
    const unchanged = () => fingerprint(world.app.sql, { except: ['audit_log', ...OF_SESSIONS] });
    it('GET /panel/search finds nothing of another’s, nor of the pool, whatever of it is known', async () => {
      await formToken('attacker');
      await formToken('victim');
      const { receiver: lentTo } = (await world.show(ids.victim.order!))!;
      const pool = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
      const search = (who: 'attacker' | 'victim', text: string) =>
        clients[who].get(`/panel/search?${new URLSearchParams({ q: text }).toString()}`);
      for (const text of [ids.victim.order!, txId, lentTo, login.victim.email, login.victim.id, 'pool', pool]) {
        const { status, text: page } = await search('attacker', text);
        expect([text, status]).toEqual([text, 200]);
        // Whatever is found is a link.
        expect(page).not.toMatch(/href="\/panel\/(?:orders|operator\/\w+)\/[\da-f]{8}-/);
      }
      expect((await search('victim', txId)).location).toBe(`/panel/orders/${ids.victim.order}`);
    });

    const named = PANEL.filter((route) => route.named.length > 0 && !route.named.includes('any'));
    it.each(byName(named))('%s does not find what is another’s', async (_name, route) => {
      const who = route.access === 'operator' ? 'operator' : 'attacker';
      const before = await unchanged();
      const _csrf = await formToken(who);
      const open = async (theirs: Ids) => {
        const path = route.path(theirs);
        const form = { ...filledForm(), _csrf };
        const answer = route.method === 'GET' ? await clients[who].get(path) : await clients[who].post(path, form);
        return [answer.status, withoutIds(answer.text)];
      };
      const missing = await open(random());
      expect(missing[0]).toBe(404);
      const last = route.named.at(-1)!;
      // An operator may open anything; but a part of one user's is not found below another.
      if (who === 'attacker') expect(await open(ids.victim)).toEqual(missing);
      if (route.named.length > 1) expect(await open({ ...ids.attacker, [last]: ids.victim[last] })).toEqual(missing);
      expect(await unchanged()).toEqual(before);
    });

    const pages = PANEL.filter(
      ({ method, access, named: [first] }) => method === 'GET' && access !== 'anyone' && first !== 'any',
    );
    it.each(byName(pages))('%s opens for whom it is', async (_name, route) => {
      const who = route.access === 'operator' ? 'operator' : 'victim';
      await formToken(who);
      const query = route.name.endsWith('/drain') ? '?name=pool' : '';
      const { status } = await clients[who].get(`${route.path(ids.victim)}${query}`);
      // Without a second factor, what is shown of one leads back.
      expect([route.name, status]).toEqual([
        route.name,
        /second-factor\/(?:enable|recovery-codes)$/.test(route.name) ? 303 : 200,
      ]);
    });

    const forms = PANEL.filter(({ method }) => method === 'POST');
    it('take no form that is not from a page of ours', async () => {
      const before = await all();
      for (const [name, route] of byName(forms)) {
        await formToken('operator');
        const path = route.path(ids.victim);
        const forged = await clients.operator.post(path, { ...filledForm(), _csrf: 'guessed' });
        const none = await clients.operator.post(path, filledForm());
        expect([name, forged.status, none.status]).toEqual([name, 403, 403]);
      }
      expect(await all()).toEqual(before);
    });

    it.each(byName(forms.filter(({ access }) => access !== 'operator')))(
      '%s takes no field that it does not have',
      async (_n, route) => {
        const before = await ofVictim();
        const extra = Object.entries(extraFields(ids.victim));
        // A form has at most 50 fields.
        for (const some of [extra.slice(0, 20), extra.slice(20)]) {
          const _csrf = await formToken('attacker');
          const form = { ...Object.fromEntries(some), ...filledForm(), _csrf };
          const { status, text } = await clients.attacker.post(route.path(ids.attacker), form);
          const isGone =
            (route.name.endsWith('/remove') && status === 404) ||
            // There is no second factor to do it with.
            (route.name.includes('/second-factor/') && [400, 404].includes(status));
          expect(isGone || (route.access === 'anyone' ? [303, 401, 404, 422] : [200, 303, 422]).includes(status)).toBe(
            true,
          );
          for (const told of ofTheVictimAlone) expect(text).not.toContain(told);
        }
        expect(await ofVictim()).toEqual(before);
        const [after] = await world.query(
          `select u.operator, u.email, a.balance_sun from users u join accounts a on a.user_id = u.id where u.id = $1`,
          [login.attacker.id],
        );
        expect(after).toEqual({ operator: false, email: login.attacker.email, balance_sun: 97_000_000n });
      },
    );
  });
});
