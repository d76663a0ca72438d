import { describeInChromium, PanelBrowser, type Watched } from '../support/panel-browser';
import { type Caller, OrderWorld } from '../support/order-world';

describeInChromium('GET /docs/api', () => {
  let world: OrderWorld;
  let browser: PanelBrowser;
  let watched: Watched;
  let caller: Caller;
  const asked: { url: string; authorization: string | undefined }[] = [];

  beforeAll(async () => {
    [world, browser] = await Promise.all([OrderWorld.open(), PanelBrowser.open()]);
    caller = await world.caller();
    watched = await browser.page();
    watched.page.on('request', (request) =>
      asked.push({ url: request.url(), authorization: request.headers()['authorization'] }),
    );
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  it('shows the document without a request to anybody else, and without a violation of its policy', async () => {
    const { page } = watched;
    const response = await page.goto(`${world.app.url}/docs/api`);
    expect(response!.headers()['content-security-policy']).not.toContain('unsafe');
    await page.getByText('/api/chain/delegate-resource').waitFor();
    expect(await page.locator('.opblock').count()).toBeGreaterThan(5);
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.filter(({ url }) => !url.startsWith(world.app.url) && !url.startsWith('data:'))).toEqual([]);
    expect(watched.complaints()).toEqual([]);
  });

  it('sends an order with a token that it keeps for the session of this tab, and no longer', async () => {
    const { page } = watched;
    const receiver = await world.receiver();
    await page.locator('.auth-wrapper .authorize').first().click();
    await page.locator('.auth-container input').fill(caller.token);
    await page.locator('.auth-container button[type=submit]').click();
    await page.locator('.auth-container .btn-done').click();

    await page.reload();
    await page.getByText('/api/chain/delegate-resource').click();
    await page.locator('.try-out__btn').click();
    await page.locator('.body-param__text').fill(JSON.stringify({ receiver_address: receiver, amount: 1 }));
    await page.locator('.execute').click();
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();

    const [order] = await world.query('select receiver, answer from delegations');
    expect(order).toEqual({ receiver, answer: 'success' });
    // The token left the browser with the order alone, and in its header alone.
    const carried = asked.filter(({ authorization }) => authorization !== undefined);
    expect(carried).toEqual([
      { url: `${world.app.url}/api/chain/delegate-resource`, authorization: `Bearer ${caller.token}` },
    ]);
    expect(asked.filter(({ url }) => url.includes(caller.token))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    // Another tab, as one that is opened later, knows nothing of it.
    const later = await page.context().newPage();
    await later.goto(`${world.app.url}/docs/api`);
    await later.locator('.auth-wrapper .authorize').first().waitFor();
    expect(await later.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).toBe('[{},{}]');
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain(caller.token);
    await later.close();
    expect(watched.complaints()).toEqual([]);
  });
});
