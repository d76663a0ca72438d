import { v7 as uuid } from 'uuid';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { insertUser } from '../support/factories';
import { declaredRoutes, mountedRoutes } from '../support/route-table';
import { API, byName, PANEL, PUBLIC, ROUTE_CLASSES, ROUTES } from './route-classes';
import { bearer, type Headers, type Ids, KEY, RouteWorld } from './route-world';

describe('every route', () => {
  let routes: RouteWorld;
  beforeAll(async () => {
    routes = await RouteWorld.open();
  });
  afterAll(() => routes.close());

  it('says who it is for, here and in the code, and is in the router; nothing else is', () => {
    const app = routes.world.app.app;
    const declared = declaredRoutes(app);
    const said = Object.fromEntries(Object.entries(ROUTE_CLASSES).map(([name, [access]]) => [name, access]));
    expect(declared).toEqual(said);
    // A middleware of one route is mounted as one more of it.
    expect([...new Set(mountedRoutes(app))].toSorted()).toEqual(Object.keys(declared).toSorted());
  });

  it('is of one of the groups that are tested, at the paths that have their middleware', () => {
    const paths = (group: typeof ROUTES, prefix: RegExp) => group.filter(({ path }) => !prefix.test(path({})));
    expect([...PUBLIC, ...API, ...PANEL]).toHaveLength(ROUTES.length);
    expect([...paths(API, /^\/api\//), ...paths(PANEL, /^\/panel(?:\/|$)/)]).toEqual([]);
    expect(
      [...PUBLIC, ...API, ...PANEL].filter(({ access, method }) => access === 'public' && method !== 'GET'),
    ).toEqual([]);
  });

  it('have no other method', async () => {
    const before = await routes.all();
    for (const [name, route] of byName(ROUTES)) {
      const path = route.path(routes.ids.victim);
      const known = ROUTES.filter((other) => other.path(routes.ids.victim) === path).map(({ method }) => method);
      const _csrf = await routes.formToken('operator');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !known.includes(one))) {
        const cookie = routes.cookies('operator');
        const headers = { ...bearer(routes.victim.token), cookie, 'x-csrf-token': _csrf };
        const { status } = await routes.call(method, path, headers);
        expect([name, method, [403, 404, 405].includes(status)]).toEqual([name, method, true]);
      }
    }
    expect(await routes.all()).toEqual(before);
  });

  const ofEverybody = PUBLIC.filter(({ named }) => named.length === 0);
  it.each(byName(ofEverybody))(
    '%s says to everybody the same, whatever is asked for',
    async (name, { method, path }) => {
      const said = async (query = '') => {
        const { status, text } = await routes.call(method, `${path({})}${query}`, {});
        return { name, status, text: text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID') };
      };
      expect(await said(`?${new URLSearchParams(routes.extraFields()).toString()}`)).toEqual(await said());
    },
  );

  describe('of the API', () => {
    const both = (path: string) => [path, path.replace('/api/chain', '/api/tron')];
    const order = async () => ({ receiver_address: await routes.world.receiver(), amount: 1 });

    it.each(byName(API))('%s answers nobody without a live token', async (_name, route) => {
      const tokens = routes.world.app.app.get(ApiTokenService);
      const make = async (expiresInDays?: number) =>
        tokens.create({
          userId: routes.login.victim.id,
          name: 'x',
          permissions: ['delegate', 'balance'],
          expiresInDays,
        });
      const [revoked, expired] = [await make(), await make(1)];
      await tokens.revoke(revoked.row.id);
      await routes.world.query(
        `update api_tokens set expires_at = now() - interval '1 second' where id = $1 returning 1`,
        [expired.row.id],
      );
      const disabled = await routes.world.tokenOf(await insertUser(routes.world.app.orm, { balance: 10 }));
      await routes.world.query(`update users set disabled_at = now() where id = $1 returning 1`, [disabled.id]);
      const before = await routes.all(['api_tokens']);
      const refused: Headers[] = [
        {},
        ...['nonsense', revoked.token, expired.token, disabled.token, routes.victim.tokenId].map(bearer),
        {
          authorization: `Basic ${Buffer.from(`${routes.login.victim.email}:${routes.login.victim.password}`).toString('base64')}`,
        },
        { authorization: routes.victim.token },
        { cookie: routes.cookies('victim') },
        { 'x-api-key': routes.victim.token, 'x-access-token': routes.victim.token },
      ];
      for (const path of both(route.path(routes.ids.victim))) {
        for (const headers of refused) {
          const answer = await routes.call(
            route.method,
            `${path}?token=${routes.victim.token}`,
            headers,
            await order(),
          );
          expect([answer.status, answer.headers.get('x-error-code')]).toEqual([401, 'UNAUTHENTICATED']);
        }
      }
      expect(await routes.all(['api_tokens'])).toEqual(before);
    });

    it.each(byName(API))(
      '%s goes by the permission of the token, for whichever name of the chain',
      async (_name, route) => {
        for (const permissions of [['delegate'], ['balance'], ['balance', 'delegate']] as const) {
          for (const path of both(route.path(routes.ids.victim))) {
            const userId = await insertUser(routes.world.app.orm, {});
            const { token } = await routes.world.app.app
              .get(ApiTokenService)
              .create({ userId, name: 'x', permissions: [...permissions] });
            const { status, headers, text } = await routes.call(route.method, path, bearer(token), {});
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
        const attacker = await routes.world.caller();
        const asked = async (theirs: Ids, token: string) => {
          const { status, text } = await routes.call(route.method, route.path(theirs), bearer(token));
          return [status, text];
        };
        expect(await asked(routes.ids.victim, attacker.token)).toEqual(await asked(routes.random(), attacker.token));
        expect((await asked(routes.ids.victim, attacker.token))[0]).toBe(404);
        expect((await asked(routes.ids.victim, routes.victim.token))[0]).toBe(200);
      },
    );

    it('that lists orders lists none of another’s, whatever is asked for', async () => {
      const attacker = await routes.world.caller();
      const list = async (query: string, token: string) => {
        const { status, text } = await routes.call('GET', `/api/chain/delegations?${query}`, bearer(token));
        return [status, (JSON.parse(text) as { data?: unknown[] }).data?.length ?? 0];
      };
      const queries = [
        `txid=${routes.txId}`,
        `idempotency_key=${encodeURIComponent(KEY)}`,
        `user_id=${routes.victim.id}`,
        '',
      ];
      for (const query of queries) expect(await list(query, attacker.token)).toEqual([200, 0]);
      for (const query of queries) expect(await list(query, routes.victim.token)).toEqual([200, 1]);
      expect((await list(`before=${routes.ids.victim.order}`, attacker.token))[1]).toBe(0);
    });

    it.each(byName(API))('%s takes no field that it does not have', async (_name, route) => {
      const attacker = await routes.world.caller();
      const before = await routes.ofVictim();
      const extra = routes.extraFields();
      const query = new URLSearchParams({
        ...extra,
        ...(route.name.endsWith('/quote') && { receiver_address: await routes.world.receiver() }),
      });
      const path = `${route.path({ order: uuid() })}?${query.toString()}`;
      const answer = await routes.call(
        route.method,
        path,
        { ...bearer(attacker.token), 'idempotency-key': KEY },
        {
          ...extra,
          ...(await order()),
        },
      );
      expect(answer.status).toBeLessThan(500);
      for (const told of routes.ofTheVictimAlone) expect(answer.text).not.toContain(told);
      if (route.method === 'POST') {
        expect(answer.status).toBe(200);
        const rows = await routes.world.query(
          `select d.user_id, h.user_id as payer, d.cost_sun from delegations d join holds h on h.delegation_id = d.id
            where d.id = $1`,
          [answer.headers.get('x-delegation-id')],
        );
        expect(rows).toEqual([{ user_id: attacker.id, payer: attacker.id, cost_sun: 3_000_000n }]);
      }
      expect(await routes.ofVictim()).toEqual(before);
    });
  });
});
