import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const ROOT = join(__dirname, '..', '..');
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Watched {
  readonly page: Page;
  /** Console errors, uncaught errors and violations of the Content-Security-Policy since the last look. */
  readonly complaints: () => string[];
}

const EXECUTABLE = ensureChromium();

/** Found, or installed where that is possible; null where neither is. */
function ensureChromium(): string | null {
  const script = join(ROOT, 'scripts', 'ensure-chromium.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return status === 0 ? stdout.trim() : null;
}

/** On a machine without a browser these tests are left out, and the script above has said so; in CI that is a failure. */
export const describeInChromium = EXECUTABLE !== null || process.env['CI'] ? describe : describe.skip;

/** A real Chromium, with a profile of its own. */
export class PanelBrowser {
  private constructor(private readonly browser: Browser) {}

  static async open(): Promise<PanelBrowser> {
    if (EXECUTABLE === null) throw new Error('Chromium is missing, and it could not be installed');
    return new PanelBrowser(await chromium.launch({ executablePath: EXECUTABLE, headless: true, args: FLAGS }));
  }

  async page(options: BrowserContextOptions = {}): Promise<Watched> {
    const context = await this.browser.newContext({
      locale: 'en-GB',
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.setDefaultTimeout(120_000);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
    await page.exposeFunction('reportViolation', (text: string) => complaints.push(`${page.url()}: ${text}`));
    await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
      window.reportViolation('CSP ' + event.violatedDirective + ' ' + event.blockedURI))`);
    return { page, complaints: () => complaints.splice(0) };
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export interface AxeOptions {
  /** Looks for these rules alone. */
  readonly rules?: readonly string[];
  /** Selectors of what was looked at before. */
  readonly exclude?: readonly string[];
}

/** What axe-core calls serious or critical, one line each. */
export async function seriousFindings(page: Page, { rules, exclude = [] }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  const context = { exclude: exclude.map((selector) => [selector]) };
  const violations: string[] = await page.evaluate(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) => violations
       .filter(({ impact }) => impact === 'serious' || impact === 'critical')
       .map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`,
  );
  return violations.map((violation) => `${page.url()}: ${violation}`);
}

export async function signIn(
  page: Page,
  baseUrl: string,
  email: string,
  password: string,
  arrived: (url: URL) => boolean = ({ pathname }) => !pathname.endsWith('/sign-in'),
): Promise<void> {
  await page.goto(`${baseUrl}/panel/sign-in`);
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('main button[type=submit]').click();
  await page.waitForURL(arrived);
}
