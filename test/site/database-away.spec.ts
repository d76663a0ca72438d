import { OrderOutlook } from '../../src/reporting/outlooks/order-outlook';
import { IncidentRepository } from '../../src/reporting/service-record/incident.repository';
import { DatabaseProxy } from '../support/database-proxy';
import { createTestApp, type TestApp } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';
const KEY = `/r/${'A'.repeat(22)}`;

describe('the pages that need no sign-in, while the database is away', () => {
  let made: TestDatabase;
  let database: DatabaseProxy;
  let app: TestApp;
  beforeAll(async () => {
    made = await createTestDatabase();
    database = new DatabaseProxy(made.url);
    app = await createTestApp({
      backgroundWork: false,
      databaseUrl: await database.open(),
      env: { SITE_NAME: 'Volt', STATUS_PAGE: 'on' },
    });
    database.away(true);
  });
  afterAll(async () => {
    database.away(false);
    await app.close();
    await database.close();
    await made.drop();
  });

  const get = async (path: string, language = 'en') => {
    const headers = { accept: BROWSER, 'accept-language': language };
    const response = await fetch(`${app.url}${path}`, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it.each([
    ['en', 'Temporarily unavailable'],
    ['zh-CN', '暂时不可用'],
  ])('are a page that says so where they read it, in %s, which no cache keeps', async (language, title) => {
    for (const path of [KEY, `${KEY}/receipt.json`]) {
      const { status, headers, text } = await get(path, language);
      expect([status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(text).toContain(`<title>${title} · Volt</title>`);
      expect(text).toContain(headers.get('x-request-id'));
    }
  });

  it.each([
    ['en', 'Temporarily unavailable'],
    ['zh-CN', '暂时不可用'],
  ])('include the status page and its file, in %s, with one reading for all who ask', async (language, title) => {
    const reading = jest.spyOn(app.app.get(IncidentRepository), 'since');
    const outlook = jest.spyOn(app.app.get(OrderOutlook), 'now');
    for (const path of ['/status', '/status.json', '/status', '/status.json']) {
      const { status, headers, text } = await get(path, language);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 503, 'no-store']);
      expect(text).toContain(`<title>${title} · Volt</title>`);
    }
    expect(reading.mock.calls.length + outlook.mock.calls.length).toBeLessThanOrEqual(1);
    jest.restoreAllMocks();
  });

  it('are there where they do without it: the first page, the documents and their search', async () => {
    const home = await get('/');
    expect([home.status, home.text]).toEqual([200, expect.stringContaining('Unknown at the moment')]);
    for (const path of ['/docs', '/docs/zh/errors', '/docs/en/search?q=PAUSED'])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
  });

  it('answer a program at the first page as ever', async () => {
    const response = await fetch(`${app.url}/`, { headers: { accept: 'application/json' } });
    expect([response.status, await response.json()]).toEqual([404, { success: false, error: '请求的资源不存在' }]);
  });
});
