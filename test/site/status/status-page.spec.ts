import { PoolAdminService } from '../../../src/admin/pool-admin.service';
import { Clock } from '../../../src/common/clock';
import { LANGUAGES } from '../../../src/languages/languages';
import { OrderOutlook } from '../../../src/reporting/outlooks/order-outlook';
import { OutagesSchedule } from '../../../src/reporting/service-record/outages.schedule';
import { RefusedAttempts } from '../../../src/reporting/refusals/refused-attempts';
import { ServiceRecordRepository } from '../../../src/reporting/service-record/service-record.repository';
import { MovableClock } from '../../support/movable-clock';
import { OrderWorld } from '../../support/order-world';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp } from '../../support/test-app';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const OPERATOR = { id: null, address: 'here' } as const;
const RECONCILER = { id: null, service: 'reconciler', address: 'here' } as const;
const ENERGY = 'No energy is available at the moment. Try again in about ten minutes.';

interface StatusFile {
  readonly taking_orders: boolean;
  readonly reason: string | null;
  readonly since: string | null;
  readonly success_percent_90d: number | null;
  readonly inclusion_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly days: { date: string; orders: number; failed: number; down_minutes: number }[];
  readonly incidents: { kind: string; from: string; until: string | null; reason: string }[];
}

describe('the status page', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  beforeEach(async () => {
    // A minute that ends amid a test would add an outage to what the test has made.
    jest.spyOn(OutagesSchedule.prototype, 'beat').mockResolvedValue();
    world = await OrderWorld.open({
      env: { STATUS_PAGE: 'on', SITE_NAME: 'Volt' },
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
    await world.untilWalletsRead();
  });
  afterEach(() => world.close());

  const get = async (path: string, headers: Record<string, string> = {}, at = world.app.url) => {
    const response = await fetch(`${at}${path}`, { headers: { accept: BROWSER, ...headers } });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  /** As it is now, whatever was read before. */
  const file = async (at = world.app.url): Promise<StatusFile> => {
    clock.advance(61_000);
    return JSON.parse((await get('/status.json', {}, at)).text) as StatusFile;
  };
  const page = async (language = 'en') => (await get(`/status?lang=${language}`)).text;
  const admin = () => world.app.app.get(PoolAdminService);
  const begunMs = Date.now();
  const ago = (days: number) => new Date(begunMs - days * 86_400_000).toISOString();
  /** As the log has had it since. */
  const entry = (act: string, at: string, after: object, subject = 'service', service: string | null = null) =>
    world.query(
      `insert into audit_log (at, address, action, subject, outcome, after, service) values ($1, 'here', $2, $3, 'done', $4, $5) returning id`,
      [at, act, subject, JSON.stringify(after), service],
    );

  it('has exactly the fields that programs go by, of 90 days without orders', async () => {
    const { headers, text } = await get('/status.json');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { days, ...others } = JSON.parse(text) as StatusFile;
    expect(JSON.stringify(others)).toBe(
      '{"taking_orders":true,"reason":null,"since":null,"success_percent_90d":null,"inclusion_ms":{"p50":null,"p95":null},"incidents":[]}',
    );
    expect(Object.keys(JSON.parse(text) as object)).toEqual(
      'taking_orders reason since success_percent_90d inclusion_ms days incidents'.split(' '),
    );
    expect(days).toHaveLength(90);
    expect(days.at(-1)).toEqual({ date: ago(0).slice(0, 10), orders: 0, failed: 0, down_minutes: 0 });
    expect(await page()).toContain('The service accepts orders.');
    expect(await page('zh')).toContain('服务正常接受订单。');
  });

  it('counts orders that arrived and those that failed, and no mistake of a caller', async () => {
    const [rich, poor, slow] = [
      await world.caller({ balance: 1_000_000_000 }),
      await world.caller({ balance: 0 }),
      await world.caller({ rateLimitPerMinute: 1 }),
    ];
    const receiver_address = await world.receiver();
    const served = await world.delegate(rich, { receiver_address, amount: 1 });
    expect(served.status).toBe(200);
    await world.untilState(served.headers.get('x-delegation-id')!, 'delegated');
    const statuses = [
      await world.delegate(rich, { receiver_address, amount: 0 }),
      await world.delegate({ ...rich, token: 'eds_nobody' }, { receiver_address, amount: 1 }),
      await world.delegate(poor, { receiver_address, amount: 1 }),
      await world.delegate(slow, { receiver_address: 'T', amount: 1 }),
      await world.delegate(slow, { receiver_address, amount: 1 }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 401, 501, 400, 429]);
    await world.app.app.get(RefusedAttempts).flush();
    expect(await file()).toMatchObject({ success_percent_90d: 100 });

    expect((await world.delegate(rich, { receiver_address, amount: 9_999_999 })).headers.get('x-error-code')).toBe(
      'INSUFFICIENT_ENERGY',
    );
    const fault = { route: 'wallet/broadcasttransaction', kind: 'CONTRACT_VALIDATE_ERROR', count: 100 };
    await world.control('fault', fault);
    expect((await world.delegate(rich, { receiver_address, amount: 1 })).status).toBe(500);
    await world.app.app.get(RefusedAttempts).flush();
    const { success_percent_90d: success, days, inclusion_ms: inclusion } = await file();
    expect([days.at(-1), success]).toEqual([expect.objectContaining({ orders: 3, failed: 2 }), 33.33]);
    expect(inclusion.p50).toBeGreaterThan(0);
    expect(inclusion.p50).toBeLessThan(60_000);
    expect(await page()).toContain('2 of 3 orders failed');
  });

  it('says why orders are paused and since when, and keeps the pause once it is over', async () => {
    const paused = await admin().pause(OPERATOR, 'orders', 'Moving <to> a new server');
    const during = await file();
    const since = new Date(paused.since!).toISOString();
    expect(during).toMatchObject({ taking_orders: false, reason: 'Moving <to> a new server', since });
    expect(during.incidents).toEqual([
      { kind: 'orders_paused', from: since, until: null, reason: 'Moving <to> a new server' },
    ]);
    const html = await page();
    expect(html).toContain('Moving &lt;to> a new server');
    expect(html).not.toContain('<to>');

    await admin().pause(OPERATOR, 'orders', 'It takes until noon');
    expect(await file()).toMatchObject({
      reason: 'It takes until noon',
      since,
      incidents: [{ from: since, until: null, reason: 'It takes until noon' }],
    });
    await admin().resume(OPERATOR, 'orders');
    await admin().pause(OPERATOR, 'reclaims', 'not for the page');
    const after = await file();
    expect(after).toMatchObject({ taking_orders: true, reason: null, since: null });
    expect(after.incidents).toEqual([
      { kind: 'orders_paused', from: since, until: expect.any(String), reason: 'It takes until noon' },
    ]);
    expect(after.incidents[0]!.until! > since).toBe(true);
    expect(after.days.at(-1)!.down_minutes).toBeGreaterThan(0);

    await admin().pause(OPERATOR, 'orders', null);
    const again = await file();
    expect(again).toMatchObject({ taking_orders: false, reason: 'The operator has paused new orders.' });
    expect(again.incidents).toHaveLength(2);
  });

  it('counts of a pause from before the 90 days what lies in them, and forgets one that ended before', async () => {
    await entry('orders.pause', ago(130), { since: ago(130), reason: 'forgotten' });
    await entry('orders.resume', ago(120), {});
    await entry('orders.pause', ago(100), { since: ago(100), reason: 'a long one' });
    await entry('orders.resume', ago(80), {});
    const midnight = (days: number) => Date.parse(ago(days).slice(0, 10));
    const [begin, end] = [-10, 25].map((minutes) => new Date(midnight(5) + minutes * 60_000).toISOString());
    await entry('orders.pause', begin!, { since: begin, reason: 'over midnight' });
    await entry('orders.resume', end!, {});
    await entry('wallet.state', ago(130), { state: 'paused' }, 'wallet first', 'reconciler');
    await entry('wallet.state', ago(120), { state: 'active' }, 'wallet first', 'reconciler');
    const { incidents, days } = await file();
    expect(incidents.map(({ reason }) => reason)).toEqual(['a long one', 'over midnight']);
    const downOf = (daysAgo: number) => days.at(-1 - daysAgo)!.down_minutes;
    expect([downOf(89), downOf(81), downOf(79)]).toEqual([1_440, 1_440, 0]);
    expect([downOf(7), downOf(6), downOf(5), downOf(4)]).toEqual([0, 10, 25, 0]);
  });

  it('shows quarantines as reduced capacity, one incident of all that overlap, and no wallet that an operator paused', async () => {
    await admin().setWalletState(OPERATOR, 'activate', 'paused');
    expect((await file()).incidents).toEqual([]);
    await entry('wallet.state', ago(3), { state: 'paused', found: ['x'] }, 'wallet first', 'reconciler');
    await entry('wallet.state', ago(2.5), { state: 'paused' }, 'wallet second', 'reconciler');
    await entry('wallet.state', ago(2), { state: 'active' }, 'wallet first', 'reconciler');
    await entry('wallet.remove', ago(1), {}, 'wallet second');
    await admin().setWalletState(RECONCILER, 'pool', 'paused');
    const { incidents, taking_orders: takes, reason } = await file();
    expect(incidents.map(({ kind }) => kind)).toEqual(['reduced_capacity', 'reduced_capacity']);
    expect([incidents[0]!.from.slice(0, 19), incidents[0]!.until!.slice(0, 19)]).toEqual(
      [ago(3), ago(1)].map((time) => time.slice(0, 19)),
    );
    expect(incidents[1]!.until).toBeNull();
    // It was the only one that lends.
    expect([takes, reason]).toEqual([false, ENERGY]);
    await admin().resumeWallet(OPERATOR, 'pool', { reason: 'explained', seenIds: null });
    const after = await file();
    expect([after.taking_orders, after.incidents[1]!.until]).toEqual([true, expect.any(String)]);
  });

  it('says since when energy is short, and counts the minutes of it and of a service that did not run, each once', async () => {
    const beat = () => world.app.app.get(OutagesSchedule).note();
    const later = async (minutes: number) => {
      const earlier = `- interval '${minutes} minutes'`;
      await world.query(`update outages set begun_at = begun_at ${earlier}, seen_at = seen_at ${earlier} returning 1`);
      await world.query(`update service_beat set seen_at = seen_at ${earlier} returning 1`);
    };
    await beat();
    await admin().setWalletState(OPERATOR, 'pool', 'paused');
    await beat();
    await later(2);
    await beat();
    const empty = await file();
    expect(empty).toMatchObject({ taking_orders: false, reason: ENERGY });
    expect(empty.incidents).toEqual([
      { kind: 'outage', from: empty.since, until: null, reason: 'No energy was available.' },
    ]);
    await admin().pause(OPERATOR, 'orders', 'meanwhile');
    const down = async () => (await file()).days.slice(-2).reduce((sum, day) => sum + day.down_minutes, 0);
    // A minute that has begun counts, and midnight begins one.
    expect([3, 4]).toContain(await down());
    await later(60);
    await beat();
    expect((await file()).incidents.map(({ reason }) => reason)).toContain('The service was not available.');
    expect([63, 64]).toContain(await down());
  });

  it('names no customer, no wallet and no address', async () => {
    const caller = await world.caller();
    const receiver = await world.receiver();
    await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    await world.query(`update pool_wallets set name = 'blue-' || name returning 1`);
    await admin().setWalletState(RECONCILER, 'blue-pool', 'paused');
    const texts = [JSON.stringify(await file()), await page(), await page('zh')];
    const wallets = await world.query('select name, address from pool_wallets');
    const users = await world.query('select id, email, name from users');
    const secrets = [...wallets, ...users].flatMap((row) => Object.values(row).map(String));
    for (const text of texts) {
      for (const secret of [...secrets, receiver, caller.token]) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/);
    }
  });

  it('says the same on every instance, and of a restored database that nothing is taken', async () => {
    await admin().pause(OPERATOR, 'orders', 'for all');
    await admin().resume(OPERATOR, 'orders');
    const other = await world.startInstance();
    const figures = ({ days, incidents, success_percent_90d: success }: StatusFile) => ({ days, incidents, success });
    expect(figures(await file(other.url))).toEqual(figures(await file()));
    await world.query('update database_identity set database_oid = database_oid + 1 returning 1');
    expect(await file()).toMatchObject({
      taking_orders: false,
      reason: 'The operator is checking the service before it accepts orders again.',
    });
  });

  it('is read and rendered once, however many ask, and may be kept by a proxy', async () => {
    clock.advance(61_000);
    const outlooks = jest.spyOn(world.app.app.get(OrderOutlook), 'now');
    const records = jest.spyOn(world.app.app.get(ServiceRecordRepository), 'read');
    const pages = jest.spyOn(LANGUAGES.en.site.status, 'picture');
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => get(index % 2 === 0 ? '/status' : '/status.json')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([outlooks, records, pages].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
    expect(new Set(answers.map(({ headers }) => headers.get('cache-control')))).toEqual(
      new Set(['public, max-age=15']),
    );
    expect(answers[0]!.headers.get('vary')).toContain('Accept-Language');
    expect(answers[0]!.headers.get('set-cookie')).toBeNull();
    clock.advance(16_000);
    await get('/status');
    expect([outlooks, records, pages].map(({ mock }) => mock.calls.length)).toEqual([2, 1, 2]);
    jest.restoreAllMocks();
  });

  it('is announced to the operator who writes the reason of a pause', async () => {
    const { email, password } = await insertPanelUser(world.app, { operator: true });
    const client = new PanelClient(world.app.url);
    await client.signIn(email, password);
    const says = async (name: string) =>
      (await client.get(`/panel/operator/wallets/${name}`)).text.includes('Everyone can read this on the status page.');
    expect([await says('orders'), await says('reclaims')]).toEqual([true, false]);
  });

  it('is led to from the first page, the documents and every other page of the site', async () => {
    for (const path of ['/?lang=zh', '/docs/zh', '/docs/zh/search?q=x', '/docs/zh/nothing', '/r/unknown?lang=zh']) {
      const { text } = await get(path);
      expect([path, text.match(/<header.*href="\/status\?lang=zh".*<\/header>/s) !== null]).toEqual([path, true]);
    }
    expect((await get('/')).text).toContain('<a href="/status?lang=en">Status of the last 90 days</a>');
    expect((await get('/docs/en')).text).toMatch(
      /<nav class="pages".*<a href="\/status\?lang=en">Service status<\/a>/s,
    );
  });
});

describe('the status page, switched off', () => {
  it('is a path that does not exist, whatever the method, and nothing leads there', async () => {
    const app = await createTestApp({ backgroundWork: false });
    const ask = async (path: string, method: string) => {
      const response = await fetch(`${app.url}${path}`, { method, headers: { accept: BROWSER } });
      const names = ['content-type', 'cache-control', 'x-error-code', 'allow', 'link'];
      return [response.status, await response.text(), names.map((name) => response.headers.get(name))];
    };
    for (const path of ['/status', '/status.json', '/STATUS', '/status/'])
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'])
        expect([path, method, await ask(path, method)]).toEqual([path, method, await ask('/nothing-here', method)]);
    for (const path of ['/', '/docs/en', '/docs/zh'])
      expect(
        (await (await fetch(`${app.url}${path}`, { headers: { accept: BROWSER } })).text()).includes('/status'),
      ).toBe(false);
    await app.close();
  });
});
