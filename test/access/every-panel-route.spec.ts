import { utils } from 'tronweb';
import { v7 as uuid } from 'uuid';
import { byName, PANEL } from './route-classes';
import { bearer, type Headers, type Ids, RouteWorld } from './route-world';

/** What a page says, but for the address that was asked for and hidden fields. */
const withoutIds = (page: string) => page.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID').replaceAll(/value="[^"]*"/g, '');

/** Without a second factor, what is shown of one leads back. */
const leadsBack = (name: string) => /second-factor\/(?:enable|recovery-codes)$/.test(name);

type Fields = Record<string, string>;

/** What a form needs beside what every form of this test has, to be carried out; what it does have is no field too many. */
const NEEDS: Record<string, (routes: RouteWorld) => Fields | Promise<Fields>> = {
  'POST /panel/operator/users/new': () => ({ email: `${uuid()}@example.com`, operator: '', unit_price: '' }),
  'POST /panel/operator/users/:id': async ({ world, ids }) => {
    const [user] = await world.query(`select name from users where id = $1`, [ids.attacker.user]);
    return { shown_name: String(user!['name']), operator: '', unit_price: '' };
  },
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
const REFUSED: Record<string, number> = {
  'POST /panel/sign-in': 401,
  'POST /panel/sign-in/code': 401,
  'POST /panel/invitation': 404,
  'POST /panel/account': 422,
  'POST /panel/account/second-factor/enable': 422,
};
const isCarriedOut = (status: number) => status === 200 || status === 303;

describe('every route of the panel', () => {
  let routes: RouteWorld;
  beforeAll(async () => {
    routes = await RouteWorld.open();
  });
  afterAll(() => routes.close());

  const isFor = (access: string) => byName(PANEL.filter((route) => route.access === access));

  it('lead nobody but to the sign-in', async () => {
    const before = await routes.all();
    for (const [name, route] of [...isFor('user'), ...isFor('operator')]) {
      for (const headers of [{}, bearer(routes.victim.token)] as Headers[]) {
        const visitor = routes.visitor(headers);
        const path = route.path(routes.ids.victim);
        const hidden = /name="_csrf" value="([^"]+)"/.exec((await visitor.get('/panel/sign-in')).text)![1]!;
        const form = { ...routes.filledForm(), _csrf: hidden };
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
    expect(await routes.all()).toEqual(before);
  });

  it('of operators are not there for a user', async () => {
    const before = await routes.all();
    for (const [name, route] of isFor('operator')) {
      const _csrf = await routes.formToken('attacker');
      const open = async (path: string) =>
        route.method === 'GET'
          ? routes.clients.attacker.get(path)
          : routes.clients.attacker.post(path, { ...routes.filledForm(), _csrf });
      expect([name, (await open(route.path(routes.ids.victim))).status]).toEqual([name, 404]);
      expect([name, (await open(route.path(routes.ids.attacker))).status]).toEqual([name, 404]);
    }
    expect(await routes.all()).toEqual(before);
  });

  // That an operator was refused is written down.
  const unchanged = () => routes.all(['audit_log']);
  it('GET /panel/search finds nothing of another’s, nor of the pool, whatever of it is known', async () => {
    await routes.formToken('attacker');
    await routes.formToken('victim');
    const { receiver: lentTo } = (await routes.world.show(routes.ids.victim.order!))!;
    const pool = routes.world.chain.accounts.find(({ role }) => role === 'pool')!.address;
    const search = (who: 'attacker' | 'victim', text: string) =>
      routes.clients[who].get(`/panel/search?${new URLSearchParams({ q: text }).toString()}`);
    for (const text of [
      routes.ids.victim.order!,
      routes.txId,
      lentTo,
      routes.login.victim.email,
      routes.login.victim.id,
      'pool',
      pool,
    ]) {
      const { status, text: page } = await search('attacker', text);
      expect([text, status]).toEqual([text, 200]);
      // Whatever is found is a link.
      expect(page).not.toMatch(/href="\/panel\/(?:orders|operator\/\w+)\/[\da-f]{8}-/);
    }
    expect((await search('victim', routes.txId)).location).toBe(`/panel/orders/${routes.ids.victim.order}`);
  });

  const named = PANEL.filter((route) => route.named.length > 0 && !route.named.includes('any'));
  it.each(byName(named))('%s does not find what is another’s', async (_name, route) => {
    const who = route.access === 'operator' ? 'operator' : 'attacker';
    const before = await unchanged();
    const _csrf = await routes.formToken(who);
    const open = async (theirs: Ids) => {
      const path = route.path(theirs);
      const form = { ...routes.filledForm(), _csrf };
      const answer =
        route.method === 'GET' ? await routes.clients[who].get(path) : await routes.clients[who].post(path, form);
      return [answer.status, withoutIds(answer.text)];
    };
    const missing = await open(routes.random());
    expect(missing[0]).toBe(404);
    const last = route.named.at(-1)!;
    // An operator may open anything; but a part of one user's is not found below another.
    if (who === 'attacker') expect(await open(routes.ids.victim)).toEqual(missing);
    if (route.named.length > 1)
      expect(await open({ ...routes.ids.attacker, [last]: routes.ids.victim[last] })).toEqual(missing);
    expect(await unchanged()).toEqual(before);
  });

  const pages = PANEL.filter(
    ({ method, access, named: [first] }) => method === 'GET' && access !== 'anyone' && first !== 'any',
  );
  it.each(byName(pages))('%s opens for whom it is', async (name, route) => {
    const who = route.access === 'operator' ? 'operator' : 'victim';
    await routes.formToken(who);
    const query = route.name.endsWith('/drain') ? '?name=pool' : '';
    const { status } = await routes.clients[who].get(`${route.path(routes.ids.victim)}${query}`);
    expect([name, status]).toEqual([name, leadsBack(name) ? 303 : 200]);
  });

  const forms = PANEL.filter(({ method }) => method === 'POST');
  it('take no form that is not from a page of ours', async () => {
    const before = await routes.all();
    for (const [name, route] of byName(forms)) {
      await routes.formToken('operator');
      const path = route.path(routes.ids.victim);
      const forged = await routes.clients.operator.post(path, { ...routes.filledForm(), _csrf: 'guessed' });
      const none = await routes.clients.operator.post(path, routes.filledForm());
      expect([name, forged.status, none.status]).toEqual([name, 403, 403]);
    }
    expect(await routes.all()).toEqual(before);
  });

  const readable = PANEL.filter(({ method, named: [first] }) => method === 'GET' && first !== 'any');
  it.each(byName(readable))('%s shows nothing of another’s, whatever else is asked for', async (name, route) => {
    const who = route.access === 'operator' ? 'operator' : 'attacker';
    await routes.formToken(who);
    for (const extra of routes.extraFieldsOfForms()) {
      const query = new URLSearchParams({ ...extra, ...(name.endsWith('/drain') && { name: 'pool' }) }).toString();
      const { status, text } = await routes.clients[who].get(`${route.path(routes.ids.attacker)}?${query}`);
      if (route.access === 'user') expect([name, status]).toEqual([name, leadsBack(name) ? 303 : 200]);
      else expect([name, [200, 303, 404].includes(status)]).toEqual([name, true]);
      if (who === 'attacker') for (const known of routes.ofTheVictimAlone) expect(text).not.toContain(known);
    }
  });

  const account = async () =>
    (
      await routes.world.query(
        `select u.email, u.operator, a.balance_sun from users u join accounts a on a.user_id = u.id where u.id = $1`,
        [routes.login.attacker.id],
      )
    )[0] as { email: string; operator: boolean; balance_sun: bigint };

  it.each(byName(forms))('%s takes no field that it does not have', async (name, route) => {
    const who = route.access === 'operator' ? 'operator' : 'attacker';
    const { victim } = routes.ids;
    const [ofVictim, before] = [await routes.ofVictim(), await account()];
    const statuses: number[] = [];
    // The key of a form becomes the id of what it makes.
    const keys = [victim.token!, victim.webhook!, victim.subscription!].map((form_key) => ({ form_key }));
    for (const part of [...routes.extraFieldsOfForms(), ...keys]) {
      const _csrf = await routes.formToken(who);
      const form = { ...routes.filledForm(), ...(await NEEDS[name]?.(routes)), _csrf };
      const { status, text } = await routes.clients[who].post(route.path(routes.ids.attacker), {
        ...part,
        ...form,
        ...('form_key' in part && part),
      });
      statuses.push(status);
      if (who === 'attacker') for (const known of routes.ofTheVictimAlone) expect(text).not.toContain(known);
    }
    if (name in REFUSED) expect(statuses).toEqual(statuses.map(() => REFUSED[name]));
    else
      expect(
        statuses.map((status, at) => isCarriedOut(status) || (at > 0 && status === 404 && name.endsWith('/remove'))),
      ).not.toContain(false);
    expect(await routes.ofVictim()).toEqual(ofVictim);
    const operators = await routes.world.query(`select id from users where operator`);
    expect(operators).toEqual([{ id: routes.login.operator.id }]);
    const credited = name.endsWith('/movements') ? 7_000_000n : 0n;
    expect(await account()).toEqual({ ...before, balance_sun: before.balance_sun + credited });
  });
});
