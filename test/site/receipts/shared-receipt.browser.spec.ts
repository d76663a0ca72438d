import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { readSignedHeader } from '../../../src/chain/proof/header-fields';
import { OrderWorld } from '../../support/order-world';
import { describeInChromium, PanelBrowser, seriousFindings } from '../../support/panel-browser';
import { finalOrder, share, type SharedOrder, SIGNED, untilSigned } from './shared-order';

interface Receipt {
  data: {
    stake: number;
    branch: { hash: string }[];
    header: { signature: string };
    block_number: number;
    following: { bytes: string; signature: string }[];
    witnesses: { address: string; isJobs: boolean; signing_address: string }[];
  };
}

/** The same with its last bit turned. */
const flipped = (hex: string) => hex.slice(0, -1) + (Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16);

describeInChromium('a shared receipt, in the browser of its reader', () => {
  let world: OrderWorld;
  let browser: PanelBrowser;
  let order: SharedOrder;
  let url: string;
  let folder: string;
  beforeAll(async () => {
    [world, browser] = await Promise.all([OrderWorld.open(SIGNED), PanelBrowser.open()]);
    folder = mkdtempSync(join(tmpdir(), 'witnesses-'));
    await untilSigned(world);
    order = await finalOrder(world, 'ann@example.com');
    url = `${world.app.url}${await share(order)}`;
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
    rmSync(folder, { recursive: true });
  });

  const verdictOf = (page: Page, state: 'proved' | 'failed') =>
    page.locator(`#verdict[data-state=${state}]`).innerText();
  const receipt = async () => (await (await fetch(`${url}/receipt.json`)).json()) as Receipt;

  /** The reader gets this file in the place of the one that the service has. */
  async function openWith(change: (text: string, read: Receipt) => string): Promise<Page> {
    const { page } = await browser.page();
    await page.route('**/receipt.json', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      await route.fulfill({ response, body: change(text, JSON.parse(text) as Receipt) });
    });
    await page.goto(url);
    return page;
  }

  it.each([
    ['en-GB', '19 witnesses have built on the block'],
    ['zh-CN', '19 个见证人在此次委托的区块之上出块'],
  ])('in %s is verified there, from this service alone, under its policy', async (locale, text) => {
    const { page, complaints } = await browser.page({ locale });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(url);
    expect(await verdictOf(page, 'proved')).toContain(text);
    expect(asked.filter((one) => !one.startsWith(world.app.url))).toEqual([]);
    expect(asked.filter((one) => one.endsWith('.mjs')).length).toBeGreaterThan(5);
    expect(await page.context().cookies()).toEqual([]);
    expect(complaints()).toEqual([]);
  });

  it.each<[string, (text: string, read: Receipt) => string, string]>([
    [
      'the signature of the block',
      (text, { data }) =>
        text.replace(data.header.signature.slice(0, 128), flipped(data.header.signature.slice(0, 128))),
      'not-signed',
    ],
    [
      'the signature of a block above it',
      (text, { data: { following } }) =>
        text.replace(following[7]!.signature.slice(0, 128), flipped(following[7]!.signature.slice(0, 128))),
      'not-signed',
    ],
    [
      'the branch',
      (text, { data: { branch } }) =>
        branch.length > 0
          ? text.replace(branch[0]!.hash, flipped(branch[0]!.hash))
          : text.replace('"branch":[]', `"branch":[{"side":"left","hash":"${'0'.repeat(64)}"}]`),
      'not-in-block',
    ],
    [
      'the amount',
      (text, { data }) => text.replace(`"stake":${data.stake}`, `"stake":1${data.stake}`),
      'otherwise-proved',
    ],
    [
      'a witness',
      (text, { data: { witnesses } }) => text.replaceAll(witnesses[0]!.address, flipped(witnesses[0]!.address)),
      'other-witnesses',
    ],
  ])('is shown as not verified with one bit changed of %s', async (_, change, code) => {
    const page = await openWith((text, read) => {
      const changed = change(text, read);
      expect(changed).not.toBe(text);
      return changed;
    });
    const verdict = await verdictOf(page, 'failed');
    expect(verdict).toContain('Not verified.');
    expect(verdict).toContain(code);
    expect(await page.locator('#verdict[data-state=proved]').count()).toBe(0);
  });

  it.each<[string, RegExp, string]>([
    ['another amount', /(data-proved="stake">)/, '$11'],
    ['another receiver', /(data-proved="receiver_address">T)./, '$1x'],
    ['nothing to compare', /data-proved="/g, 'data-shown="'],
  ])('is shown as not verified by a page that shows %s', async (_, what, instead) => {
    const { page } = await browser.page();
    await page.route(url, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(what, instead) });
    });
    await page.goto(url);
    expect(await verdictOf(page, 'failed')).toContain('what this page shows');
  });

  it('is shown as not verified when its file does not come', async () => {
    const { page } = await browser.page();
    await page.route('**/receipt.json', (route) => route.abort());
    await page.goto(url);
    expect(await verdictOf(page, 'failed')).toContain('could not be read');
  });

  it('says which witnesses it trusted, and takes a file of its reader instead', async () => {
    const { data } = await receipt();
    const { page } = await browser.page();
    await page.goto(url);
    await verdictOf(page, 'proved');
    await page.locator('.witnesses summary').click();
    expect(await page.locator('[data-witness]').count()).toBe(27);
    const choose = async (...files: [name: string, file: object][]) => {
      for (const [name, file] of files) writeFileSync(join(folder, name), JSON.stringify(file));
      await page.locator('#own-witnesses').setInputFiles(files.map(([name]) => join(folder, name)));
    };
    await choose(['few.json', { witnesses: data.witnesses.slice(3) }]);
    expect(await verdictOf(page, 'failed')).toContain('other-witnesses');
    await choose(['own.json', { witnesses: data.witnesses }]);
    expect(await verdictOf(page, 'proved')).toContain('with your own file');
    for (const broken of [[], { witnesses: data.witnesses.map(({ address }) => ({ address, isJobs: true })) }]) {
      await choose(['broken.json', broken]);
      expect(await verdictOf(page, 'failed')).toContain('broken.json is not a list of witnesses');
      await choose(['own.json', { witnesses: data.witnesses }]);
      expect(await verdictOf(page, 'proved')).toContain('with your own file');
    }
  });

  it('takes the files of two sets, where a witness renewed its key between the blocks', async () => {
    const { data } = await receipt();
    const { page } = await browser.page();
    await page.goto(url);
    await verdictOf(page, 'proved');
    await page.locator('.witnesses summary').click();
    const [first, ...rest] = data.witnesses;
    const renewed = { ...first!, signing_address: flipped(first!.signing_address) };
    const files = { before: { witnesses: [renewed, ...rest] }, after: { witnesses: data.witnesses } };
    const choose = async (...names: (keyof typeof files)[]) => {
      for (const name of names) writeFileSync(join(folder, name), JSON.stringify(files[name]));
      await page.locator('#own-witnesses').setInputFiles(names.map((name) => join(folder, name)));
    };
    await choose('before');
    expect(await verdictOf(page, 'failed')).toContain('Not verified.');
    await choose('before', 'after');
    expect(await verdictOf(page, 'proved')).toContain('with your own file');
  });

  describe('where a witness renewed its key between the blocks', () => {
    const run = (text: string) => world.app.sql.execute({ name: '', text });
    /** The set by which the block became final, with another key of the one that signed the seventh block above. */
    beforeAll(async () => {
      const { data } = await receipt();
      const bytes = Buffer.from(data.following[6]!.bytes, 'hex');
      const { witness, signer } = readSignedHeader({
        bytes,
        signature: Buffer.from(data.following[6]!.signature, 'hex'),
      })!;
      const [joined, gone] = [signer!, flipped(signer!)].map((key) =>
        JSON.stringify({ address: witness, signing_address: key }),
      );
      const before = data.witnesses.map(({ address, signing_address: key }) => ({
        address,
        signing_address: address === witness ? flipped(key) : key,
      }));
      await run(`update receipt_witnesses set witnesses = '${JSON.stringify(before)}'`);
      changes = `insert into witness_changes (number, time_ms, joined, gone)
        values (${data.block_number + 40}, 0, '${joined}', '${gone}')`;
      after = async () => {
        await run('delete from witness_changes');
        await run(
          `update receipt_witnesses set witnesses = '${JSON.stringify(
            data.witnesses.map(({ address, signing_address }) => ({ address, signing_address })),
          )}'`,
        );
      };
    });
    afterAll(() => after());
    let changes: string;
    let after = () => Promise.resolve();

    it('is verified by both sets, which the page lists, once the service has seen the change', async () => {
      const { page } = await browser.page();
      await page.goto(url);
      expect(await verdictOf(page, 'failed')).toContain('choose the files of both sets below');
      await run(changes);
      await page.reload();
      expect(await verdictOf(page, 'proved')).toContain('19 witnesses have built on the block');
      await page.locator('.witnesses summary').click();
      expect(await page.locator('[data-witnesses]').count()).toBe(2);
      expect(await page.locator('main').innerText()).toContain('The witnesses changed between the blocks');
    });

    it('is shown as not verified with one bit changed of the renewed witness’s signature', async () => {
      const page = await openWith((text, { data: { following } }) =>
        text.replace(following[6]!.signature.slice(0, 128), flipped(following[6]!.signature.slice(0, 128))),
      );
      expect(await verdictOf(page, 'failed')).toContain('not-signed');
    });
  });

  it('without JavaScript says that nothing was verified, and how to do it off-line', async () => {
    const { page } = await browser.page({ javaScriptEnabled: false });
    await page.goto(url);
    const text = await page.locator('main').innerText();
    expect(text).toContain('Nothing has been verified here yet.');
    expect(text).toContain('JavaScript is off in this browser, so nothing was verified here.');
    expect(await page.locator('#verdict[data-state]').count()).toBe(0);
    expect(await page.locator('#own-witnesses').isVisible()).toBe(false);
    await page.locator('#verdict a').click();
    expect(await page.locator('main').innerText()).toContain('verify_receipt.py');
  });

  it.each(['light', 'dark'] as const)(
    'has no serious finding of axe-core on a phone, %s, nor scrolls sideways',
    async (colorScheme) => {
      const { page } = await browser.page({ colorScheme, viewport: { width: 360, height: 740 } });
      await page.goto(url);
      await verdictOf(page, 'proved');
      await page.locator('.witnesses summary').click();
      expect(await seriousFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    },
  );

  it('prints on one page, with the result, the address, whose signatures count and how to check them', async () => {
    const { page } = await browser.page();
    await page.goto(url);
    await verdictOf(page, 'proved');
    expect(await page.locator('main').innerText()).not.toContain('/docs/en/receipts');
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page(?!s)/g)).toHaveLength(1);
    await page.emulateMedia({ media: 'print' });
    const printed = await page.locator('main').innerText();
    expect(printed).toContain('signatures of 27 witnesses');
    expect(printed).toContain(`${world.app.url}/docs/en/receipts`);
    expect(printed).toContain('is the word of this service');
    expect(printed).toContain('Verified in your browser');
    expect(printed).toContain(url);
    expect(printed).not.toContain('Download');
  });
});
