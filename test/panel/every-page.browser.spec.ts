import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { UserService } from '../../src/users/user.service';
import { statement } from '../../src/database/statement';
import { RefusedAttempts } from '../../src/delegation/refusals/refused-attempts';
import { StopWebhook } from '../../src/webhooks/stop-webhook';
import { WebhookDeliveries } from '../../src/webhooks/webhook-deliveries';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { OrderWorld } from '../support/order-world';
import { describeInChromium, PanelBrowser, seriousFindings, signIn } from '../support/panel-browser';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { codeOf } from '../support/second-factor';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';

/** What README and docs/panel.md show. `npm run screenshots` renews them in docs/images; other runs only prove that they can be made. */
const IMAGES = process.env['SCREENSHOTS'] ?? mkdtempSync(join(tmpdir(), 'panel-images-'));
const SHOWN = new Set(['business', 'overview', 'wallet', 'order', 'quote', 'webhook']);

describeInChromium('every page of the panel, in Chromium', () => {
  let world: OrderWorld;
  let browser: PanelBrowser;
  let user: PanelUserLogin;
  let operator: PanelUserLogin;
  let receiver: WebhookReceiver;
  let paths: Record<string, string>;

  beforeAll(async () => {
    receiver = await WebhookReceiver.open();
    const env = {
      RECLAIM_DELAY: '1h',
      WEBHOOK_ALLOW_PRIVATE: 'on',
      // Nothing is wrong for so long that anything would be sent.
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'energy@example.com',
      NOTIFY_EMAIL: 'olga@example.com,another-operator-with-a-long-address@operations.example.com',
      NOTIFY_WEBHOOK_URL: 'https://chat.example/hooks/secret',
    };
    [world, browser] = await Promise.all([OrderWorld.open({ env }), PanelBrowser.open()]);
    mkdirSync(IMAGES, { recursive: true });
    user = await insertPanelUser(world.app, { email: 'ann@example.com', balance: 100 });
    operator = await insertPanelUser(world.app, { email: 'olga@example.com', operator: true });
    paths = await fill();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    receiver?.close();
  });

  /** Something to see on every page; returns where. */
  async function fill(): Promise<Record<string, string>> {
    const tokens = world.app.app.get(ApiTokenService);
    const make = (name: string, expiresInDays?: number) =>
      tokens.create({ userId: user.id, name, permissions: ['delegate', 'balance'], expiresInDays });
    const { token } = await make('shop');
    const { row } = await make('<b>"till" & 收银机</b>', 30);
    const old = await make('old machine');
    await tokens.revoke(old.row.id);
    const caller = { id: user.id, token };
    const webhook = await fillWebhooks();
    const answers = [];
    for (const amount of [1, 2, 1.5]) {
      answers.push(await world.delegate(caller, { receiver_address: await world.receiver(), amount }));
    }
    await fillPastDays(user.id);
    // Refused for three reasons.
    await world.delegate(caller, { receiver_address: 'T', amount: 0 });
    for (let n = 0; n < 3; n += 1) {
      await world.delegate(caller, { receiver_address: await world.receiver(), amount: 10_000 });
    }
    await world.delegate(caller, { receiver_address: await world.receiver(false), amount: 1 });
    await world.app.app.get(RefusedAttempts).flush();
    const order = answers[0]!.headers.get('x-delegation-id')!;
    await world.untilState(order, 'delegated');
    const [wallet] = await world.query(`select id from pool_wallets where role = 'delegate'`);
    return {
      'api-tokens': '/panel/tokens',
      'new-token': '/panel/tokens/new',
      webhooks: '/panel/webhooks',
      'new-webhook': '/panel/webhooks/new',
      webhook: `/panel/webhooks/${webhook}`,
      'rotate-webhook': `/panel/webhooks/${webhook}/rotate`,
      'remove-webhook': `/panel/webhooks/${webhook}/remove`,
      token: `/panel/tokens/${row.id}`,
      revoke: `/panel/tokens/${row.id}/revoke`,
      balance: '/panel/balance',
      subscriptions: '/panel/subscriptions',
      orders: '/panel/orders',
      'orders-of-a-week': '/panel/orders?days=7',
      refused: '/panel/orders/refused',
      failures: '/panel/orders/failures',
      order: `/panel/orders/${order}`,
      quote: `/panel/quote?receiver_address=${await world.receiver()}&amount=2`,
      search: '/panel/search?q=nothing-like-it',
      'try-it': '/panel/try-it',
      account: '/panel/account',
      business: '/panel/operator/business',
      'business-today': '/panel/operator/business?days=1',
      'business-wrong': '/panel/operator/business?from=2026-02-30',
      'second-factor': '/panel/account/second-factor',
      overview: '/panel/operator',
      wallets: '/panel/operator/wallets',
      'new-wallet': '/panel/operator/wallets/new',
      wallet: `/panel/operator/wallets/${String(wallet!['id'])}?check=yes`,
      'remove-wallet': `/panel/operator/wallets/${String(wallet!['id'])}/remove`,
      settings: '/panel/operator/settings',
      users: '/panel/operator/users',
      'users-by-spend': '/panel/operator/users?sort=spend',
      user: `/panel/operator/users/${user.id}`,
      'user-money': `/panel/operator/users/${user.id}/money`,
      'user-subscriptions': `/panel/operator/users/${user.id}/subscriptions`,
      'user-access': `/panel/operator/users/${user.id}/access`,
      'user-tokens': `/panel/operator/users/${user.id}/tokens`,
      'revoke-of-user': `/panel/operator/users/${user.id}/tokens/${row.id}/revoke`,
      'factor-of-user': `/panel/operator/users/${user.id}/second-factor`,
      disable: `/panel/operator/users/${user.id}/disable`,
      drain: '/panel/operator/wallets/drain?name=activate',
      'pause-orders': '/panel/operator/wallets/orders',
      'stuck-orders': '/panel/operator/orders?stuck=overdue',
      'new-user': '/panel/operator/users/new',
      'all-orders': '/panel/operator/orders?state=delegated',
      'order-of-user': `/panel/operator/orders/${order}`,
      findings: '/panel/operator/findings',
      notices: '/panel/operator/notices',
      'audit-log': '/panel/operator/audit-log',
      missing: '/panel/nothing-here',
    };
  }

  /** Days that were closed long ago, most of their orders good: something to draw. */
  async function fillPastDays(userId: string): Promise<void> {
    await world.app.sql.execute(
      statement<[userId: string]>(
        'test_every_page_days',
        `with days as (
           insert into closed_order_days (day)
           select ((now() at time zone 'utc')::date - n) from generate_series(1, 40) n returning day
         ), counted as (
           select day, (40 + 25 * sin(extract(day from day)::float8 / 3))::bigint as orders, payer
             from days, unnest(array['balance', 'subscription']) payer
         )
         insert into order_days (day, user_id, paid_by, orders, succeeded, failed, charged_sun, energy, landed, activations, activated_sun)
         select day, $1, payer, orders, orders - orders / 9, orders / 9,
                case payer when 'balance' then (orders - orders / 9) * 3000000 else 0 end, (orders - orders / 9) * 65000,
                orders - orders / 9, orders / 20, orders / 20 * 1000000
           from counted`,
      ),
      [userId],
    );
  }

  /** One that takes everything, with what it was sent. Returns its id. */
  async function fillWebhooks(): Promise<string> {
    const webhooks = world.app.app.get(WebhookService);
    const { webhook } = await webhooks.create({ userId: user.id, url: receiver.url('/hooks/energy') });
    await world.app.app.get(WebhookDeliveries).test(webhook.id);
    return webhook.id;
  }

  /** Above every page: a webhook that the service has given up, and a balance that is low. */
  async function fillAttention(): Promise<void> {
    const webhooks = world.app.app.get(WebhookService);
    const url = 'https://till.example/hooks?long=a-very-long-query-that-fits-on-no-phone-whatever-it-does';
    const { webhook } = await webhooks.create({ userId: user.id, url, events: ['delegation.failed', 'balance.low'] });
    await world.app.sql.transaction((tx) => world.app.app.get(StopWebhook).stop(webhook.id, 'gone', tx));
    await world.app.app.get(UserService).update(user.email, { lowBalanceSun: 1_000_000_000n });
  }

  const isForOperators = (path: string) => path.startsWith('/panel/operator');
  const mine = (wanted: boolean) => Object.entries(paths).filter(([, path]) => isForOperators(path) === wanted);

  async function fillAsOperator(page: Page): Promise<void> {
    const type = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
    await page.goto(`${world.app.url}${paths['user-money']!}`);
    await type('Amount, TRX', '25');
    await type('Reason', 'invoice 2041');
    await page.getByRole('radio', { name: 'Credit' }).check();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.locator('main').innerText()).toContain('+25.000000');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Credit 25.000000 TRX' }).click();
    expect(await page.getByRole('status').innerText()).toContain('The balance is now');
    await page.goto(`${world.app.url}${paths['user-subscriptions']!}`);
    await type('Transactions', '100');
    await type('Days', '30');
    await page.getByRole('button', { name: 'Add a subscription' }).click();
    await page.getByRole('button', { name: 'End now' }).click();
    expect(await page.locator('main').innerText()).toContain('100 of 100 left');
    expect(await seriousFindings(page)).toEqual([]);
    await page.goto(`${world.app.url}/panel/operator/wallets`);
    await page.getByRole('button', { name: 'Pause activate' }).click();
    await page.getByRole('button', { name: 'Resume activate' }).click();
    expect(await page.getByRole('status').innerText()).toContain('activate was changed');
    await page.goto(`${world.app.url}/panel/operator/findings`);
    await page.getByRole('button', { name: 'Check now' }).click();
    // One that takes longer than its request has its result on the page.
    await until('the check has ended', async () => {
      await page.goto(`${world.app.url}/panel/operator/findings`);
      return (await page.locator('main').innerText()).includes('Checked: nothing was found. It looked at ');
    });
  }

  it.each([
    ['of a user', false],
    ['of an operator', true],
  ])(
    '%s has no serious finding of axe-core, no console error and no CSP report, and never scrolls sideways',
    async (_, operating) => {
      const { page, complaints } = await browser.page();
      const login = operating ? operator : user;
      await page.goto(`${world.app.url}/panel/sign-in`);
      const findings = await seriousFindings(page);
      const sideways: string[] = [];
      await signIn(page, world.app.url, login.email, login.password);
      if (operating) await fillAsOperator(page);
      for (const [name, path] of mine(operating)) {
        const response = await page.goto(`${world.app.url}${path}`);
        expect({ path, status: response?.status() }).toEqual({ path, status: name === 'missing' ? 404 : 200 });
        findings.push(...(await seriousFindings(page)));
        if (SHOWN.has(name)) await page.screenshot({ path: join(IMAGES, `${name}.png`) });
        sideways.push(...(await widthsThatScroll(page)).map((width) => `${path} at ${width}`));
      }
      expect(findings).toEqual([]);
      expect(sideways).toEqual([]);
      expect(complaints().filter((text) => !text.includes('status of 404'))).toEqual([]);
    },
  );

  it('shortens a txid in its middle, but copies and selects all of it', async () => {
    const { page } = await browser.page({ permissions: ['clipboard-read', 'clipboard-write'] });
    await signIn(page, world.app.url, user.email, user.password);
    await page.goto(`${world.app.url}/panel/orders`);
    const id = page.locator('tbody tr').first().locator('.id').last();
    const txid = (await id.locator('code').getAttribute('title'))!;
    expect(txid).toMatch(/^[0-9a-f]{64}$/);
    expect((await id.boundingBox())!.width).toBeLessThan(200);
    await id.getByRole('button').click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(txid);
    await id.locator('code').evaluate((code) => getSelection()!.selectAllChildren(code));
    expect(await page.evaluate('getSelection().toString()')).toBe(txid);
  });

  it('folds the menu on a phone, and unfolds it without JavaScript', async () => {
    const { page } = await browser.page({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
    await signIn(page, world.app.url, operator.email, operator.password);
    const link = page.getByRole('link', { name: 'Findings' });
    expect(await link.isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'Menu' }).click();
    await link.click();
    await page.waitForURL('**/panel/operator/findings');
  });

  it('is readable in Chinese, in the dark and on a phone', async () => {
    const { page, complaints } = await browser.page({
      locale: 'zh-CN',
      colorScheme: 'dark',
      viewport: { width: 360, height: 740 },
    });
    const findings: string[] = [];
    await signIn(page, world.app.url, operator.email, operator.password);
    for (const [name, path] of mine(true)) {
      await page.goto(`${world.app.url}${path}`);
      expect(await page.locator('html').getAttribute('lang')).toBe('zh-Hans');
      expect({ path, overflow: await scrollsSideways(page) }).toEqual({ path, overflow: false });
      const shown = await page.locator('main').innerText();
      expect(shown.match(/.*(?:\p{Script=Han} ?[,;:?!()]|[,;:?!()] ?\p{Script=Han}).*/gu)).toBeNull();
      findings.push(...(await seriousFindings(page)));
      if (name === 'overview') await page.screenshot({ path: join(IMAGES, 'phone-dark-chinese.png') });
    }
    await page.locator('.fold summary').click();
    await page.getByRole('link', { name: 'English' }).click();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(findings).toEqual([]);
    expect(complaints()).toEqual([]);
  });

  it('tells a user on every page what wants looking after, readable on a phone too', async () => {
    await fillAttention();
    const { page, complaints } = await browser.page({ viewport: { width: 360, height: 740 } });
    const findings: string[] = [];
    await signIn(page, world.app.url, user.email, user.password);
    for (const path of ['webhooks', 'webhook', 'new-webhook', 'remove-webhook', 'balance']) {
      await page.goto(`${world.app.url}${paths[path]!}`);
      expect(await page.locator('.notice.attention').allInnerTexts()).toHaveLength(2);
      expect({ path, overflow: await scrollsSideways(page) }).toEqual({ path, overflow: false });
      findings.push(...(await seriousFindings(page)));
    }
    expect(findings).toEqual([]);
    expect(complaints()).toEqual([]);
  });

  it('sets up a second factor, and asks for the password again, without a serious finding on a phone and in Chinese', async () => {
    const login = await insertPanelUser(world.app, { email: 'factor@example.com' });
    for (const locale of ['en-GB', 'zh-CN'] as const) {
      const { page, complaints } = await browser.page({ locale, viewport: { width: 360, height: 740 } });
      const findings: string[] = [];
      const look = async () => {
        const [width, seen] = await page.evaluate<[number, number]>(
          '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
        );
        expect({ url: page.url(), overflow: width > seen }).toEqual({ url: page.url(), overflow: false });
        findings.push(...(await seriousFindings(page)));
      };
      await signIn(page, world.app.url, login.email, login.password);
      await world.app.sql.execute({ name: '', text: 'update sessions set password_at = null where user_id = $1' }, [
        login.id,
      ]);
      await page.goto(`${world.app.url}/panel/account/second-factor`);
      await page.locator('main button').click();
      await look();
      await page.locator('input[type=password]').fill(login.password);
      await page.locator('main button[type=submit]').click();
      await look();
      const secret = (await page.locator('#key').innerText()).trim();
      await page.locator('input[name=code]').fill('1');
      await page.locator('main button[type=submit]').last().click();
      expect(await page.locator('input[name=code]').getAttribute('aria-invalid')).toBe('true');
      await page.locator('input[name=code]').fill(codeOf(secret));
      await page.locator('main button[type=submit]').last().click();
      expect((await page.locator('#codes').innerText()).trim().split('\n')).toHaveLength(10);
      await look();
      const [code] = (await page.locator('#codes').innerText()).trim().split('\n') as [string];
      await page.context().clearCookies();
      await signIn(page, world.app.url, login.email, login.password, (url) => url.pathname.endsWith('/code'));
      await look();
      await page.locator('input[name=code]').fill(code);
      await page.locator('main button[type=submit]').click();
      await page.waitForURL((url) => url.pathname.endsWith('/tokens'));
      await page.goto(`${world.app.url}/panel/account/second-factor`);
      await look();
      await page.locator('main button.danger').click();
      expect(findings).toEqual([]);
      expect(complaints().filter((text) => !/status of 4(?:03|22)/.test(text))).toEqual([]);
    }
  });

  it('leads a keyboard past the menu, and shows where it is', async () => {
    const { page } = await browser.page();
    await signIn(page, world.app.url, operator.email, operator.password);
    await page.goto(`${world.app.url}/panel/tokens`);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('New token');
    const outline = await page.locator(':focus').evaluate((element) => getComputedStyle(element).boxShadow);
    expect(outline).not.toBe('none');
  });
});

/** The window is as it was afterwards. */
async function widthsThatScroll(page: Page): Promise<number[]> {
  const { width: usual, height } = page.viewportSize()!;
  const found: number[] = [];
  for (const width of [360, 768, 1600, usual]) {
    await page.setViewportSize({ width, height });
    if (await scrollsSideways(page)) found.push(width);
  }
  return found;
}

function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}
