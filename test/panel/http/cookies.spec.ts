import type { IncomingMessage } from 'node:http';
import { keepOwnCookies, readCookie } from '../../../src/panel/http/cookie';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

/** Each of them is decoded by whoever parses them all, and throws there. */
const BROKEN = Array.from({ length: 1_700 }, (_, at) => `c${at}=%`);

describe('cookies of others on the same host', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => service?.close());

  it('are not looked at, however many there are, and take nothing from the panel’s own', async () => {
    const user = await insertPanelUser(service);
    const client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
    const own = [...client.cookies].map(([name, value]) => `${name}=${value}`);
    const decoded = jest.spyOn(globalThis, 'decodeURIComponent');
    const headers = { Cookie: [...BROKEN.slice(850), ...own, ...BROKEN.slice(0, 850)].join('; ') };
    const answer = await fetch(`${service.url}/panel/account`, { headers, redirect: 'manual' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain(user.email);
    expect(decoded.mock.calls.length).toBeGreaterThan(0);
    expect(decoded.mock.calls.length).toBeLessThan(50);
  });

  const requestWith = (cookie: string) => ({ headers: { cookie } }) as unknown as IncomingMessage;

  it.each([
    ['panel_session=a; other=b; panel_form=c=d', 'panel_session=a; panel_form=c=d'],
    [';; ; x ;panel_session = a ;__Host-panel_session=b', 'panel_session=a; __Host-panel_session=b'],
    ['panel_session=first; panel_session=second', 'panel_session=first'],
    ['nothing; of; ours', ''],
    ['', ''],
  ])('leave of %j what is the panel’s', (given, kept) => {
    const request = requestWith(given);
    keepOwnCookies(request);
    expect(request.headers.cookie).toBe(kept);
    expect(readCookie(request, 'panel_session')).toBe(readCookie(requestWith(given), 'panel_session'));
  });
});
