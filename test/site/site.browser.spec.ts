import { join } from 'node:path';
import { LANGUAGE_CODES } from '../../config/languages';
import { PAGE_NAMES } from '../../src/site/docs/page-names';
import { ROUTE_CLASSES } from '../access/route-classes';
import { lookAtPage } from '../panel/look-at-page';
import { describeInChromium, PanelBrowser } from '../support/panel-browser';
import { createTestApp, type TestApp } from '../support/test-app';

/** Where a person looks at the pages; none: nothing is kept. */
const IMAGES = process.env['SITE_SCREENSHOTS'];
/** What test/site/receipts looks at, and routes that answer with something else than a page of the site. */
const ELSEWHERE =
  /^GET \/(?:r\/|panel|api\/|health\/|openapi\.json|status\.json|docs\/api$|\w+\/assets\/)|^POST |^ALL /;

/** Every page that needs no sign-in, in each language. */
const PATHS = LANGUAGE_CODES.flatMap((language) => [
  `/?lang=${language}`,
  `/status?lang=${language}`,
  `/docs/${language}`,
  ...PAGE_NAMES.filter((name) => name !== 'index').map((name) => `/docs/${language}/${name}`),
  `/docs/${language}/search?q=order`,
  `/docs/${language}/nothing`,
]);

describeInChromium('the pages that need no sign-in, in Chromium', () => {
  let app: TestApp;
  let browser: PanelBrowser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([
      createTestApp({ backgroundWork: false, env: { STATUS_PAGE: 'on' } }),
      PanelBrowser.open(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it('have no serious finding of axe-core, light and dark, wide and on a phone, nor scroll sideways or complain', async () => {
    const { page, complaints } = await browser.page({ reducedMotion: 'reduce' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const found: string[] = [];
    for (const path of PATHS) {
      await page.goto(`${app.url}${path}`);
      // A program is part of the page, however long its lines are.
      for (const summary of await page.locator('main summary').all()) await summary.click();
      const seen = async (width: number, scheme: string) => {
        const name = `${path.replaceAll(/\W+/g, '-')}-${width}-${scheme}.png`;
        if (IMAGES !== undefined) await page.screenshot({ path: join(IMAGES, name) });
      };
      found.push(...(await lookAtPage(page, { otherWidths: [768, 1600], seen })));
    }
    expect(found).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(app.url) && !url.startsWith('data:'))).toEqual([]);
    expect(complaints().filter((text) => !text.includes('status of 404'))).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('are looked at, whatever the site has', () => {
    const forgotten = Object.keys(ROUTE_CLASSES)
      .filter((route) => !ELSEWHERE.test(route))
      .map((route) => route.replace('GET ', ''))
      .filter(
        (route) =>
          !PATHS.some((path) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path.replace(/\?.*/, ''))),
      )
      // Without a language they are the same pages.
      .filter((route) => !['/docs', '/docs/search'].includes(route));
    expect(forgotten).toEqual([]);
  });

  it('lead from the first page to a document and by the search to an error, without JavaScript, in Chinese', async () => {
    const { page } = await browser.page({ javaScriptEnabled: false, locale: 'zh-CN' });
    await page.goto(app.url);
    await page.getByRole('link', { name: '文档', exact: true }).first().click();
    await page.waitForURL('**/docs/zh');
    await page.getByRole('searchbox').fill('OUTCOME_UNKNOWN');
    await page.getByRole('button', { name: '搜索' }).click();
    await page.getByRole('link', { name: '错误码 › OUTCOME_UNKNOWN' }).click();
    await page.waitForURL('**/docs/zh/errors#OUTCOME_UNKNOWN');
    expect(await page.locator(':target').innerText()).toBe('OUTCOME_UNKNOWN');
    await page.getByRole('link', { name: 'English' }).click();
    await page.waitForURL('**/docs/en/errors');
  });

  it('take a link into the reference, which was at /docs, to where it is now', async () => {
    const { page } = await browser.page();
    await page.goto(`${app.url}/docs#/Energy/getQuote`);
    await page.waitForURL('**/docs/api#/Energy/getQuote');
    await page.locator('#operations-Energy-getQuote.is-open').waitFor();
  });

  it('lead from the header of an error to what it says of that error', async () => {
    const refused = await fetch(`${app.url}/api/user/balance`);
    const [, target = ''] = /^<([^>]+)>; rel="help"$/.exec(refused.headers.get('link')!)!;
    const { page } = await browser.page();
    await page.goto(new URL(target, app.url).href);
    expect(await page.locator(':target').innerText()).toBe('UNAUTHENTICATED');
  });
});
