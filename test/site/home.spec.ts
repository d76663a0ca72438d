import { until } from '../support/until';
import { EnergyOutlook } from '../../src/reporting/outlooks/energy-outlook';
import { Switches } from '../../src/chain/pool/switches/switches';
import { OrderWorld } from '../support/order-world';
import { createTestApp, type TestApp } from '../support/test-app';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe("the service's own address", () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open();
    await world.untilWalletsRead();
  });
  afterAll(() => world.close());

  const get = async (headers: Record<string, string>, path = '/', method = 'GET', at = world.app.url) => {
    const response = await fetch(`${at}${path}`, { headers, method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('tells a browser the price, about how much energy there is, and where to go', async () => {
    const { status, headers, text } = await get({ accept: BROWSER });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(headers.get('vary')).toBe('Accept, Accept-Language');
    expect(headers.get('set-cookie')).toBeNull();
    expect(text).toContain('3 TRX for a transaction (65\u202f000 energy)');
    const [, energy = '', transactions = ''] = /About ([\d\s ]+) energy: ([\d\s ]+) transactions/.exec(text)!;
    for (const figure of [energy, transactions]) expect(figure.replaceAll(/\D/g, '')).toMatch(/^\d{1,2}0*$/);
    expect(Number(transactions.replaceAll(/\D/g, ''))).toBeGreaterThan(100);
    for (const path of ['/panel/sign-in', '/docs/en', '/docs/en/first-order']) expect(text).toContain(`href="${path}"`);
    expect(text).toContain('The service accepts orders.');
    expect(text).not.toContain('/panel/sign-up');
  });

  it('does so in the language of the browser, or of the link', async () => {
    const chinese = await get({ accept: BROWSER, 'accept-language': 'zh-CN,zh;q=0.9' });
    expect(chinese.text).toContain('<html lang="zh-Hans">');
    expect(chinese.text).toContain('每笔 3 TRX');
    expect(chinese.text).toContain('正常接受订单。');
    const asked = await get({ accept: BROWSER, 'accept-language': 'zh-CN' }, '/?lang=en');
    expect(asked.text).toContain('<html lang="en">');
  });

  it('leads to the panel in the language that its reader chose; what a browser accepts replaces none there', async () => {
    const accepted = await get({ accept: BROWSER, 'accept-language': 'zh-CN' });
    expect(accepted.text).toContain('href="/panel/sign-in"');
    const chosen = await get({ accept: BROWSER, 'accept-language': 'en' }, '/?lang=zh');
    expect(chosen.text).toContain('href="/panel/sign-in?lang=zh"');
    expect((await get({}, '/docs/zh')).text).toContain('href="/panel?lang=zh"');
    const followed = await fetch(`${world.app.url}/panel/sign-in?lang=zh`, { redirect: 'manual' });
    expect([followed.status, followed.headers.get('location')]).toEqual([303, '/panel/sign-in']);
    expect(followed.headers.get('set-cookie')).toContain('zh');
  });

  it.each([
    ['no Accept', undefined],
    ['anything', '*/*'],
    ['JSON', 'application/json'],
    ['HTML refused', 'text/html;q=0, application/json'],
    ['HTML refused with decimals', 'application/json, text/html; q=0.00'],
    ['something like HTML', 'text/htmlx'],
  ])('answers a program with %s as any path that there is not', async (_, accept) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const [own, other] = [await get(headers), await get(headers, '/nothing-here')];
    expect(JSON.parse(own.text)).toEqual({ success: false, error: '请求的资源不存在' });
    for (const name of ['content-type', 'cache-control', 'x-error-code', 'link'])
      expect([name, own.headers.get(name)]).toEqual([name, other.headers.get(name)]);
    expect([own.status, own.text]).toEqual([other.status, other.text]);
  });

  it('answers HEAD as GET, without a body', async () => {
    const head = await get({ accept: BROWSER }, '/', 'HEAD');
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8']);
    expect((await get({ accept: '*/*' }, '/', 'HEAD')).status).toBe(404);
    for (const method of ['POST', 'OPTIONS', 'DELETE'])
      expect((await get({ accept: BROWSER }, '/', method)).status).toBe(404);
  });

  it('reads the pool once, however many ask', async () => {
    const instance = await world.startInstance();
    const reading = jest.spyOn(instance.app.get(EnergyOutlook), 'ofPool');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => get({ accept: BROWSER }, '/', 'GET', instance.url)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(reading).toHaveBeenCalledTimes(1);
    await world.stopInstance(instance);
  });

  it('says that new orders are paused', async () => {
    await world.app.app.get(Switches).pause('orders', 'a test');
    const instance = await world.startInstance();
    // Until it has read the chain, the page says that it cannot.
    await until('the page says it', async () =>
      (await get({ accept: BROWSER }, '/', 'GET', instance.url)).text.includes('The operator has paused new orders.'),
    );
    await world.stopInstance(instance);
  });
});

describe("the service's own address, where strangers may sign up and the chain is not read", () => {
  let app: TestApp;
  beforeAll(async () => {
    const env = {
      SIGN_UP: 'approval',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'energy@example.com',
      SITE_NAME: 'Volt',
      BILLING_VARIANT: 'B',
    };
    app = await createTestApp({ backgroundWork: false, env });
  });
  afterAll(() => app.close());

  it('leads to the sign-up, and says that the energy is not known', async () => {
    const text = await (await fetch(`${app.url}/`, { headers: { accept: BROWSER } })).text();
    expect(text).toContain('href="/panel/sign-up"');
    expect(text).toContain('<title>Volt</title>');
    expect(text).toContain('2.5 TRX for a transaction');
    expect(text).toMatch(/Unknown at the moment|Little just now/);
  });
});
