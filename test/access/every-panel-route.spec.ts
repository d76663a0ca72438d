import { v7 as uuid } from 'uuid';
import type { PanelAnswer, PanelClient } from '../support/panel-client';
import { type Fields, FieldsOfPages, inParts } from './extra-fields';
import { AT_MOST, CHANGES, NEEDS } from './forms';
import { openAll } from './open-pages';
import { byName, type ClassifiedRoute, PANEL } from './route-classes';
import { bearer, type Ids, RouteWorld } from './route-world';
import { SENDERS, type Sending, withoutFactor } from './senders';
import { SHOWN_NOWHERE } from './victim-marks';

/** What a page says, but for the address that was asked for and hidden fields. */
const withoutIds = (page: string) => page.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID').replaceAll(/value="[^"]*"/g, '');

/** Without a second factor, what is shown of one leads back; so does the answer to a form that was not sent. */
const leadsBack = (name: string) => /second-factor\/(?:enable|recovery-codes)$|panel\/answer$/.test(name);

/** Whether a form was carried out: the page that it leads to says so when it was not. */
async function isCarriedOut(client: PanelClient, { status, location }: PanelAnswer): Promise<boolean> {
  if (status !== 303) return status === 200;
  return !(await client.get(location!)).text.includes('class="notice refused" role="status"');
}

describe('every route of the panel', () => {
  let routes: RouteWorld;
  let read: Awaited<ReturnType<typeof openAll>>;
  const fieldsOfPages = new FieldsOfPages();
  const isPage = ({ method, named: [first] }: ClassifiedRoute) => method === 'GET' && first !== 'any';
  const drainOf = (name: string) => (/\/(?:drain|resume)$/.test(name) ? '?name=pool' : '');
  const shownToTheVictim: string[] = [];
  let toldWhenOpened: string[];

  beforeAll(async () => {
    routes = await RouteWorld.open();
    read = await openAll(routes, PANEL.filter(isPage), async (route) => {
      const path = `${route.path(routes.ids.attacker)}${drainOf(route.name)}`;
      if (route.access === 'operator') {
        const page = await routes.clients.operator.get(path);
        fieldsOfPages.read(page.text);
        return [page];
      }
      const [own, victims] = [
        await routes.clients.attacker.get(path),
        await routes.clients.victim.get(route.path(routes.ids.victim)),
      ];
      fieldsOfPages.read(own.text);
      shownToTheVictim.push(victims.text);
      return [own, victims];
    });
    toldWhenOpened = routes.takeFound();
  });
  afterAll(() => routes.close());
  afterEach(() => expect(routes.takeFound()).toEqual([]));

  const isFor = (access: string) => byName(PANEL.filter((route) => route.access === access));

  it('changes nothing when it is only opened: a link brings the cookies along', () => {
    expect(read.changed).toEqual([]);
  });

  it('shows nothing of another’s when it is only opened', () => {
    expect(toldWhenOpened).toEqual([]);
  });

  it('opens for whom it is', () => {
    const signedIn = ['GET /panel', 'GET /panel/sign-in', 'GET /panel/sign-in/code', 'GET /panel/sign-up'];
    const links = ['GET /panel/invitation', 'GET /panel/sign-up/confirm', 'GET /panel/email'];
    const expected = (name: string) =>
      links.includes(name) ? 404 : leadsBack(name) || signedIn.includes(name) ? 303 : 200;
    expect(read.opened.map(({ name, status }) => [name, status])).toEqual(
      read.opened.map(({ name }) => [name, expected(name)]),
    );
  });

  it('of the victim shows each mark that is looked for in what others see; no table of users is without one', async () => {
    const marks = routes.ofTheVictimAlone;
    expect(marks.filter((mark) => !shownToTheVictim.some((page) => page.includes(mark)))).toEqual([]);
    const tables = await routes.world.query(
      `select table_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = 'public' and column_name = 'user_id' and table_type = 'BASE TABLE'`,
    );
    const known = [...Object.keys(routes.marks), ...SHOWN_NOWHERE, 'users'];
    expect(tables.map((row) => String(row['table_name'])).filter((table) => !known.includes(table))).toEqual([]);
  });

  it('lead only to the sign-in, for a user who was signed in once too', async () => {
    const former = await routes.formerOperators();
    const strangers = [routes.visitor(), routes.visitor(bearer(routes.victim.token))];
    const nobodies = await Promise.all(
      strangers.map(async (client) => {
        const page = await client.get('/panel/sign-in');
        return { client, _csrf: /name="_csrf" value="([^"]+)"/.exec(page.text)![1]! };
      }),
    );
    const before = await routes.all();
    for (const [name, route] of [...isFor('user'), ...isFor('operator')]) {
      for (const { client, _csrf } of [...nobodies, former.disabled, former.ended]) {
        const path = route.path(routes.ids.victim);
        const form = { ...routes.filledForm(), _csrf };
        const answer = route.method === 'GET' ? await client.get(path) : await client.post(path, form);
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

  it('of operators are not there for a user, nor for who was one', async () => {
    const { demoted } = await routes.formerOperators();
    const attacker = { client: routes.clients.attacker, _csrf: await routes.formToken('attacker') };
    const before = await routes.all();
    for (const [name, route] of isFor('operator')) {
      const open = async ({ client, _csrf }: typeof attacker, path: string) =>
        route.method === 'GET' ? client.get(path) : client.post(path, { ...routes.filledForm(), _csrf });
      expect([name, (await open(attacker, route.path(routes.ids.victim))).status]).toEqual([name, 404]);
      expect([name, (await open(demoted, route.path(routes.ids.attacker))).status]).toEqual([name, 404]);
    }
    expect(await routes.all()).toEqual(before);
  });

  it('lead an operator without a second factor, where one is required, but to that', async () => {
    const { client, _csrf } = await routes.operatorWithoutFactor();
    const factor = '/panel/account/second-factor';
    const before = await routes.all();
    for (const [name, route] of [...isFor('user'), ...isFor('operator')]) {
      const path = route.path(routes.ids.victim);
      // They set one up, the second by showing what a step was answered with.
      if (path.startsWith(factor) || path === '/panel/answer') continue;
      const form = { ...routes.filledForm(), _csrf };
      const { status, location } = route.method === 'GET' ? await client.get(path) : await client.post(path, form);
      expect([name, status, location]).toEqual([name, 303, factor]);
    }
    expect(await routes.all()).toEqual(before);
  });

  // That an operator was refused is written down.
  /** Beside the log, and the final block that a look at the chain's time leaves. */
  const unchanged = () => routes.all(['audit_log', 'chain_identity']);
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

  const withIds = PANEL.filter((route) => route.named.length > 0 && !route.named.includes('any'));
  it.each(byName(withIds))('%s does not find what is another’s', async (_name, route) => {
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

  const forms = PANEL.filter(({ method }) => method === 'POST');
  it('take no form that is not from a page of ours', async () => {
    const before = await routes.all();
    const _csrf = await routes.formToken('operator');
    const elsewhere = routes.sameBrowser('operator', { Origin: 'https://evil.example' });
    for (const [name, route] of byName(forms)) {
      const path = route.path(routes.ids.victim);
      const forged = await routes.clients.operator.post(path, { ...routes.filledForm(), _csrf: 'guessed' });
      const none = await routes.clients.operator.post(path, routes.filledForm());
      const foreign = await elsewhere.post(path, { ...routes.filledForm(), _csrf });
      expect([name, forged.status, none.status, foreign.status]).toEqual([name, 403, 403, 403]);
    }
    expect(await routes.all()).toEqual(before);
  });

  it.each(byName(PANEL.filter(isPage)))(
    '%s shows nothing of another’s, whatever else is asked for',
    async (name, route) => {
      const who = route.access === 'operator' ? 'operator' : 'attacker';
      const hand = routes.byHand();
      const others = {
        ...Object.fromEntries([...fieldsOfPages.names].map((field) => [field, '1'])),
        ...routes.extraFields(),
      };
      const rest = Object.fromEntries(Object.entries(others).filter(([field]) => !Object.hasOwn(hand, field)));
      for (const extra of [hand, rest]) {
        const query = new URLSearchParams({
          ...extra,
          ...(/\/(?:drain|resume)$/.test(name) && { name: 'pool' }),
        }).toString();
        const { status } = await routes.clients[who].get(`${route.path(routes.ids.attacker)}?${query}`);
        // Some columns are filters, and this is not a value for them.
        const may = extra === rest || route.access !== 'user' ? [200, 303, 404, 422] : [leadsBack(name) ? 303 : 200];
        expect([name, may]).toEqual([name, expect.arrayContaining([status])]);
      }
    },
  );

  /** All of them that the forms of this test could be about. */
  const rows = async (route: string) => {
    const may = CHANGES[route] ?? [];
    const found = await routes.world.query(
      `select u.id, (to_jsonb(u) || to_jsonb(a)) - case when u.id = $1 then $2::text[] else '{}' end as row
         from users u join accounts a on a.user_id = u.id where u.id = any($3) order by u.id`,
      [routes.login.attacker.id, may, [routes.login.attacker.id, routes.login.operator.id]],
    );
    return found;
  };
  const operators = () => routes.world.query('select id from users where operator order by id');
  const balance = async () => {
    const [row] = await routes.world.query('select balance_sun from accounts where user_id = $1', [
      routes.login.attacker.id,
    ]);
    return row!['balance_sun'] as bigint;
  };

  it.each(byName(forms))('%s takes no field that it does not have', async (name, route) => {
    const who = route.access === 'operator' ? 'operator' : 'attacker';
    const { victim } = routes.ids;
    const path = route.path(routes.ids.attacker);
    const filled = routes.filledForm();
    const sender = await SENDERS[name]?.(routes);
    const next = async (): Promise<Sending> => {
      if (sender) return sender();
      const needed = { ...fieldsOfPages.own(path, filled), ...(await NEEDS[name]?.(routes)) };
      const _csrf = await routes.formToken(who);
      return { client: routes.clients[who], fields: { ...needed, _csrf } };
    };
    const { fields: own } = await next();
    const [ofVictim, before, balanceBefore] = [await routes.ofVictim(), await rows(name), await balance()];
    const operatorsBefore = await operators();
    const named = Object.fromEntries([...fieldsOfPages.names].map((field) => [field, filled[field] ?? '1']));
    const all = { ...named, ...filled, ...routes.extraFields({ ofUsers: true }) };
    const extra = Object.fromEntries(Object.entries(all).filter(([field]) => !fieldsOfPages.isOf(path, field)));
    const parts = inParts(extra, { ...own, form_key: '' });
    // The key of a form becomes the id of what it makes.
    const keys: Fields[] = [victim.token!, victim.webhook!, victim.subscription!].map((form_key) => ({ form_key }));
    let carriedOut = 0;
    for (const [at, part] of [...parts, ...keys].entries()) {
      // So many forms of a kind are more than a user may send in an hour.
      await routes.world.query('delete from rate_limit_windows returning 1');
      const { client, path: to = path, fields, done } = await next();
      const answer = await client.post(to, { ...part, ...fields, form_key: part['form_key'] ?? uuid() });
      // Whatever becomes of it: it is a GET that shows it.
      expect([at, answer.sentStatus]).toEqual([at, 303]);
      const isDone = await isCarriedOut(client, answer);
      // A key that something has already may be refused.
      if (at < parts.length) expect([at, isDone]).toEqual([at, at < (AT_MOST[name] ?? parts.length)]);
      if (isDone) {
        carriedOut++;
        done?.();
      }
      const isStillTheirs = !sender || (await client.get('/panel/account')).text.includes(routes.login[who].email);
      expect([at, isStillTheirs]).toEqual([at, true]);
    }
    await withoutFactor(routes);
    expect(await routes.ofVictim()).toEqual(ofVictim);
    expect(await rows(name)).toEqual(before);
    expect(await operators()).toEqual(operatorsBefore);
    const credited = /\/(?:movements|credit)$/.test(name) ? BigInt(carriedOut) * 7_000_000n : 0n;
    expect(await balance()).toBe(balanceBefore + credited);
  });
});
