import type { Locator, Page } from 'playwright-core';
import { PANEL } from '../../access/route-classes';
import { RouteWorld } from '../../access/route-world';
import { describeInChromium, PanelBrowser, signIn } from '../../support/panel-browser';
import { insertPanelUser } from '../../support/panel-user';
import { NO_WALK, ofEachKind, type Walk, WALKS } from './form-walks';

const STEPS = 4;
const AGAIN = 'input[name=password_again]';

describeInChromium.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('Back, Forward and reload, %s', (_name, javaScriptEnabled) => {
  let routes: RouteWorld;
  let browser: PanelBrowser;

  beforeAll(async () => {
    [routes, browser] = await Promise.all([RouteWorld.open({ BILLING_VARIANT: 'B' }), PanelBrowser.open()]);
  });
  afterAll(async () => {
    await browser?.close();
    await routes?.close();
  });

  const at = (path: string) => `${routes.world.app.url}${path}`;
  const oldPassword = () =>
    routes.world.query(`update sessions set password_at = now() - interval '20 minutes' returning 1`);

  async function signedIn(who: 'victim' | 'operator') {
    const { page } = await browser.page({ javaScriptEnabled });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
    });
    await signIn(page, routes.world.app.url, routes.login[who].email, routes.login[who].password);
    return { page, sent };
  }
  type Visitor = Awaited<ReturnType<typeof signedIn>>;

  /** A reload shows the same page, and sends nothing. */
  async function settles({ page, sent }: Visitor, once: boolean): Promise<void> {
    const [url, title, before] = [page.url(), await page.title(), sent.length];
    await page.reload();
    if (!once) expect([page.url(), await page.title()]).toEqual([url, title]);
    expect(sent.slice(before)).toEqual([]);
  }

  /** A click, and the page that it leads to. */
  async function press(page: Page, button: Locator): Promise<void> {
    await Promise.all([page.waitForEvent('load'), button.click()]);
  }

  async function fill(form: Locator, fields: Walk['fields'] = {}): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      const field = form.locator(`[name="${name}"]:not([type=hidden])`);
      const choice = form.locator(`:is([type=radio], [type=checkbox])[name="${name}"][value="${value}"]`);
      if ((await choice.count()) > 0) await choice.check();
      else if ((await form.locator(`select[name="${name}"]`).count()) > 0) await field.selectOption(value);
      else await field.fill(value);
    }
  }

  /** A form of a row may be in a menu. */
  async function unfold(form: Locator): Promise<void> {
    const menus = form.locator('xpath=ancestor::details[not(@open)]');
    if ((await menus.count()) > 0) await menus.locator('summary').first().click();
  }

  async function walk(visitor: Visitor, password: string, { page: start, action, fields, value, once }: Walk) {
    const { page } = visitor;
    const formOf = (on: Page) => on.locator(`main form[method=post][action="${action}"]`).first();
    await page.goto(at(start));
    await unfold(formOf(page));
    await fill(formOf(page), fields);
    const steps: [url: string, title: string][] = [];
    for (let step = 1; step <= STEPS; step += 1) {
      await oldPassword();
      const button = formOf(page)
        .locator(value ? `button[value="${value}"]` : 'button[type=submit]')
        .first();
      const again = page.locator(AGAIN);
      if ((await again.count()) > 0) {
        await again.fill(password);
        await press(page, page.locator(`form:has(${AGAIN}) button[type=submit]`));
      } else await press(page, button);
      const asksOn = page.url().includes('/panel/answer') && !(await page.title()).startsWith('Not done');
      const isOver = !asksOn || (await formOf(page).count()) === 0 || value !== undefined;
      await settles(visitor, isOver && once === true);
      steps.push([page.url(), await page.title()]);
      if (isOver) break;
    }
    expect(visitor.sent.at(-1)).toBe(action);
    const sentSoFar = visitor.sent.length;
    for (const [url, title] of steps.slice(0, -1).toReversed()) {
      await page.goBack();
      expect([page.url(), await page.title()]).toEqual([url, title]);
    }
    await page.goBack();
    await page.locator('h1').waitFor();
    for (const [place, step] of steps.entries()) {
      await page.goForward();
      if (!once || place < steps.length - 1) expect([page.url(), await page.title()]).toEqual(step);
    }
    expect(visitor.sent).toHaveLength(sentSoFar);
    return steps.length;
  }

  it.each(WALKS)(
    `show each step of ${javaScriptEnabled ? 'every form' : 'forms of each kind'} of %s, and send none again`,
    async (who, walksOf) => {
      const visitor = await signedIn(who);
      if (who === 'victim') await signedIn(who);
      const walked: [route: string, steps: number][] = [];
      const walks = await walksOf(routes);
      for (const one of javaScriptEnabled ? walks : ofEachKind(walks)) {
        const about = [one.route, JSON.stringify(one.fields ?? {})].join(' ');
        try {
          walked.push([one.route, await walk(visitor, routes.login[who].password, one)]);
        } catch (error) {
          throw new Error(`${about} at ${visitor.page.url()}: ${(error as Error).message}`, { cause: error });
        }
      }
      const expected = PANEL.filter(({ access, method, name }) => {
        const isTheirs = access === (who === 'operator' ? 'operator' : 'user');
        return method === 'POST' && isTheirs && !NO_WALK.has(name);
      });
      const routesWalked = new Set(walked.map(([route]) => route));
      // A script changes what Back shows by how a form is sent, the same for all forms: each is walked with it.
      if (javaScriptEnabled) expect(routesWalked).toEqual(new Set(expected.map(({ name }) => name)));
      else expect(routesWalked.size).toBeGreaterThan(5);
      // Asked, asked for the password, done.
      if (who === 'operator' && javaScriptEnabled)
        expect(walked.filter(([route]) => route.endsWith('/movements')).map(([, steps]) => steps)).toEqual([
          1, 3, 3, 1,
        ]);
    },
  );

  it('and a double click on each step book a movement once', async () => {
    const { page, sent } = await signedIn('operator');
    const { id } = await insertPanelUser(routes.world.app, { balance: 10 });
    await page.goto(at(`/panel/operator/users/${id}/money`));
    await fill(page.locator('main'), { kind: 'credit', amount: '7', note: 'once' });
    await page.getByRole('button', { name: 'Continue', exact: true }).dblclick();
    await page.getByRole('heading', { name: 'Credit this user?' }).waitFor();
    await page.getByRole('button', { name: 'Credit 7.000000 TRX' }).dblclick();
    await page.waitForURL(({ pathname }) => pathname.endsWith('/money'));
    await page.getByText('The balance is 17.000000').or(page.getByText('is now 17.000000')).first().waitFor();
    // Back to the question, which has the key of the form that was booked.
    await page.goBack();
    await page.getByRole('button', { name: 'Credit 7.000000 TRX' }).click();
    await page.getByText('No money was moved: this reference was already booked').waitFor();
    const booked = await routes.world.query(`select note from ledger_entries where user_id = $1 and note = 'once'`, [
      id,
    ]);
    expect(booked).toHaveLength(1);
    expect(sent.length).toBeGreaterThan(2);
  });
});
