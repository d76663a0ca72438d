import type { Page } from 'playwright-core';
import { LedgerService } from '../../../src/balance/ledger.service';
import { statement } from '../../../src/database/statement';
import { describeInChromium, PanelBrowser, seriousFindings, signIn, type Watched } from '../../support/panel-browser';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

describeInChromium('forms of the panel, in Chromium', () => {
  let service: TestApp;
  let browser: PanelBrowser;
  let user: PanelUserLogin;
  let operator: PanelUserLogin;

  beforeAll(async () => {
    [service, browser] = await Promise.all([createTestApp({ backgroundWork: false }), PanelBrowser.open()]);
    user = await insertPanelUser(service, { email: 'ann@example.com', balance: 10 });
    operator = await insertPanelUser(service, { email: 'olga@example.com', operator: true });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const at = (path: string) => `${service.url}${path}`;
  const heading = (page: Page) => page.locator('h1').innerText();
  const focused = (page: Page) => page.locator(':focus').getAttribute('id');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

  async function signedIn(login: PanelUserLogin, options?: Parameters<PanelBrowser['page']>[0]): Promise<Watched> {
    const visitor = await browser.page(options);
    await signIn(visitor.page, service.url, login.email, login.password);
    return visitor;
  }

  async function submitToken(page: Page, name: string, permission?: string): Promise<void> {
    await page.goto(at('/panel/tokens/new'));
    await field(page, 'Name').fill(name);
    if (permission) await page.getByRole('checkbox', { name: permission }).check();
    await button(page, 'Save').click();
    await page.waitForLoadState();
  }

  const tokensOf = async ({ id }: PanelUserLogin) =>
    (await service.sql.row(
      statement<[userId: string], { count: number }>(
        'test_count_tokens',
        'select count(*)::integer as count from api_tokens where user_id = $1',
      ),
      [id],
    ))!.count;

  it('lead to the wrong field with the keyboard, where what is wrong is read out', async () => {
    const { page } = await signedIn(user);
    await submitToken(page, '   ', 'balance');
    expect(await page.title()).toMatch(/^Not done: New token/);
    expect(await focused(page)).toBe('field-name');
    const described = await page.locator('#field-name').getAttribute('aria-describedby');
    expect(described!.split(' ')).toContain(await page.getByRole('alert').getAttribute('id'));
    expect(await seriousFindings(page)).toEqual([]);
    await submitToken(page, 'till');
    expect(await focused(page)).toMatch(/^field-permissions-/);
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('and menus are not on paper, where ids are whole and no time is counted from now', async () => {
    const { page } = await signedIn(user);
    await page.goto(at('/panel/balance'));
    await page.emulateMedia({ media: 'print' });
    for (const gone of ['.top', '.menu', 'main form', 'main button'])
      for (const part of await page.locator(gone).all()) expect([gone, await part.isVisible()]).toEqual([gone, false]);
    const time = page.locator('time').first();
    const shown = await time.evaluate((node) => [
      getComputedStyle(node).fontSize,
      getComputedStyle(node, '::after').content,
    ]);
    expect(shown).toEqual(['0px', expect.stringMatching(/^"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"$/)]);
  });

  it('and a page of a longer list says on paper, and nowhere else, which rows it has and of which days', async () => {
    const reader = await insertPanelUser(service, { email: 'paper@example.com' });
    const ledger = service.app.get(LedgerService);
    for (let n = 0; n < 51; n += 1) await ledger.credit({ userId: reader.id, amountSun: 1_000_000n, note: '' });
    await service.sql.execute({
      name: '',
      text: `update users set time_zone = 'Asia/Tokyo' where email = '${reader.email}'`,
    });
    const { page } = await signedIn(reader);
    await page.goto(at('/panel/balance?days=7'));
    const paper = async () => {
      const notes = page.locator('.on-paper');
      await page.emulateMedia({ media: 'screen' });
      for (const note of await notes.all()) expect(await note.isVisible()).toBe(false);
      await page.emulateMedia({ media: 'print' });
      for (const note of await notes.all()) expect(await note.isVisible()).toBe(true);
      const texts = await notes.allInnerTexts();
      await page.emulateMedia({ media: 'screen' });
      return texts;
    };
    const days = expect.stringMatching(/^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(Asia\/Tokyo\)$/) as string;
    expect(await paper()).toEqual([days, 'Rows 1–50 of a longer list. The CSV has all of them.']);
    await page.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL(/ledger-row=51/);
    expect(await paper()).toEqual([days, 'Rows 51–51 of a longer list. The CSV has all of them.']);
    // A link of before, without the number.
    await page.goto(
      page
        .url()
        .replace(/&ledger-row=51/, '')
        .replace('days=7', 'lang=zh'),
    );
    expect(await paper()).toEqual(['此处为列表的 1 行，列表不止这些。 CSV 含全部行。']);
    await page.goto(at('/panel/balance?lang=en'));
    expect(await paper()).toEqual(['Rows 1–50 of a longer list. The CSV has all of them.']);
    await page.goto(at('/panel/orders'));
    expect(await paper()).toEqual([]);
  });

  it('and numbers stand under each other in the cards of a phone', async () => {
    const { page } = await signedIn(user, { viewport: { width: 360, height: 740 } });
    await page.goto(at('/panel/balance'));
    const aligned = await page
      .locator('tbody td')
      .evaluateAll((cells) => cells.map((cell) => [cell.className, getComputedStyle(cell).textAlign]));
    expect(aligned.some(([name]) => name === 'number')).toBe(true);
    for (const [name, align] of aligned) expect([name, align]).toEqual([name, 'left']);
  });

  it('and the pages that answer them with a secret or an error have no serious finding of axe-core', async () => {
    const { page, complaints } = await signedIn(operator);
    const findings: string[] = [];
    const look = async (title: string) => {
      expect(await heading(page)).toBe(title);
      findings.push(...(await seriousFindings(page)));
    };
    await submitToken(page, 'till', 'balance');
    await look('Token created');
    await page.goto(at(`/panel/operator/users/${user.id}/access`));
    await button(page, 'Create sign-in link').click();
    await page.locator('#link').waitFor();
    await look('Sign-in link');
    const link = await page.locator('#link').innerText();
    // As somebody does who wonders whether it was copied: no form is sent again, and the link below still works.
    await page.reload();
    await look('Sign-in link');
    expect(await page.locator('main').innerText()).toContain('You see a link only once.');
    await page.goto(at(`/panel/operator/users/${user.id}/subscriptions`));
    await field(page, 'Transactions').fill('0');
    await field(page, 'Days').fill('1');
    await button(page, 'Add a subscription').click();
    await page.getByRole('alert').waitFor();
    expect(await focused(page)).toBe('field-transactions');
    await look(user.email);
    const guest = (await browser.page()).page;
    for (const [path, title] of [
      [link, 'Set your password'],
      [at('/panel/invitation?key=none'), 'This link is no longer valid'],
    ] as const) {
      await guest.goto(path);
      expect(await heading(guest)).toBe(title);
      findings.push(...(await seriousFindings(guest)));
    }
    await guest.goto(link);
    await field(guest, 'New password').fill('twelve characters');
    await field(guest, 'New password, again').fill('twelve others');
    await guest.locator('main button[type=submit]').click();
    await guest.getByRole('alert').waitFor();
    expect(await focused(guest)).toBe('field-again');
    findings.push(...(await seriousFindings(guest)));
    expect(findings).toEqual([]);
    expect(complaints().filter((text) => !/status of 4(?:22|04)/.test(text))).toEqual([]);
  });

  it('take what is pasted whole, blanks around it included', async () => {
    const { page } = await signedIn(operator);
    await page.goto(at('/panel/operator/orders'));
    await page.locator('details.filters > summary').click();
    const [address, txid] = ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'ab'.repeat(32)];
    for (const [label, text] of [
      ['Receiver', `  \t${address} `],
      ['Transaction id', `   ${txid}  `],
    ] as const) {
      await field(page, label).focus();
      await page.keyboard.insertText(text);
    }
    await button(page, 'Filter').click();
    await page.getByText('No order matches.').waitFor();
    expect(await field(page, 'Receiver').inputValue()).toBe(address);
    expect(await field(page, 'Transaction id').inputValue()).toBe(txid);
  });

  it('say that the value was copied, or select it where the browser does not let them', async () => {
    const { page } = await signedIn(user);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await submitToken(page, 'copied', 'balance');
    const status = page.locator('main [aria-live=polite]');
    expect(await status.innerText()).toBe('');
    await button(page, 'Copy').click();
    await button(page, 'Copied').waitFor();
    expect(await status.textContent()).toBe('Copied');
    await submitToken(page, 'refused', 'balance');
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
                         document.execCommand = () => false`);
    await button(page, 'Copy').click();
    await status.getByText('copy it by hand').waitFor();
    expect(await page.evaluate<string>('getSelection().toString()')).toBe(await page.locator('#token').innerText());
  });

  it('are sent once by a double click, and can be sent again when no answer came', async () => {
    const { page } = await signedIn(user);
    await page.clock.install();
    await page.goto(at('/panel/tokens/new'));
    await field(page, 'Name').fill('hanging');
    await page.getByRole('checkbox', { name: 'balance' }).check();
    await page.evaluate(`window.sent = [];
      document.addEventListener('submit', (event) => {
        window.sent.push(!event.defaultPrevented);
        event.preventDefault();
      })`);
    const press = () => button(page, 'Save').click();
    await press();
    await press();
    expect(await page.evaluate('window.sent')).toEqual([true, false]);
    await page.clock.fastForward(11_000);
    await press();
    expect(await page.evaluate('window.sent')).toEqual([true, false, true]);
  });

  it('do nothing without the token of a page of ours, or from another site', async () => {
    const { page } = await signedIn(user);
    const before = await tokensOf(user);
    await page.goto(at('/panel/tokens/new'));
    await page.evaluate(`for (const field of document.getElementsByName('_csrf')) field.value = 'guessed'`);
    await field(page, 'Name').fill('forged <name>');
    await page.getByRole('checkbox', { name: 'balance' }).check();
    await button(page, 'Save').click();
    await page.getByText('This form has expired').waitFor();
    expect(await page.locator('main').innerText()).toContain('forged <name>');
    expect(await seriousFindings(page)).toEqual([]);
    const form = `<form method="post" action="${at('/panel/tokens/new')}"><input name="name" value="x">
                  <input name="permissions" value="balance"><button>Win</button></form>`;
    await page.route('http://evil.example/', (route) => route.fulfill({ contentType: 'text/html', body: form }));
    await page.goto('http://evil.example/');
    await page.getByRole('button', { name: 'Win' }).click();
    await page.getByRole('heading', { name: 'This form came from another site' }).waitFor();
    expect(await tokensOf(user)).toBe(before);
  });

  it('and pages of others are not there', async () => {
    const mine = await signedIn(operator);
    await submitToken(mine.page, 'of the operator', 'balance');
    await mine.page.goto(at('/panel/tokens'));
    const href = await mine.page.getByRole('link', { name: 'of the operator' }).getAttribute('href');
    const { page } = await signedIn(user);
    for (const path of [href!, `${href!}/revoke`, '/panel/operator', `/panel/operator/users/${operator.id}`]) {
      expect((await page.goto(at(path)))!.status()).toBe(404);
      expect(await heading(page)).toBe('Page not found');
    }
    expect(await page.getByRole('link', { name: 'Overview' }).count()).toBe(0);
  });

  it('stop a guesser of passwords, and keep the address', async () => {
    const { page } = await browser.page();
    await page.goto(at('/panel/sign-in'));
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      if (attempt <= 5) await page.locator('input[type=email]').fill('guessed@example.com');
      await page.locator('input[type=password]').fill(`guess ${attempt}`);
      await page.locator('main button[type=submit]').click();
      await page.waitForLoadState();
      if (attempt === 5) expect(await focused(page)).toBe('field-password');
    }
    await page.getByRole('heading', { name: 'Too many attempts' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('guessed@example.com');
    expect(await seriousFindings(page)).toEqual([]);
  });

  it('move money, end and disable after a confirmation, without JavaScript too', async () => {
    const { page } = await signedIn(operator, { javaScriptEnabled: false });
    const payer = await insertPanelUser(service, { balance: 10 });
    await page.goto(at(`/panel/operator/users/${payer.id}/money`));
    await field(page, 'Amount, TRX').fill('2.5');
    await field(page, 'Reason').fill('refund');
    await field(page, 'Reason').press('Enter');
    // The browser itself asks for credit or debit.
    expect(await heading(page)).toBe(payer.email);
    await page.getByRole('radio', { name: 'Debit' }).check();
    await field(page, 'Reason').press('Enter');
    await page.getByRole('heading', { name: 'Debit this user?' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('7.500000');
    await button(page, 'Change').click();
    expect(await field(page, 'Amount, TRX').inputValue()).toBe('2.5');
    await button(page, 'Continue').click();
    await button(page, 'Debit 2.500000 TRX').click();
    expect(await page.getByRole('status').innerText()).toContain('The balance is now 7.500000 TRX.');
    await page.getByRole('link', { name: 'Access' }).click();
    await button(page, 'Disable').click();
    expect(await heading(page)).toBe('Disable this user?');
    await button(page, 'Disable').click();
    expect(await page.getByRole('status').innerText()).toBe('The user was disabled.');
  });
});
