import { OrderWorld } from '../../support/order-world';
import { describeInChromium, PanelBrowser, signIn, type Watched } from '../../support/panel-browser';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';

const TOKEN = /\beds_[\w-]{49}\b/;

describeInChromium('from the sign-in page to a real delegation, in Chromium', () => {
  let world: OrderWorld;
  let browser: PanelBrowser;
  let user: PanelUserLogin;
  let visitor: Watched;
  let token: string;

  beforeAll(async () => {
    [world, browser] = await Promise.all([OrderWorld.open(), PanelBrowser.open()]);
    user = await insertPanelUser(world.app, { balance: 10 });
    visitor = await browser.page();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });
  afterEach(() => expect(visitor.complaints()).toEqual([]));

  const order = async (receiver: string) =>
    world.delegate({ id: user.id, token }, { receiver_address: receiver, amount: 1 });

  it('leads from API Tokens over New token, Name, the permissions and Save to a value shown once', async () => {
    const { page } = visitor;
    await signIn(page, world.app.url, user.email, user.password);
    await page.getByRole('link', { name: 'API Tokens', exact: true }).click();
    await page.getByRole('button', { name: 'New token', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('shop');
    await page.getByRole('checkbox', { name: 'delegate', exact: true }).check();
    await page.getByRole('checkbox', { name: 'balance', exact: true }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const shown = (await page.locator('main').innerText()).match(new RegExp(TOKEN, 'g'));
    expect(shown).toHaveLength(1);
    token = shown![0];
    await page.getByRole('link', { name: 'API Tokens', exact: true }).click();
    expect(await page.locator('tbody th').allInnerTexts()).toEqual(['shop']);
    expect(await page.content()).not.toMatch(TOKEN);
  });

  it('copies the value with one click', async () => {
    const { page } = visitor;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${world.app.url}/panel/tokens/new`);
    await page.getByLabel('Name', { exact: true }).fill('to copy');
    await page.getByRole('checkbox', { name: 'balance' }).check();
    const named = page.locator('form').filter({ has: page.getByLabel('Name', { exact: true }) });
    await named.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(
      await page.locator('#token').innerText(),
    );
  });

  it('delegates with it, and shows the order with its transactions', async () => {
    const { page } = visitor;
    const receiver = await world.receiver();
    const answer = await order(receiver);
    expect(answer.status).toBe(200);
    expect(await world.energyOf(receiver)).toBeGreaterThanOrEqual(65_000);
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    expect(await page.locator('tbody').innerText()).toContain(receiver);
    await page.locator('tbody th a').first().click();
    const txid = answer.body['txid'] as string;
    expect(await page.getByRole('link', { name: txid }).first().getAttribute('href')).toContain(txid);
    expect(await page.locator('main').innerText()).toContain('ordered');
  });

  it('places an order from the page that shows the matching curl', async () => {
    const { page } = visitor;
    const receiver = await world.receiver();
    await page.getByRole('link', { name: 'Try it', exact: true }).click();
    await page.getByLabel('Receiver address').fill(receiver);
    await page.getByRole('button', { name: 'Show the call' }).click();
    const curl = await page.locator('#call').innerText();
    expect(curl).toContain(`-d '{"receiver_address":"${receiver}","amount":1,"time":10,"activate_address":false}'`);
    await page.getByLabel('Token', { exact: true }).fill(token);
    await page.getByRole('button', { name: 'Place the order' }).click();
    const said = await page.getByRole('status').innerText();
    expect(said).toContain('HTTP 200');
    expect(await page.content()).not.toContain(token);
    expect(await world.energyOf(receiver)).toBeGreaterThanOrEqual(65_000);
  });

  it('revokes it after a confirmation, and the next call is refused', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'API Tokens', exact: true }).click();
    await page.getByRole('link', { name: 'shop', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('old shop');
    const named = page.locator('form').filter({ has: page.getByLabel('Name', { exact: true }) });
    await named.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Revoke old shop' }).click();
    expect((await order(await world.receiver())).status).not.toBe(401);
    await page.getByRole('button', { name: 'Revoke the token' }).click();
    await page.getByRole('status').waitFor();
    expect(await order(await world.receiver())).toMatchObject({ status: 401, body: { error: '用户未登录' } });
  });

  it('works without JavaScript, and shows hostile names as text', async () => {
    const plain = await browser.page({ javaScriptEnabled: false });
    const name = '<img src=x onerror=alert(1)>"\'&<script>alert(2)</script>';
    await signIn(plain.page, world.app.url, user.email, user.password);
    await plain.page.goto(`${world.app.url}/panel/tokens`);
    await plain.page.getByRole('button', { name: 'New token' }).click();
    await plain.page.getByLabel('Name', { exact: true }).fill(name);
    await plain.page.getByRole('checkbox', { name: 'balance' }).check();
    await plain.page.getByRole('button', { name: 'Save' }).click();
    expect(await plain.page.locator('#token').innerText()).toMatch(TOKEN);
    expect(await plain.page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    const { page } = visitor;
    await page.goto(`${world.app.url}/panel/tokens`);
    expect(await page.locator('tbody th').first().innerText()).toBe(name);
    expect(await page.locator('main img, main script').count()).toBe(0);
  });
});
