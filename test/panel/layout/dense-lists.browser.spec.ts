import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { OrderWorld } from '../../support/order-world';
import { describeInChromium, PanelBrowser, signIn } from '../../support/panel-browser';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { fillLists } from './filled-lists';

// Rows that were written for what they look like.
breaksTheLedger();

const SCREEN = { width: 1280, height: 800 };
const LEAST_ROWS = 20;
const IMAGES = process.env['LIST_IMAGES'] ?? mkdtempSync(join(tmpdir(), 'list-images-'));

/** From the head of the table to the foot of its 20th row; how much of it is cut; and the rows in two lines. */
const MEASURE = `(() => {
  const table = [...document.querySelectorAll('table')].find(({ tBodies }) => tBodies[0].rows.length >= ${LEAST_ROWS});
  const rows = [...table.tBodies[0].rows].slice(0, ${LEAST_ROWS});
  const heightOf = (element) => element.getBoundingClientRect().height;
  const lineHeight = parseFloat(getComputedStyle(table).lineHeight);
  const last = rows.at(-1).getBoundingClientRect();
  return {
    page: last.bottom + scrollY,
    table: last.bottom - table.getBoundingClientRect().top,
    cut: table.parentElement.scrollWidth - table.parentElement.clientWidth,
    tall: rows.filter((row) => heightOf(row) > 1.8 * lineHeight).map(({ innerText }) => innerText.slice(0, 200)),
  };
})()`;

interface Measured {
  readonly page: number;
  readonly table: number;
  readonly cut: number;
  readonly tall: readonly string[];
}

describeInChromium('lists on a screen of 1280 × 800', () => {
  let world: OrderWorld;
  let browser: PanelBrowser;
  let operator: PanelUserLogin;
  let webhook: string;

  beforeAll(async () => {
    [world, browser] = await Promise.all([OrderWorld.open({ backgroundWork: false }), PanelBrowser.open()]);
    operator = await insertPanelUser(world.app, { operator: true, email: 'olga@example.com', balance: 24_000 });
    ({ webhook } = await fillLists(world.app.databaseUrl, operator));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  async function open(path: string, locale: string, options = {}): Promise<Page> {
    const { page } = await browser.page({ locale, viewport: SCREEN, ...options });
    await signIn(page, world.app.url, operator.email, operator.password);
    await page.goto(`${world.app.url}${path}`);
    return page;
  }

  const lists: readonly (readonly [path: string, top: boolean])[] = [
    ['/panel/operator/orders', true],
    ['/panel/orders', true],
    ['/panel/operator/users', true],
    ['/panel/operator/wallets', true],
    ['/panel/operator/findings', true],
    // Below a balance, or what is to be known of a webhook.
    ['/panel/balance', false],
    ['/panel/webhooks/WEBHOOK', false],
  ];

  it.each(['en-GB', 'zh-CN'].flatMap((locale) => lists.map(([path, top]) => ({ locale, path, top }))))(
    '$path has 20 rows in $locale, each in one line',
    async ({ locale, path, top }) => {
      const page = await open(path.replace('WEBHOOK', webhook), locale);
      const { page: bottom, table, cut, tall }: Measured = await page.evaluate(MEASURE);
      await page.screenshot({ path: join(IMAGES, `${path.replaceAll('/', '-')}-${locale}.png`), fullPage: !top });
      expect({ cut, tall }).toEqual({ cut: 0, tall: [] });
      expect(table).toBeLessThanOrEqual(SCREEN.height);
      if (top) expect(bottom).toBeLessThanOrEqual(SCREEN.height);
    },
  );

  it('a filter is folded until it is set, and opens without JavaScript', async () => {
    const page = await open('/panel/operator/orders?days=7', 'en-GB', { javaScriptEnabled: false });
    const field = page.getByLabel('Receiver');
    expect(await field.isVisible()).toBe(false);
    await page.locator('.filters summary').click();
    await field.fill('TNone');
    await page.locator('.filters button').click();
    expect(await field.isVisible()).toBe(true);
    expect(await field.inputValue()).toBe('TNone');
  });
});
