import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_CODES } from '../../../config/languages';
import { ERROR_ANSWERS, ERROR_CODES } from '../../../src/common/errors/error-codes';
import { MOST_FREE_ACTIVATIONS } from '../../../src/delegation/placing/free-activations';
import { MOST_FOR_ADDRESS, MOST_FOR_NETWORK } from '../../../src/mail/mail-limits';
import { MOST_OF_NEWCOMERS as MOST_SIZINGS_OF_NEWCOMERS, MOST_SIZINGS } from '../../../src/quote/size-transfer';
import { MOST_OF_NEWCOMER, MOST_OF_NEWCOMERS } from '../../../src/webhooks/webhook.service';
import { PAGE_NAMES } from '../../../src/site/docs/page-names';
import { ServiceChild } from '../../support/service-child';
import { createTestApp, type TestApp } from '../../support/test-app';
import { createTestDatabase } from '../../support/test-database';

const PAGES = join(__dirname, '..', '..', '..', 'docs', 'customers');
const EXAMPLES = join(__dirname, '..', '..', '..', 'examples');
const PUBLIC_URL = 'https://energy.shop.example';

describe('the documents for customers', () => {
  let app: TestApp;
  beforeAll(async () => {
    const env = {
      PUBLIC_URL,
      RATE_LIMIT_PER_MINUTE: '77',
      BILLING_VARIANT: 'B',
      DEFAULT_UNIT_PRICE: '2.25',
      SITE_NAME: 'Volt & <Co>',
      TOP_UP_TEXT: 'Send TRX to <T123> & wait.\nThen name\r\n\r\nyour address.',
    };
    app = await createTestApp({ backgroundWork: false, env });
  });
  afterAll(() => app.close());

  const get = async (path: string, accept?: string, method = 'GET') => {
    const headers = { ...(accept !== undefined && { 'accept-language': accept }) };
    const response = await fetch(`${app.url}${path}`, { headers, method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('are in each language, and nothing lies beside them', () => {
    const wanted = PAGE_NAMES.map((name) => `${name}.md`).toSorted();
    for (const language of LANGUAGE_CODES) expect(readdirSync(join(PAGES, language)).toSorted()).toEqual(wanted);
  });

  const all = LANGUAGE_CODES.flatMap((language) => PAGE_NAMES.map((name) => [language, name] as const));
  it.each(all)('%s/%s is shown whole: each link and anchor leads somewhere', async (language, name) => {
    const { status, headers, text } = await get(`/docs/${language}${name === 'index' ? '' : `/${name}`}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/);
    expect(headers.get('set-cookie')).toBeNull();
    // Marks of markdown that were not understood as such.
    expect(text.replaceAll(/<pre[^]*?<\/pre>/g, '')).not.toMatch(/\{\{|<!-- |%7B|\*\*|\]\(|\|/);
    for (const [, href] of text.matchAll(/ href="([^"]+)"/g)) {
      if (href!.startsWith(`${PUBLIC_URL}/panel`)) expect(href).toMatch(new RegExp(`\\?lang=${language}$`));
      if (href!.startsWith('https://') || href!.startsWith('/panel') || href!.startsWith('/?')) continue;
      const [path = '', anchor] = href!.split('#');
      const led = path === '' ? text : (await get(path)).text;
      expect([href, path === '' || (await get(path)).status]).toEqual([href, path === '' || 200]);
      if (anchor !== undefined) expect(led).toContain(` id="${anchor}"`);
    }
  });

  it('hold what this service is set to, escaped', async () => {
    const [order, keys, topUp] = [
      (await get('/docs/en/first-order')).text,
      (await get('/docs/zh/keys')).text,
      (await get('/docs/en/top-up')).text,
    ];
    expect(order).toContain(`export SERVICE_URL=${PUBLIC_URL}`);
    expect(order).toContain(`<a href="${PUBLIC_URL}/panel?lang=en"`);
    expect(order).toContain('&quot;cost&quot;:2.25}');
    expect(order).toContain('2.25 TRX for each transaction unless your account has a price of its own');
    expect(order).toContain('60 minutes after the delegation');
    expect(order).toContain('within 10 s');
    expect(order).toMatch(/<title>Your first order · Volt &amp; &lt;Co(>|&gt;)<\/title>/);
    expect(keys).toContain('每分钟可调用 77 次');
    expect(topUp).toContain('Send TRX to &lt;T123&gt; &amp; wait.<br>\nThen name<br>\n<br>\nyour address.');
    expect(topUp).not.toContain('Ask the operator');
  });

  it('name the limits of accounts and newcomers by which the service decides, where strangers may sign up', async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'energy@example.com', SIGN_UP: 'open' };
    const open = await createTestApp({ backgroundWork: false, env: { ...mail, PUBLIC_URL } });
    const pageOf = async ({ url }: TestApp, language: string) =>
      (await fetch(`${url}/docs/${language}/account`)).text();
    const [en, zh, closed] = [await pageOf(open, 'en'), await pageOf(open, 'zh'), await pageOf(app, 'en')];
    await open.close();
    const { network } = MOST_OF_NEWCOMERS;
    for (const text of [
      `at most ${MOST_FOR_NETWORK} mails an hour for a network and ${MOST_FOR_ADDRESS} for a\nmailbox`,
      `<td>Webhooks</td>\n<td>${MOST_OF_NEWCOMER}</td>\n<td>${network}</td>`,
      `<td>${MOST_SIZINGS} a minute</td>\n<td>${MOST_SIZINGS_OF_NEWCOMERS.network} a minute</td>`,
      `<td>${MOST_FREE_ACTIVATIONS} in 24 hours, then`,
    ]) {
      expect(en).toContain(text);
    }
    expect(zh).toContain(`每小时最多触发 ${MOST_FOR_NETWORK} 封邮件，同一邮箱每小时最多 ${MOST_FOR_ADDRESS} 封`);
    expect(zh).toContain(`<td>${MOST_OF_NEWCOMER} 个</td>\n<td>${network} 个</td>`);
    expect(closed).not.toMatch(/first top-up<|mails an hour/);
    expect(closed).toContain(`<td>${MOST_FREE_ACTIVATIONS} in 24 hours, then`);
  });

  it('have the examples as they lie in the repository, in five languages', async () => {
    const shown = (await get('/docs/zh/webhooks')).text;
    const files = [
      'curl/verify-webhook.sh',
      'typescript/verify-webhook.ts',
      'python/verify_webhook.py',
      'php/verify-webhook.php',
      'go/verify-webhook/main.go',
    ];
    const plain = (html: string) =>
      html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    for (const file of files) expect(plain(shown)).toContain(readFileSync(join(EXAMPLES, file), 'utf8').trimEnd());
  });

  it.each(LANGUAGE_CODES)(
    'in %s say of each error its status, and what to do, at an anchor of its own',
    async (language) => {
      const { text } = await get(`/docs/${language}/errors`);
      for (const code of ERROR_CODES) {
        const section = text.split(`<h3 id="${code}">`)[1]?.split(/<h[23] /)[0];
        expect([code, section]).toEqual([
          code,
          expect.stringMatching(new RegExp(`^[^]*<p>\\D+ ${ERROR_ANSWERS[code].status}[.。]`)),
        ]);
        expect(section!.match(/<p>/g)!.length).toBeGreaterThan(1);
      }
      for (const { text: sentence } of Object.values(ERROR_ANSWERS)) expect(text).toContain(sentence);
    },
  );

  it('without a language in their path are in the one that the browser accepts, and say so to caches', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/search?q=PAUSED']) {
      const [english, chinese] = [await get(path, 'fr,en;q=0.5'), await get(path, 'zh-CN,zh;q=0.9,en;q=0.8')];
      expect(english.text).toContain('<html lang="en">');
      expect(chinese.text).toContain('<html lang="zh-Hans">');
      expect(english.headers.get('vary')).toBe('Accept-Language');
      expect(english.headers.get('cache-control')).toBe('public, max-age=300');
    }
    const fixed = await get('/docs/zh/errors', 'en');
    expect(fixed.text).toContain('<html lang="zh-Hans">');
    expect(fixed.headers.get('vary')).toBeNull();
  });

  it('answer HEAD as GET, without a body', async () => {
    const head = await get('/docs/en/errors', undefined, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(5_000);
  });

  it.each(['/docs/nothing', '/docs/xx/errors', '/docs/en/nothing', '/docs/xx/search', '/docs/en/__proto__'])(
    'answer %s with a page that says there is none',
    async (path) => {
      const { status, text, headers } = await get(path);
      expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(text).toContain('Page not found');
    },
  );

  describe('are searched without a script', () => {
    const found = async (language: string, query: string) => {
      const { status, text } = await get(`/docs/${language}/search?${new URLSearchParams({ q: query }).toString()}`);
      expect(status).toBe(200);
      return { text, hits: [...text.matchAll(/<li><a href="([^"]+)">/g)].map(([, href]) => href) };
    };

    it.each([
      ['en', 'OUTCOME_UNKNOWN', '/docs/en/errors#OUTCOME_UNKNOWN'],
      ['en', 'outcome_unknown', '/docs/en/errors#OUTCOME_UNKNOWN'],
      ['en', 'whsec_ base64', '/docs/en/webhooks#check-the-signature'],
      ['zh', 'OUTCOME_UNKNOWN', '/docs/zh/errors#OUTCOME_UNKNOWN'],
      ['zh', '更换令牌', '/docs/zh/keys#更换令牌'],
      ['zh', '签名 密钥', '/docs/zh/webhooks#验证签名'],
    ])('in %s: %s leads to %s', async (language, query, path) => {
      expect((await found(language, query)).hits).toContain(path);
    });

    it('first to the section of that name', async () => {
      expect((await found('en', 'PAUSED')).hits[0]).toBe('/docs/en/errors#PAUSED');
    });

    it.each([
      ['nothing', ''],
      ['blanks', '   '],
      ['a word of none', 'zzzqqq'],
      ['a word of many beside it', 'order zzzqqq'],
      ['a script', '<script>alert(1)</script>'],
      ['a tag', '"><b>'],
      ['a zero byte', '\0'],
      ['a long word', '['.repeat(5_000)],
      ['many words', 'a '.repeat(5_000)],
    ])('and a query of %s harms nothing', async (_, query) => {
      const { text } = await found('en', query);
      expect(text).not.toMatch(/<script>|"><b>/);
      expect(text.length).toBeLessThan(40_000);
    });

    it('takes a repeated field for none', async () => {
      const { status, text } = await get('/docs/en/search?q=a&q=b');
      expect([status, text]).toEqual([200, expect.stringContaining('Enter a word')]);
    });
  });
});

describe('with the default settings', () => {
  let app: TestApp;
  beforeAll(async () => (app = await createTestApp({ backgroundWork: false })));
  afterAll(() => app.close());

  it('the documents name the address on which the service listens, variant A, and the operator for payments', async () => {
    const text = async (path: string) => (await fetch(`${app.url}${path}`)).text();
    const order = await text('/docs/en/first-order');
    expect(order).toContain(`export SERVICE_URL=${app.url}`);
    expect(order).toContain('An order costs 3 TRX for each transaction.');
    expect(order).not.toContain('&quot;cost&quot;');
    expect(await text('/docs/en/top-up')).toContain('Ask the operator of this service');
    expect(await text('/docs/en')).toContain('<title>Documentation · Energy</title>');
  });
});

it('the built service brings along the documents, the examples in them and the modules that check a receipt', async () => {
  const database = await createTestDatabase();
  const child = new ServiceChild({ DATABASE_URL: database.url, TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' });
  try {
    await child.ready();
    const get = async (path: string) => {
      const response = await fetch(`${child.url}${path}`);
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    };
    const { text } = await get('/docs/zh/webhooks');
    expect(text).toContain('def verify_webhook(');
    const assets = /\/site\/assets\/\w+\//.exec(text)![0];
    const source = readFileSync(join(EXAMPLES, '../clients/typescript/src/receipt/verify-receipt.mjs'), 'utf8');
    const module = await get(`${assets}verify-receipt.mjs`);
    expect(module).toEqual({ status: 200, type: 'text/javascript; charset=utf-8', text: source });
  } finally {
    await child.stop('SIGKILL');
    await database.drop();
  }
});
