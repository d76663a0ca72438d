import { setTimeout } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import type { TokenLimits } from '../../src/auth/tokens/token-limits';
import { insertUser } from '../support/factories';
import { declaredRoutes, mountedMiddleware, mountedRoutes } from '../support/route-table';
import { openAll } from './open-pages';
import { API, byName, PANEL, PUBLIC, ROUTE_CLASSES, ROUTES } from './route-classes';
import { bearer, type Headers, type Ids, KEY, RouteWorld } from './route-world';

/** To a token for some receivers, of an order to another. */
const IF_NOT_FOR_A_RECEIVER: Record<string, number> = {
  'POST /api/chain/delegate-resource': 400,
  'GET /api/chain/quote': 400,
  'GET /api/chain/delegations/:id': 404,
  'GET /api/chain/delegations/:id/receipt': 404,
};
/** What stands before the routes, with its path. None of it answers by itself but `onApiPort`, which test/telemetry/metrics.spec.ts is of. */
const MIDDLEWARE = [
  // The framework's own: hooks that nothing here uses.
  '<anonymous> /',
  'helmetMiddleware /',
  'onApiPort /',
  'observe /',
  'enter /',
  'handler /panel',
  'handler /panel/{*path}',
  'handler /api/{*path}',
  // The framework's own: what is not found, and errors.
  '<anonymous> /',
  '<anonymous> /',
];

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

  it('has nothing beside it that answers', () => {
    expect(routes.middleware).toEqual(MIDDLEWARE);
    const ofThisOne = mountedMiddleware(routes.world.app.app);
    expect(ofThisOne).toEqual(MIDDLEWARE.filter((name) => !['onApiPort /', 'observe /'].includes(name)));
  });

  it('that is public or of the API changes nothing when it is read', async () => {
    const read = [...PUBLIC, ...API].filter(({ method }) => method === 'GET');
    const query = `?receiver_address=${await routes.world.receiver()}`;
    const { changed, opened } = await openAll(routes, read, async (route) => {
      const asked = route.name.endsWith('/quote') ? query : '';
      return [await routes.call('GET', `${route.path(routes.ids.victim)}${asked}`, bearer(routes.victim.token))];
    });
    expect(changed).toEqual([]);
    // Asked for by a program, or by a name that there is not.
    const isMissing = /\/assets\/|^GET \/$|^GET \/(?:docs|r)\/:/;
    const isThere = ({ name, status }: (typeof opened)[number]) => status === (isMissing.test(name) ? 404 : 200);
    expect(opened.filter((one) => !isThere(one))).toEqual([]);
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

    it.each(byName(API))('%s answers no caller without a live token', async (_name, route) => {
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

    it.each(byName(API))('%s keeps to the limits of a token', async (_name, route) => {
      const of = async (limits: Partial<TokenLimits>) => (await routes.world.tokenOf(routes.victim.id, limits)).token;
      const elsewhere = await of({ ips: ['192.0.2.0/24'] });
      const some = await of({ receivers: [await routes.world.receiver()] });
      const before = await routes.all(['api_tokens']);
      const ask = async (token: string): ReturnType<RouteWorld['call']> => {
        const path = route.path(routes.ids.victim);
        const query = route.name.endsWith('/quote') ? `?receiver_address=${await routes.world.receiver()}` : '';
        const answer = await routes.call(route.method, `${path}${query}`, bearer(token), await order());
        if (answer.status !== 429) return answer;
        // The balance is asked for once in five seconds, and a test before this one may just have done so.
        await setTimeout(Number(answer.headers.get('retry-after')) * 1000);
        return ask(token);
      };
      const { status, headers } = await ask(elsewhere);
      expect([status, headers.get('x-error-code')]).toEqual([401, 'PERMISSION_DENIED']);
      // What an order shows is of its receiver; what remains is the user's own.
      const { status: shown, text } = await ask(some);
      const { delegations } = routes.marks;
      for (const mark of delegations!) expect(text).not.toContain(mark);
      expect(shown).toBe(IF_NOT_FOR_A_RECEIVER[route.name] ?? 200);
      expect(await routes.all(['api_tokens', 'refused_attempts', 'refused_attempt_days'])).toEqual(
        Object.fromEntries(Object.entries(before).filter(([table]) => !table.startsWith('refused_attempt'))),
      );
    });

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
      const queries = [`txid=${routes.txId}`, `idempotency_key=${encodeURIComponent(KEY)}`, ''];
      for (const query of queries) expect(await list(query, attacker.token)).toEqual([200, 0]);
      for (const query of queries) expect((await list(query, routes.victim.token))[1]).toBeGreaterThan(0);
      // No such filter: its sender is told, instead of shown what it did not ask for.
      expect(await list(`user_id=${routes.victim.id}`, attacker.token)).toEqual([400, 0]);
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
      const own = { ...bearer(attacker.token), 'idempotency-key': KEY };
      await routes.attack(route.method, route.path({ order: uuid() }), own);
      const path = `${route.path({ order: uuid() })}?${query.toString()}`;
      const answer = await routes.attack(route.method, path, own, {
        ...extra,
        ...(await order()),
      });
      expect(answer.status).toBeLessThan(500);
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
