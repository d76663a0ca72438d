import { join } from 'node:path';
import { LANGUAGE_CODES } from '../../../config/languages';
import { PoolAdminService } from '../../../src/admin/pool-admin.service';
import { lookAtPage } from '../../panel/look-at-page';
import { describeInChromium, PanelBrowser } from '../../support/panel-browser';
import { createTestApp, type TestApp } from '../../support/test-app';

/** Where a person looks at the page; none: nothing is kept. */
const IMAGES = process.env['SITE_SCREENSHOTS'];
const DAY = `(now() at time zone 'utc')::date`;

/** Days without orders among them, some that failed, and incidents of both kinds. */
const RECORD = [
  `insert into service_days (day, orders, failed, refused)
   select ${DAY} - n, 1000 + n * 7, case when n % 17 = 0 then 3 else 0 end, case when n in (20, 21) then 400 else 0 end
     from generate_series(0, 80) n where n % 29 > 0`,
  `insert into inclusion_days (day, bucket, orders) select ${DAY} - n, b, 1 + (b * n) % 90 from generate_series(1, 80) n, generate_series(120, 185) b`,
  `insert into audit_log (at, address, action, subject, outcome, after, service)
   select now() - interval '20 days', 'here', 'orders.pause', 'service', 'done',
          jsonb_build_object('since', to_char(now() - interval '20 days', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'reason', repeat('Moving to a new server. ', 11)), null
   union all select now() - interval '19 days', 'here', 'orders.resume', 'service', 'done', '{}', null
   union all select now() - interval '5 days', 'here', 'wallet.state', 'wallet one', 'done', '{"state":"paused"}', 'reconciler'`,
];

describeInChromium('the status page with a past, in Chromium', () => {
  let app: TestApp;
  let browser: PanelBrowser;
  beforeAll(async () => {
    [app, browser] = await Promise.all([
      createTestApp({ backgroundWork: false, env: { STATUS_PAGE: 'on', SITE_NAME: 'Volt' } }),
      PanelBrowser.open(),
    ]);
    for (const text of RECORD) await app.sql.execute({ name: '', text }, [] as never);
    await app.app
      .get(PoolAdminService)
      .pause({ id: null, address: 'here' }, 'orders', 'The database moves; orders go on at 14:00 UTC.');
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it('has no serious finding of axe-core, light and dark, wide and on a phone, in both languages, nor scrolls sideways', async () => {
    const { page, complaints } = await browser.page({ reducedMotion: 'reduce' });
    const found: string[] = [];
    for (const language of LANGUAGE_CODES) {
      await page.goto(`${app.url}/status?lang=${language}`);
      const seen = async (width: number, scheme: string) => {
        if (IMAGES === undefined) return;
        await page.screenshot({ path: join(IMAGES, `status-${language}-${width}-${scheme}.png`), fullPage: true });
      };
      found.push(...(await lookAtPage(page, { otherWidths: [768, 1600], seen })));
      await page.locator('main summary').click();
      found.push(...(await lookAtPage(page, { otherWidths: [] })));
    }
    expect(found).toEqual([]);
    expect(complaints()).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  });

  it('is all there without JavaScript, by the keyboard too', async () => {
    const { page } = await browser.page({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    await page.goto(app.url);
    await page.getByRole('link', { name: 'Status', exact: true }).click();
    await page.waitForURL('**/status?lang=en');
    await expect(page.getByText('The database moves; orders go on at 14:00 UTC.').count()).resolves.toBe(2);
    await page.locator('main summary').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('table.record tbody tr').count()).toBe(90);
    expect(await page.locator('.incidents li').count()).toBe(3);
    await page.getByRole('link', { name: '中文' }).click();
    await page.waitForURL('**/status?lang=zh');
    expect(await page.locator('h1').innerText()).toBe('服务状态');
  });
});
