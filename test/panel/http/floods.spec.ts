import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { ExportTurn } from '../../../src/panel/http/export-turn';
import { MOST_REQUESTS } from '../../../src/panel/http/session-limit';
import { OrderLookup } from '../../../src/delegation/lookup/order-lookup';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

const EXPORT = '/panel/orders/orders.csv';

describe('what somebody who is signed in can make others wait for', () => {
  let first: TestApp;
  let second: TestApp;
  beforeAll(async () => {
    const env = { RATE_LIMIT_STORE: 'postgres' };
    first = await createTestApp({ backgroundWork: false, env });
    second = await createTestApp({ backgroundWork: false, env, databaseUrl: first.databaseUrl });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await second?.close();
    await first?.close();
  });

  async function signedIn(user?: PanelUserLogin) {
    const known = user ?? (await insertPanelUser(first));
    const client = new PanelClient(first.url);
    await client.signIn(known.email, known.password);
    return { user: known, client };
  }
  /** The same browser, answered by the other instance. */
  function there({ cookies }: PanelClient): PanelClient {
    const other = new PanelClient(second.url);
    for (const [name, value] of cookies) other.cookies.set(name, value);
    return other;
  }

  /** The first export that reads orders does not get them before it is let go. */
  function hold() {
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const list = jest.spyOn(first.app.get(OrderLookup), 'list');
    list.mockImplementationOnce(async () => {
      await held;
      return [];
    });
    return { letGo, begun: () => until('the export reads', async () => list.mock.calls.length > 0) };
  }

  it('one export at a time: the second one is told so, on another instance and by another session too, until the first is complete', async () => {
    const { user, client } = await signedIn();
    const { letGo, begun } = hold();
    const running = client.get(EXPORT);
    await begun();
    const [again, elsewhere, session] = [client, there(client), (await signedIn(user)).client];
    for (const one of [again, elsewhere, session]) {
      for (const path of [EXPORT, '/panel/balance/ledger.csv']) {
        const refused = await one.get(path);
        expect([path, refused.status, refused.text.includes('One download at a time')]).toEqual([path, 429, true]);
        expect(refused.headers.get('retry-after')).toBe('10');
      }
    }
    // Others are not concerned, and neither are pages.
    expect((await (await signedIn()).client.get(EXPORT)).status).toBe(200);
    expect((await client.get('/panel/orders')).status).toBe(200);
    letGo();
    expect((await running).text).toContain('id,ordered_at');
    // The moment that the first is complete, on whichever instance.
    for (let n = 0; n < 10; n++) expect((await there(client).get(EXPORT)).status).toBe(200);
  });

  it('the head of an export reads nothing, and takes no turn from the export behind it', async () => {
    const { client } = await signedIn();
    const list = jest.spyOn(first.app.get(OrderLookup), 'list');
    const take = jest.spyOn(first.app.get(ExportTurn), 'take');
    const Cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (let n = 0; n < 10; n++) {
      const head = await fetch(`${first.url}${EXPORT}`, { method: 'HEAD', headers: { Cookie } });
      expect(head.status).toBe(200);
      expect(head.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"');
      expect((await there(client).get(EXPORT)).status).toBe(200);
    }
    expect(list).not.toHaveBeenCalled();
    expect(take).not.toHaveBeenCalled();
  });

  it('an export that was broken off is over', async () => {
    const { client } = await signedIn();
    const { letGo, begun } = hold();
    const Cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const broken = httpRequest(`${first.url}${EXPORT}`, { headers: { Cookie } }).end();
    broken.on('error', () => undefined);
    await begun();
    expect((await client.get(EXPORT)).status).toBe(429);
    broken.destroy();
    await once(broken, 'close');
    await until('another one is begun', async () => (await client.get(EXPORT)).status === 200);
    letGo();
  });

  it('three hundred requests a minute of one session, on all instances together; what is shown then reads no user', async () => {
    const { user, client } = await signedIn();
    await first.sql.execute({ name: '', text: `delete from rate_limit_windows where key like 'panel-session:%'` }, []);
    await client.get('/panel/orders');
    // What a call has counted is written with those of that moment, perhaps after its answer.
    const window = await until('the window', async () => {
      const [row] = await first.sql.rows<unknown[], { key: string }>(
        { name: '', text: `update rate_limit_windows set calls = $1 where key like 'panel-session:%' returning key` },
        [MOST_REQUESTS - 2],
      );
      return row;
    });
    expect(window.key).not.toContain(decodeURIComponent([...client.cookies.values()][0]!).slice(2, 20));
    expect((await client.get('/panel/orders')).status).toBe(200);
    expect((await there(client).get('/panel/orders')).status).toBe(200);
    for (const one of [client, there(client)]) {
      const refused = await one.get('/panel/orders');
      expect([refused.status, refused.text.includes('Too many requests')]).toEqual([429, true]);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect(refused.text).not.toContain(user.email);
    }
    expect((await (await signedIn(user)).client.get('/panel/orders')).status).toBe(200);
  });
});
