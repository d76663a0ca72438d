import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LANGUAGE_CODES, type Language } from '../../config/languages';
import { LANGUAGES } from '../../src/languages/languages';
import { MailDispatcher } from '../../src/mail/mail-dispatcher';
import type { MailKind } from '../../src/mail/mail-outbox';
import { CATALOGUES } from '../../src/panel/messages/catalogues';
import { MailServer } from '../support/mail-server';
import { OrderWorld } from '../support/order-world';
import { describeInChromium, PanelBrowser, signIn, type Watched } from '../support/panel-browser';
import { insertPanelUser } from '../support/panel-user';
import { until } from '../support/until';
import { SIGNED, untilSigned } from './receipts/shared-order';

const SITE_NAME = 'Volt & Co';
const TOP_UP_TEXT = 'Send TRX to T123 & name your e-mail address.';
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', zh: 'zh-CN' };
const FIRST_PASSWORD = 'four unrelated words of theirs';
const SECOND_PASSWORD = 'four other words after that';
const run = promisify(execFile);

/** The whole way of a customer, each step by what the page before it shows. */
describeInChromium('from a stranger to a paying customer, in Chromium', () => {
  let mail: MailServer;
  let world: OrderWorld;
  let browser: PanelBrowser;
  let operator: Watched;
  beforeAll(async () => {
    mail = await MailServer.open();
    const env = { SIGN_UP: 'approval', SMTP_URL: mail.url, MAIL_FROM: 'energy@example.com', SITE_NAME, TOP_UP_TEXT };
    [world, browser] = await Promise.all([
      OrderWorld.open({ ...SIGNED, env: { ...SIGNED.env, ...env } }),
      PanelBrowser.open(),
    ]);
    await untilSigned(world);
    const { email, password } = await insertPanelUser(world.app, { email: 'olga@example.com', operator: true });
    operator = await browser.page();
    await signIn(operator.page, world.app.url, email, password);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    await mail?.close();
  });

  describe.each(LANGUAGE_CODES)('in %s', (language) => {
    const site = LANGUAGES[language].site;
    const panel = CATALOGUES[language];
    const email = `shop-${language}@shop.example`;
    const newEmail = `office-${language}@shop.example`;
    let stranger: Watched;
    let token: string;
    let call: string;
    let orderId: string;
    beforeAll(async () => {
      stranger = await browser.page({ locale: LOCALES[language] });
      await stranger.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    });
    afterEach(() => expect([...stranger.complaints(), ...operator.complaints()]).toEqual([]));

    /** Where the link of this mail leads, once the mail server has it. */
    async function mailedLink(kind: MailKind, address: string): Promise<string> {
      const write = LANGUAGES[language].mails[kind] as (
        name: string,
        facts: object,
        contact: string,
      ) => { subject: string };
      const { subject } = write(SITE_NAME, { email: newEmail }, 'energy@example.com');
      const { text } = await until(`"${subject}" to ${address}`, async () => {
        await world.app.app.get(MailDispatcher).sendDue();
        return mail.to(address).find(({ head }) => head.includes(`Subject: ${subject}`));
      });
      expect(text).toContain(`${site.documents}: ${world.app.url}/docs/${language}`);
      return new RegExp(`${world.app.url}/[^\\s"<]*`).exec(text)![0];
    }
    const press = (name: string) => stranger.page.getByRole('button', { name, exact: true }).click();
    const follow = (name: string) => stranger.page.getByRole('link', { name, exact: true }).first().click();
    async function choosePassword(password: string, label: string, again: string): Promise<void> {
      await stranger.page.getByLabel(label, { exact: true }).fill(password);
      await stranger.page.getByLabel(again, { exact: true }).fill(password);
    }
    async function signInAgain(password: string): Promise<void> {
      await stranger.page.locator('input[name=email]').fill(email);
      await stranger.page.locator('input[name=password]').fill(password);
      await press(panel.signIn.submit);
      await stranger.page.waitForURL('**/panel/home');
    }

    it('a stranger signs up from the first page and confirms the address', async () => {
      const { page } = stranger;
      await page.goto(world.app.url);
      expect(await page.title()).toBe(SITE_NAME);
      await follow(site.signUp);
      await page.waitForURL('**/panel/sign-up');
      await page.getByLabel(panel.signUp.name, { exact: true }).fill('Shop');
      await page.getByLabel(panel.signUp.email, { exact: true }).fill(email);
      await choosePassword(FIRST_PASSWORD, panel.signIn.password, panel.signIn.passwordAgain);
      await press(panel.signUp.submit);
      await page.waitForURL('**/panel/sign-up/sent');
      await page.goto(await mailedLink('sign_up', email));
      await press(panel.signUp.confirm);
      await page.waitForURL('**/panel/sign-up/waiting');
    });

    it('an operator opens the account with one click', async () => {
      const { page } = operator;
      const texts = CATALOGUES.en.signUps;
      await page.goto(`${world.app.url}/panel/operator`);
      await page.getByRole('link', { name: texts.waiting(1) }).click();
      await page.getByRole('button', { name: texts.approveOne(email) }).click();
      expect(await page.getByRole('status').innerText()).toBe(texts.approved(email));
    });

    it('the customer signs in by the mail, and finds three steps and the documents', async () => {
      const { page } = stranger;
      await page.goto(await mailedLink('approved', email));
      await signInAgain(FIRST_PASSWORD);
      const steps = await page.locator('.checklist li').allInnerTexts();
      expect(steps).toHaveLength(3);
      expect(steps[1]).toContain(TOP_UP_TEXT);
      await follow(panel.layout.documents);
      await page.waitForURL(`**/docs/${language}`);
      await page.locator(`nav.pages a[href="/docs/${language}/first-order"]`).click();
      await page.waitForURL('**/first-order');
      expect(await page.locator('main').innerText()).toContain(`export SERVICE_URL=${world.app.url}`);
    });

    it('makes a token, and copies the call of a first order', async () => {
      const { page } = stranger;
      await page.goto(`${world.app.url}/panel`);
      await press(panel.firstRun.steps.token);
      await page.getByLabel(panel.token.name, { exact: true }).fill('shop');
      for (const permission of ['delegate', 'balance']) {
        await page.getByRole('checkbox', { name: permission, exact: true }).check();
      }
      await press(panel.token.save);
      token = await page.locator('#token').innerText();
      await page.locator('button[data-copies=first-order]').click();
      await page.getByRole('button', { name: panel.tryIt.copied, exact: true }).waitFor();
      call = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(call).toContain(`curl ${world.app.url}/api/chain/delegate-resource`);
    });

    it('an operator books one credit', async () => {
      const { page } = operator;
      const texts = CATALOGUES.en.user;
      const [user] = await world.query('select id from users where email = $1', [email]);
      await page.goto(`${world.app.url}/panel/operator/users/${user!['id'] as string}/money`);
      await page.getByRole('radio', { name: texts.credit, exact: true }).check();
      await page.getByLabel(texts.amount, { exact: true }).fill('50');
      await page.getByLabel(texts.reason, { exact: true }).fill('a start');
      await page.getByRole('button', { name: texts.goOn, exact: true }).click();
      await page.getByRole('button', { name: texts.moveNow.credit('50.000000') }).click();
      expect(await page.getByRole('status').innerText()).toBe(texts.moved('50.000000'));
    });

    it('the customer orders by the copied call, with nothing but token and address put in', async () => {
      const address = await world.receiver();
      const command = call.replace(panel.firstRun.yourReceiver, address);
      const env = { PATH: process.env['PATH'], TOKEN: token };
      const ordering = run('sh', ['-c', command], { env, timeout: 120_000 });
      // An answer before any block is a refusal.
      const refused = ordering.then(({ stdout }) => Promise.reject(new Error(stdout)));
      await Promise.race([world.untilPending(), refused]);
      await world.control('block');
      expect(JSON.parse((await ordering).stdout)).toMatchObject({ success: true });
      const [order] = await world.query('select id from delegations where receiver = $1', [address]);
      orderId = order!['id'] as string;
      await world.control('block', { count: 20 });
      await world.untilState(orderId, 'delegated');
      expect(await world.energyOf(address)).toBeGreaterThanOrEqual(65_000);
    });

    it('shares the receipt, which another browser verifies', async () => {
      const { page } = stranger;
      await page.goto(`${world.app.url}/panel`);
      expect(await page.locator('.checklist').count()).toBe(0);
      await follow(panel.layout.orders);
      await page.locator('tbody th a').first().click();
      await press(panel.order.share);
      const receipt = await page.locator('#shared-receipt').innerText();
      const reader = await browser.page({ locale: LOCALES[language] });
      await reader.page.goto(receipt);
      const verdict = await reader.page.locator('#verdict[data-state=proved]').innerText();
      expect(verdict).toBe(site.receipt.proved('19'));
      expect(await reader.page.content()).not.toContain(email);
      expect(reader.complaints()).toEqual([]);
    });

    it('forgets the password, and sets another by a link', async () => {
      const { page } = stranger;
      await press(panel.layout.signOut);
      await page.waitForURL('**/panel/sign-in');
      await follow(panel.signUp.forgotLink);
      await page.getByLabel(panel.signUp.email, { exact: true }).fill(email);
      await press(panel.signUp.forgotSubmit);
      await page.waitForURL('**/panel/forgot/sent');
      await page.goto(await mailedLink('password_reset', email));
      await choosePassword(SECOND_PASSWORD, panel.signIn.newPassword, panel.signIn.again);
      await press(panel.signIn.setPassword);
      await page.waitForURL('**/panel/home');
      await mailedLink('password_changed', email);
    });

    it('changes the address, by a link to the new one, which then signs in', async () => {
      const { page } = stranger;
      await follow(panel.layout.account);
      await page.getByLabel(panel.signUp.newEmail, { exact: true }).fill(newEmail);
      await press(panel.signUp.newEmailSubmit);
      await page.getByRole('status').waitFor();
      await page.goto(await mailedLink('email_confirm', newEmail));
      await press(panel.signUp.confirm);
      await page.waitForURL('**/panel/email/changed');
      await mailedLink('email_changed', email);
      const other = await browser.page({ locale: LOCALES[language] });
      await signIn(other.page, world.app.url, newEmail, SECOND_PASSWORD);
      expect(await other.page.locator('.who').innerText()).toBe(newEmail);
      expect(other.complaints()).toEqual([]);
    });
  });
});
