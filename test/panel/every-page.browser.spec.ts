import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { DepositAddresses } from '../../src/deposits/deposit-addresses';
import { finding } from '../../src/findings/finding';
import { FindingRepository } from '../../src/findings/finding.repository';
import { UserService } from '../../src/users/user.service';
import { StopWebhook } from '../../src/webhooks/stop-webhook';
import { WebhookService } from '../../src/webhooks/webhook.service';
import { ROUTE_CLASSES } from '../access/route-classes';
import { insertSmallDeposit } from '../access/small-deposit';
import { XPUB } from '../deposits/deposit-world';
import { OrderWorld } from '../support/order-world';
import { describeInChromium, PanelBrowser, seriousFindings, signIn } from '../support/panel-browser';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { codeOf } from '../support/second-factor';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { ALL_LOOKS, type Look, lookAtPage } from './look-at-page';
import { fillBusiness } from './shown-business';

/** What README and docs/panel.md show. `npm run screenshots` renews them in docs/images; other runs only prove that they can be made. */
const IMAGES = process.env['SCREENSHOTS'] ?? mkdtempSync(join(tmpdir(), 'panel-images-'));
const SHOWN = new Set(['today', 'earnings', 'business', 'order', 'quote']);
const DAY_MS = 86_400_000;
const STATUSES: Readonly<Record<string, number>> = { missing: 404, 'quote-wrong': 422 };
/** Files, pages that lead on at once, and what the tests of second factors, links and answers to forms come by. */
const ELSEWHERE =
  /\.csv$|\/receipt$|\/assets\/|\/second-factor\/|\/code$|\/sign-(?:in|up)$|\/answer$|\/invitation$|\/confirm$|\/email$|\/acknowledge$|\/\{\*/;

/** All four with screenshots; otherwise each language has one of them, and the next one on the next day. */
const EVERY_LOOK = process.env['SCREENSHOTS'] !== undefined || process.env['EVERY_LOOK'] === 'on';
const TODAY = Math.floor(Date.now() / DAY_MS);

/** Whatever the day, a page is looked at light and dark, wide and on a phone: what one language has, the other has not. */
function looksOf(isChinese: boolean, page: number): readonly Look[] {
  return EVERY_LOOK ? ALL_LOOKS : [ALL_LOOKS[(TODAY + page + (isChinese ? 2 : 0)) % ALL_LOOKS.length]!];
}

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
      SIGN_UP: 'approval',
      TOP_UP_TEXT: 'Send TRX to TA1… and name your e-mail address.\nAn operator credits it within an hour.',
      DEPOSIT_XPUB: XPUB,
      NOTIFY_EMAIL: 'olga@example.com,another-operator-with-a-long-address@operations.example.com',
      NOTIFY_WEBHOOK_URL: 'https://chat.example/hooks/secret',
    };
    [world, browser] = await Promise.all([OrderWorld.open({ env }), PanelBrowser.open()]);
    mkdirSync(IMAGES, { recursive: true });
    user = await insertPanelUser(world.app, { email: 'ann@example.com', balance: 250 });
    operator = await insertPanelUser(world.app, { email: 'olga@example.com', operator: true });
    paths = await fill();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    receiver?.close();
  });

  /** Something to see on every page; returns where. */
  async function fill(): Promise<Record<string, string>> {
    const { order, webhook, delivery, token, subscription } = await fillBusiness(world, receiver, user.id);
    const [wallet] = await world.query(`select id from pool_wallets where role = 'delegate'`);
    const [activation] = await world.query(`select id from pool_wallets where role = 'activate'`);
    const [customer] = await world.query('select user_id from subscriptions where id = $1', [subscription]);
    const rich = world.chain.accounts.find(({ role }) => role === 'rich')!.address;
    const transfer = { receiver_address: rich, to: await world.receiver(), value: '25000000' };
    await world.query(
      `insert into sign_ups (id, email, name, password_hash, language, network, confirmed_at)
       values ($1, 'zoe@shop.example', 'Zoe’s Shop', 'x', 'zh', '203.0.113.7', now()) returning 1`,
      [randomUUID()],
    );
    await world.query(
      `insert into mails (id, kind, address, facts, state, error, ended_at) values ($1, 'sign_up', 'zoe@shop.example', '{}', 'undeliverable', 'RCPT 550 5.1.1', now()) returning 1`,
      [randomUUID()],
    );
    const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
    return {
      home: '/panel/home',
      'api-tokens': '/panel/tokens',
      'new-token': '/panel/tokens/new',
      webhooks: '/panel/webhooks',
      'new-webhook': '/panel/webhooks/new',
      webhook: `/panel/webhooks/${webhook}`,
      delivery: `/panel/webhooks/${webhook}/deliveries/${delivery}`,
      'replay-failed': `/panel/webhooks/${webhook}/replay-failed`,
      'rotate-webhook': `/panel/webhooks/${webhook}/rotate`,
      'remove-webhook': `/panel/webhooks/${webhook}/remove`,
      token: `/panel/tokens/${token}`,
      revoke: `/panel/tokens/${token}/revoke`,
      balance: '/panel/balance',
      subscriptions: '/panel/subscriptions',
      orders: '/panel/orders',
      'orders-of-a-week': '/panel/orders?days=7',
      refused: '/panel/orders/refused',
      failures: '/panel/orders/failures',
      order: `/panel/orders/${order}`,
      quote: `/panel/quote?${new URLSearchParams(transfer).toString()}`,
      'quote-wrong': '/panel/quote?receiver_address=T&amount=x',
      search: '/panel/search?q=nothing-like-it',
      'try-it': '/panel/try-it',
      account: '/panel/account',
      forgot: '/panel/forgot',
      'forgot-sent': '/panel/forgot/sent',
      'sign-up-sent': '/panel/sign-up/sent',
      'sign-up-ready': '/panel/sign-up/ready',
      'sign-up-waiting': '/panel/sign-up/waiting',
      'email-changed': '/panel/email/changed',
      'sign-ups': '/panel/operator/sign-ups',
      'refuse-sign-up': '/panel/operator/sign-ups/refuse?email=zoe%40shop.example',
      today: '/panel/operator/today',
      business: `/panel/operator/business?from=${day(30)}&to=${day(1)}`,
      'business-week': '/panel/operator/business',
      'business-today': '/panel/operator/business?days=1',
      'business-wrong': '/panel/operator/business?from=2026-02-30',
      earnings: '/panel/operator/earnings',
      'earnings-wrong': '/panel/operator/earnings?from=2026-02-30',
      books: '/panel/operator/books',
      'books-wrong': '/panel/operator/books?month=2026-13',
      statement: '/panel/balance/statement',
      'statement-of-user': `/panel/operator/users/${user.id}/statement`,
      'second-factor': '/panel/account/second-factor',
      overview: '/panel/operator',
      wallets: '/panel/operator/wallets',
      'new-wallet': '/panel/operator/wallets/new',
      'new-wallet-looked-up': `/panel/operator/wallets/new?address=${world.chain.accounts[0]!.address}`,
      wallet: `/panel/operator/wallets/${String(wallet!['id'])}?check=yes`,
      'activation-wallet': `/panel/operator/wallets/${String(activation!['id'])}`,
      stake: `/panel/operator/wallets/${String(wallet!['id'])}/stake?check=yes`,
      ...stakePages(`/panel/operator/wallets/${String(wallet!['id'])}/stake`),
      ...(await depositPages(world, user.id)),
      'remove-wallet': `/panel/operator/wallets/${String(wallet!['id'])}/remove`,
      settings: '/panel/operator/settings',
      users: '/panel/operator/users',
      'users-by-spend': '/panel/operator/users?sort=spend',
      user: `/panel/operator/users/${user.id}`,
      'user-money': `/panel/operator/users/${user.id}/money`,
      'user-subscriptions': `/panel/operator/users/${user.id}/subscriptions`,
      'user-access': `/panel/operator/users/${user.id}/access`,
      'user-tokens': `/panel/operator/users/${user.id}/tokens`,
      'revoke-of-user': `/panel/operator/users/${user.id}/tokens/${token}/revoke`,
      'factor-of-user': `/panel/operator/users/${user.id}/second-factor`,
      'end-subscription': `/panel/operator/users/${String(customer!['user_id'])}/subscriptions/${subscription}/end`,
      disable: `/panel/operator/users/${user.id}/disable`,
      drain: '/panel/operator/wallets/drain?name=activate',
      resume: '/panel/operator/wallets/resume?name=activate',
      'pause-orders': '/panel/operator/wallets/orders',
      'pause-reclaims': '/panel/operator/wallets/reclaims',
      'stuck-orders': '/panel/operator/orders?stuck=overdue',
      'new-user': '/panel/operator/users/new',
      'all-orders': '/panel/operator/orders?state=delegated',
      'order-of-user': `/panel/operator/orders/${order}`,
      findings: '/panel/operator/findings',
      notices: '/panel/operator/notices',
      'audit-log': '/panel/operator/audit-log',
      'audit-log-wrong': '/panel/operator/audit-log?who=nobody@example.com',
      missing: '/panel/nothing-here',
    };
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
    for (const act of ['Pause', 'Resume']) {
      await page.getByLabel('Actions: activate').press('Enter');
      await page.getByRole('button', { name: `${act} activate` }).click();
    }
    expect(await page.locator('main').innerText()).toContain('Resume this wallet?');
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    expect(await page.getByRole('status').innerText()).toContain('activate was changed');
    await page.goto(`${world.app.url}/panel/operator/findings`);
    await page.getByRole('button', { name: 'Check now' }).click();
    // One that takes longer than its request has its result on the page.
    await until('the check has ended', async () => {
      await page.goto(`${world.app.url}/panel/operator/findings`);
      return (await page.locator('main').innerText()).includes('Done: no problem found. It checked ');
    });
  }

  describe.each([
    ['a user', false],
    ['an operator', true],
  ])('of %s', (_, operating) => {
    it.each(['en-GB', 'zh-CN'])(
      'in %s has no serious finding of axe-core in its look of the day, scrolls sideways at no width, and does not complain',
      async (locale) => {
        const isChinese = locale === 'zh-CN';
        const { page, complaints } = await browser.page({ locale, reducedMotion: 'reduce' });
        const login = operating ? operator : user;
        const found: string[] = [];
        for (const path of ['/panel/sign-up', '/panel/sign-in']) {
          await page.goto(`${world.app.url}${path}`);
          if (!operating) found.push(...(await lookAtPage(page)));
        }
        await signIn(page, world.app.url, login.email, login.password);
        if (operating && !isChinese) await fillAsOperator(page);
        for (const [index, [name, path]] of mine(operating).entries()) {
          const response = await page.goto(`${world.app.url}${path}`);
          expect({ path, status: response?.status() }).toEqual({ path, status: STATUSES[name] ?? 200 });
          expect(await page.locator('html').getAttribute('lang')).toBe(isChinese ? 'zh-Hans' : 'en');
          if (isChinese) {
            const shown = await page.locator('main').innerText();
            expect(shown.match(/.*(?:\p{Script=Han} ?[,;:?!()]|[,;:?!()] ?\p{Script=Han}).*/gu)).toBeNull();
          }
          if (SHOWN.has(name) && !isChinese) await page.screenshot({ path: join(IMAGES, `${name}.png`) });
          const seen = async (...[width, scheme]: Look) => {
            if (isChinese && name === 'today' && width === 360 && scheme === 'dark')
              await page.screenshot({ path: join(IMAGES, 'phone-dark-chinese.png') });
          };
          const options = {
            looks: looksOf(isChinese, index),
            otherWidths: isChinese ? [360, 1280] : [360, 768, 1280, 1600],
            shell: index === 0,
            seen,
          };
          found.push(...(await lookAtPage(page, options)));
        }
        expect(found).toEqual([]);
        expect(complaints().filter((text) => !/status of 4(?:04|22)/.test(text))).toEqual([]);
      },
    );
  });

  it('is looked at, whatever the panel has', () => {
    const seen = Object.values(paths).map((path) => path.replace(/\?.*/, ''));
    const forgotten = Object.keys(ROUTE_CLASSES)
      .flatMap((route) => /^GET (\/panel\/.*)/.exec(route)?.[1] ?? [])
      .filter((route) => !ELSEWHERE.test(route))
      .filter((route) => !seen.some((path) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)));
    expect(forgotten).toEqual([]);
  });

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

  it('lets the language be changed on a phone', async () => {
    const { page } = await browser.page({ locale: 'zh-CN', viewport: { width: 360, height: 740 } });
    await signIn(page, world.app.url, operator.email, operator.password);
    await page.locator('.fold summary').click();
    await page.getByRole('link', { name: 'English' }).click();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it.each(['en-GB', 'zh-CN'])(
    'tells in %s on every page what wants looking after, readable on a phone too',
    async (locale) => {
      if (locale === 'en-GB') await fillAttention();
      const { page, complaints } = await browser.page({ locale, reducedMotion: 'reduce' });
      const found: string[] = [];
      await signIn(page, world.app.url, user.email, user.password);
      for (const path of ['webhooks', 'webhook', 'balance']) {
        await page.goto(`${world.app.url}${paths[path]!}`);
        expect(await page.locator('.notice.attention').allInnerTexts()).toHaveLength(2);
        found.push(...(await lookAtPage(page, { looks: looksOf(locale === 'zh-CN', 0) })));
      }
      expect(found).toEqual([]);
      expect(complaints()).toEqual([]);
    },
  );

  it.each(['en-GB', 'zh-CN'])(
    'shows in %s what is wrong, asks about it, and shows a link once, readable too',
    async (locale) => {
      const { page, complaints } = await browser.page({ locale, reducedMotion: 'reduce' });
      const found: string[] = [];
      const shortage = await findShortage(world);
      await signIn(page, world.app.url, operator.email, operator.password);
      for (const path of ['findings', `findings/${shortage}/acknowledge`, '', 'business', `users/${user.id}/access`]) {
        await page.goto(`${world.app.url}/panel/operator/${path}`);
        found.push(...(await lookAtPage(page, { looks: looksOf(locale === 'zh-CN', 0) })));
      }
      await page.locator('form[action$="/invitation"] button').first().click();
      await page.waitForURL('**/invitation');
      found.push(...(await lookAtPage(page, { looks: looksOf(locale === 'zh-CN', 0) })));
      await page.goto(await page.locator('#link').innerText());
      found.push(...(await lookAtPage(page, { looks: looksOf(locale === 'zh-CN', 0) })));
      expect(found).toEqual([]);
      expect(complaints()).toEqual([]);
    },
  );

  it('sets up a second factor, and asks for the password again, without a serious finding in either language', async () => {
    const login = await insertPanelUser(world.app, { email: 'factor@example.com' });
    for (const locale of ['en-GB', 'zh-CN'] as const) {
      const { page, complaints } = await browser.page({ locale, reducedMotion: 'reduce' });
      const findings: string[] = [];
      const look = async () =>
        void findings.push(...(await lookAtPage(page, { looks: looksOf(locale === 'zh-CN', 0) })));
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
      await page.waitForURL((url) => url.pathname.endsWith('/home'));
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

/** The questions before acts with a stake, and the form of its care. */
function stakePages(path: string): Record<string, string> {
  const acts = ['vote', 'claim', 'freeze', 'unfreeze?amount=5', 'withdraw', 'cancel-unfreeze', 'care', 'care/off'];
  return Object.fromEntries(acts.map((act) => [`stake-${act.replaceAll(/\W/g, '-')}`, `${path}/${act}`]));
}

/** With one deposit that waits for nothing but an operator's wish. */
async function depositPages(world: OrderWorld, userId: string): Promise<Record<string, string>> {
  await world.untilRow(`select 1 from followed_blocks where subscriber = 'deposits'`);
  await world.app.app.get(DepositAddresses).of(userId);
  const [top, path] = ['/panel/top-up', '/panel/operator/deposits'];
  return {
    'top-up': top,
    deposits: path,
    'deposits-none': `${path}?state=dropped`,
    'deposit-rate': `${path}/rate`,
    'set-rate': `${path}/rate?rate=3.15`,
    'credit-deposit': `${path}/${await insertSmallDeposit(world, userId)}/credit`,
  };
}

/** Returns its id. */
async function findShortage(world: OrderWorld): Promise<string> {
  const [order] = await world.query('select id from delegations limit 1');
  const about = { type: 'delegation', id: String(order!['id']) } as const;
  const shortage = finding('shortage', { shortage_sun: '7000000', stake_sun: '6867972225' }, about, 7_000_000n);
  const seen = await world.app.app.get(FindingRepository).seen(shortage);
  if (seen) return seen.id.toString();
  const [known] = await world.query(`select id from findings where kind = 'shortage'`);
  return String(known!['id']);
}
