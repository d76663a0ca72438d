import { TokenAdminService } from '../../../src/admin/token-admin.service';
import type { TokenLimits } from '../../../src/auth/tokens/token-limits';
import { TokenListRepository } from '../../../src/auth/tokens/token-list.repository';
import { heldIn, PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const [ONE, TWO] = ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'];

describe('the limits of a token in the panel', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service.close());

  async function signedIn(headers: Record<string, string> = {}) {
    const user = await insertPanelUser(service);
    const client = new PanelClient(service.url, headers);
    await client.signIn(user.email, user.password);
    const tokens = () => service.app.get(TokenListRepository).page(user.id);
    return { client, tokens };
  }
  const fields = {
    daily_limit: '100.5',
    max_cost: '0',
    receivers: `${ONE}，${TWO} ${ONE}`,
    ips: '203.0.113.7, 2001:DB8::/32',
  };
  const limits = {
    dailyLimitSun: 100_500_000n,
    maxCostSun: 0n,
    receivers: [ONE, TWO],
    ips: ['203.0.113.7/32', '2001:db8::/32'],
  };
  const none = { dailyLimitSun: null, maxCostSun: null, receivers: null, ips: null };
  const NEW = '/panel/tokens/new';

  it('are set with a new token, shown on its page, changed there and lifted', async () => {
    const { client, tokens } = await signedIn();
    await client.submit(NEW, NEW, { name: 'till', permissions: 'delegate', ...fields });
    const [token] = await tokens();
    expect(token).toMatchObject({ name: 'till', ...limits });
    const page = `/panel/tokens/${token!.id}`;
    const { text } = await client.get(page);
    for (const shown of [
      'value="100.5"',
      'value="0"',
      `value="${ONE}, ${TWO}"`,
      'value="203.0.113.7/32, 2001:db8::/32"',
    ]) {
      expect(text).toContain(shown);
    }
    await client.fillIn(page, `${page}/limits`, { ...fields, daily_limit: '1', max_cost: '' });
    expect(await tokens()).toMatchObject([{ name: 'till', ...limits, dailyLimitSun: 1_000_000n, maxCostSun: null }]);
    await client.fillIn(page, `${page}/limits`, { daily_limit: '', max_cost: '', receivers: ' , ', ips: '' });
    expect(await tokens()).toMatchObject([{ name: 'till', ...none }]);
    expect((await client.get(page)).text.match(/<dd>no limit<\/dd>/g)).toHaveLength(4);
  });

  it.each([
    ['daily_limit', '1e3', 'Enter 0 or a positive amount'],
    ['max_cost', '-1', 'Enter 0 or a positive amount'],
    ['receivers', 'nobody', 'is not a TRON address'],
    ['ips', '10.0.0.0/99', 'is neither an IP address'],
  ])(
    'that are wrong (%s %s) change nothing, and are shown again as they were typed',
    async (field, typed, sentence) => {
      const { client, tokens } = await signedIn();
      await client.submit(NEW, NEW, { name: 'till', permissions: 'delegate', ...fields });
      const path = `/panel/tokens/${(await tokens())[0]!.id}`;
      const { status, text } = await client.fillIn(path, `${path}/limits`, {
        ...fields,
        max_cost: '2',
        [field]: typed,
      });
      expect(status).toBe(422);
      expect(text).toContain(sentence);
      expect(text).toContain(`href="#field-${field}"`);
      expect(text).toContain(`value="${typed}"`);
      expect(text).toContain('value="till"');
      expect(await tokens()).toMatchObject([limits]);
    },
  );

  describe('from a form that was opened before they were changed', () => {
    const ANN = { id: null, address: 'test' };
    const stale = async (meanwhile: Partial<TokenLimits>, typed: Record<string, string>) => {
      const { client, tokens } = await signedIn();
      await client.fillIn(NEW, NEW, { name: 'till', permissions: 'delegate', daily_limit: '100' });
      const page = `/panel/tokens/${(await tokens())[0]!.id}`;
      const opened = heldIn((await client.get(page)).text, `${page}/limits`)!;
      await service.app.get(TokenAdminService).setLimits(ANN, page.split('/').at(-1)!, meanwhile);
      const answer = await client.post(`${page}/limits`, { ...opened, ...typed });
      return { client, tokens, page, answer };
    };

    it('only what was typed is written: a network that was set meanwhile goes on limiting', async () => {
      const { answer, tokens } = await stale({ ips: ['10.0.0.0/8'], maxCostSun: 7n }, { daily_limit: '50' });
      expect(answer.status).toBe(303);
      expect(await tokens()).toMatchObject([
        { dailyLimitSun: 50_000_000n, ips: ['10.0.0.0/8'], maxCostSun: 7n, receivers: null },
      ]);
    });

    it.each([
      ['daily_limit', '50', { dailyLimitSun: 1_000_000n }, { dailyLimitSun: 50_000_000n }, 'daily limit'],
      ['max_cost', '5', { maxCostSun: 7n }, { maxCostSun: 5_000_000n }, 'maximum per order'],
      ['receivers', TWO, { receivers: [ONE] }, { receivers: [TWO] }, 'list of receivers'],
      ['ips', '0.0.0.0/0', { ips: ['10.0.0.0/8'] }, { ips: ['0.0.0.0/0'] }, 'list of networks'],
    ] as const)(
      'nothing is written over another %s until the user has seen it',
      async (field, typed, meanwhile, wanted, name) => {
        const { answer, tokens, client, page } = await stale(meanwhile, { [field]: typed });
        expect(answer.status).toBe(422);
        expect(answer.text).toContain(`The ${name} has meanwhile been changed`);
        expect(answer.text).toContain(`href="#field-${field}"`);
        const before = { ...none, dailyLimitSun: 100_000_000n };
        expect(await tokens()).toMatchObject([{ ...before, ...meanwhile }]);
        const again = await client.post(`${page}/limits`, heldIn(answer.text, `${page}/limits`)!);
        expect(again.status).toBe(303);
        expect(await tokens()).toMatchObject([{ ...before, ...wanted }]);
      },
    );
  });

  it('are the user’s own to change: another user’s token reads as not there', async () => {
    const [owner, other] = [await signedIn(), await signedIn()];
    await owner.client.submit(NEW, NEW, { name: 'till', permissions: 'delegate', ...fields });
    const path = `/panel/tokens/${(await owner.tokens())[0]!.id}/limits`;
    expect((await other.client.submit(NEW, path, { daily_limit: '' })).status).toBe(404);
    expect(await owner.tokens()).toMatchObject([limits]);
  });

  it('speak Chinese', async () => {
    const { client, tokens } = await signedIn({ 'accept-language': 'zh-CN' });
    await client.submit(NEW, NEW, { name: 'till', permissions: 'delegate' });
    const path = `/panel/tokens/${(await tokens())[0]!.id}`;
    const { text } = await client.get(path);
    for (const word of ['每日限额', '单笔上限', '接收地址', '网段', '不限', '今日已用']) expect(text).toContain(word);
  });
});
