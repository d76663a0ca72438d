import type { Page } from 'playwright-core';
import { PAGE_SIZE } from '../../../src/panel/layout/pager';
import { UserPreferencesRepository } from '../../../src/users/user-preferences.repository';
import { type Caller, OrderWorld } from '../../support/order-world';
import { describeInChromium, PanelBrowser, signIn } from '../../support/panel-browser';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';

/** Its parts ask at once when a page is looked at again. */
const LOOK_AGAIN = `document.dispatchEvent(new Event('visibilitychange'))`;

const FAILED_ORDERS = `
  with made as (insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun,
    cost_sun, paid_by, answer, answer_code, answered_at, created_at)
  select ('0000000d-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'TFailed' || n, '1', 65000, 10, false, 'failed', w.id, 1000000,
    3000000, 'balance', 'failure', 'INTERNAL', now(), now() - interval '1 hour'
  from generate_series(1, $2::integer) n, (select id from pool_wallets limit 1) w
  returning id, user_id)
  insert into holds (delegation_id, user_id, amount_sun, state) select id, user_id, 3000000, 'released' from made`;

describeInChromium('pages that know their reader', () => {
  let world: OrderWorld;
  let browser: PanelBrowser;
  let user: PanelUserLogin;
  let caller: Caller;
  let receiver: string;
  let order: string;

  beforeAll(async () => {
    [world, browser] = await Promise.all([OrderWorld.open(), PanelBrowser.open()]);
    user = await insertPanelUser(world.app, { email: 'ann@example.com', balance: 100 });
    caller = await world.tokenOf(user.id);
    receiver = await world.receiver();
    order = await place();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  async function place(by = caller): Promise<string> {
    const answer = await world.delegate(by, { receiver_address: receiver, amount: 1 });
    expect(answer.status).toBe(200);
    return answer.headers.get('x-delegation-id')!;
  }

  async function open(path: string, options = {}, login = user): Promise<Page> {
    const { page } = await browser.page(options);
    await signIn(page, world.app.url, login.email, login.password);
    await page.goto(`${world.app.url}${path}`);
    return page;
  }

  const timeOf = (page: Page) => page.locator(`tr#order-${order} time`).first();

  it("shows times as the reader's own: how long ago, with UTC and the browser's zone when it is pointed at", async () => {
    const page = await open('/panel/orders', { timezoneId: 'Asia/Kolkata' });
    const time = timeOf(page);
    expect(await time.innerText()).toMatch(/ago$|^now$/);
    const iso = (await time.getAttribute('datetime'))!;
    expect(await time.getAttribute('title')).toBe(
      `${iso} · ${new Date(new Date(iso).getTime() + 5.5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')}`,
    );
  });

  it("takes days of the browser's zone for a range, and says which it is", async () => {
    const page = await open('/panel/orders', { timezoneId: 'America/New_York' });
    expect(await page.getByLabel('From (America/New_York)').count()).toBe(1);
  });

  it('shows UTC without JavaScript, and the zone and language of the account once they are set there', async () => {
    const page = await open('/panel/orders', { javaScriptEnabled: false });
    const iso = (await timeOf(page).getAttribute('datetime'))!;
    expect(await timeOf(page).innerText()).toBe(iso.replace(/\.\d+Z$/, 'Z'));
    await page.goto(`${world.app.url}/panel/account`);
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-Hans');
    await page.goto(`${world.app.url}/panel/orders`);
    const inTokyo = new Date(new Date(iso).getTime() + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    expect(await timeOf(page).innerText()).toBe(inTokyo);
    await world.app.app.get(UserPreferencesRepository).save(user.id, { timeZone: null, language: null });
  });

  it('finds from any page with the key /, trims what is pasted and never cuts it', async () => {
    const page = await open('/panel/account');
    await page.keyboard.press('/');
    await page.keyboard.insertText(`   0x${(await world.show(order))!.txid!.toUpperCase()}\t  `);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/panel/orders/${order}`);
  });

  it('shows new rows by itself, without taking the focus or what is being typed', async () => {
    const page = await open('/panel/orders');
    await page.locator('#search').fill('half a wo');
    const link = page.locator(`tr#order-${order} a`).first();
    await link.focus();
    const next = await place();
    await page.evaluate(LOOK_AGAIN);
    await page.locator(`tr#order-${next}`).waitFor();
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.locator('#search').inputValue()).toBe('half a wo');
  });

  it('leads to the row behind its last one, also after new rows have pushed others out', async () => {
    const buyer = await insertPanelUser(world.app, { balance: 100 });
    await world.query(FAILED_ORDERS, [buyer.id, PAGE_SIZE + 10]);
    const page = await open('/panel/orders', {}, buyer);
    const rows = () => page.locator('tr[id^=order-]').evaluateAll((found) => found.map(({ id }) => id));
    const pushedOut = (await rows()).at(-1);
    const next = await place(await world.tokenOf(buyer.id));
    await page.evaluate(LOOK_AGAIN);
    await page.locator(`tr#order-${next}`).waitFor();
    expect(await rows()).not.toContain(pushedOut);
    await page.locator('a[rel=next]').click();
    await page.locator(`tr#order-${next}`).waitFor({ state: 'detached' });
    expect((await rows())[0]).toBe(pushedOut);
  });

  it('asks for nothing while nobody can see the page, and for a fragment alone when somebody can', async () => {
    const page = await open('/panel/orders');
    await page.clock.install();
    await page.reload();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/panel/orders')) asked.push(request.headers()['panel-fragment'] ?? 'a page');
    });
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: true, configurable: true }); ${LOOK_AGAIN}`,
    );
    await page.clock.runFor(60_000);
    expect(asked).toEqual([]);
    const answer = page.waitForResponse((response) => response.request().headers()['panel-fragment'] !== undefined);
    await page.evaluate(`delete document.hidden; ${LOOK_AGAIN}`);
    const text = await (await answer).text();
    expect(asked).toEqual(['1']);
    expect(text).toContain(`order-${order}`);
    expect(text).not.toContain('<html');
  });

  it('says so when a page is not kept up to date any more, for the session has ended', async () => {
    const page = await open('/panel/orders');
    expect(await page.locator('#stale').isVisible()).toBe(false);
    await world.app.sql.rows({ name: '', text: 'delete from sessions' }, []);
    await page.evaluate(LOOK_AGAIN);
    await page.locator('#stale').waitFor({ state: 'visible' });
  });

  it('does not keep a session alive, nor take the notice of the next page, by keeping itself up to date', async () => {
    const client = new PanelClient(world.app.url);
    await client.signIn(user.email, user.password);
    const ends = async () =>
      (
        await world.app.sql.rows<unknown[], { at: Date }>(
          { name: '', text: 'select expires_at as at from sessions' },
          [],
        )
      )[0]!.at;
    await client.submit('/panel/account', '/panel/account/preferences', { time_zone: '', language: '' });
    const before = await ends();
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const fragment = await fetch(`${world.app.url}/panel/orders`, { headers: { cookie, 'Panel-Fragment': '1' } });
    expect(fragment.status).toBe(200);
    expect(fragment.headers.getSetCookie().filter((line) => line.startsWith('panel_session'))).toEqual([]);
    expect(await ends()).toEqual(before);
    expect((await client.get('/panel/orders')).text).toContain('Time zone and language were saved.');
    expect((await ends()) > before).toBe(true);
  });

  it("an order's page follows it to the end of its way, and the menu counts open findings", async () => {
    const operator = await insertPanelUser(world.app, { operator: true });
    const page = await open(`/panel/operator/orders/${order}`, {}, operator);
    expect(await page.locator('.count').count()).toBe(0);
    await world.untilState(order, 'delegated');
    await world.query(
      `insert into findings (kind, subject, reason, next_step) values ('shortage', 'an order', 'r', 'n')`,
    );
    await page.evaluate(LOOK_AGAIN);
    await page.locator('.steps .done', { hasText: 'Final and charged' }).waitFor();
    await page.locator('.count', { hasText: '1' }).waitFor();
  });
});
