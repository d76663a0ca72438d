import { SecondFactorService } from '../../../src/auth/second-factors/second-factor.service';
import { WebhookAdminService } from '../../../src/admin/webhook-admin.service';
import { TokenAdminService } from '../../../src/admin/token-admin.service';
import { UserPreferencesRepository } from '../../../src/users/user-preferences.repository';
import { MailWorld } from '../../mail/mail-world';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { giveSecondFactor } from '../../support/second-factor';

const CLI = { id: null, address: 'test' };

/** One mail for each, in whatever order they arrive. */
function expectEach(texts: readonly string[], parts: readonly string[]): void {
  expect(parts.map((part) => texts.filter((text) => text.includes(part)).length)).toEqual(parts.map(() => 1));
  expect(texts).toHaveLength(parts.length);
}

describe('a customer is told by mail', () => {
  let world: MailWorld;
  let user: PanelUserLogin;
  beforeAll(async () => {
    world = await MailWorld.open({ SIGN_UP: 'off' });
    user = await insertPanelUser(world.service, { email: 'ann@example.com' });
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());

  async function told(): Promise<string[]> {
    await world.send();
    return world.mail.to(user.email).map(({ text }) => text);
  }

  it('of a new token, by its name and without its value', async () => {
    const created = await world.service.app
      .get(TokenAdminService)
      .create(CLI, user.email, { name: 'shop <b>', permissions: ['balance'] });
    const [text, ...more] = await told();
    expect(more).toEqual([]);
    expect(text).toContain('has a new API token: shop <b>.');
    expect(text).toContain('shop &lt;b&gt;');
    expect(text).not.toContain(created.token);
    expect(world.mail.linkTo(user.email)).toBe('https://energy.example/panel/tokens');
  });

  it('of a low balance: the page where the threshold is set says so', async () => {
    const visitor = world.visitor();
    await visitor.signIn(user.email, user.password);
    expect((await visitor.get('/panel/balance')).text).toContain(
      'We show a warning here and send a mail and a webhook.',
    );
  });

  it('of a new webhook address and of a changed one, by the host alone, and not of another change', async () => {
    const webhooks = world.service.app.get(WebhookAdminService);
    const { webhook } = await webhooks.add(CLI, user.email, { url: 'https://shop.example/secret-path' });
    await webhooks.update(CLI, webhook.id, { events: ['delegation.failed'] });
    await webhooks.update(CLI, webhook.id, { url: 'https://other.example/secret-path' });
    const texts = await told();
    expectEach(texts, ['now sends its events to shop.example.', 'now sends its events to other.example.']);
    expect(texts.join('')).not.toContain('secret-path');
  });

  it('of a second factor that comes, is replaced and goes, and of new recovery codes', async () => {
    const factors = world.service.app.get(SecondFactorService);
    const owner = { userId: user.id, email: user.email };
    await giveSecondFactor(world.service, user);
    await factors.renewRecoveryCodes(CLI, owner);
    await factors.remove(CLI, owner);
    const changes = [
      'now needs a second factor to sign in',
      'has new recovery codes',
      'no longer needs a second factor to sign in',
    ];
    expectEach(await told(), changes);
  });

  it('of a changed password', async () => {
    const client = world.visitor();
    await client.signIn(user.email, user.password);
    const form = { current: user.password, password: 'three new words for ann', again: 'three new words for ann' };
    await client.submit('/panel/account', '/panel/account', form);
    expect(await told()).toEqual([expect.stringContaining('has a new password')]);
  });

  it('in the language that the customer has chosen, else in that of the settings', async () => {
    await world.service.app.get(UserPreferencesRepository).save(user.id, { timeZone: null, language: 'zh' });
    const create = () =>
      world.service.app.get(TokenAdminService).create(CLI, user.email, { name: 'shop', permissions: ['balance'] });
    await create();
    expect((await told())[0]).toContain('新增了一个 API 令牌：shop。');
  });

  it('of nothing that was refused', async () => {
    const create = world.service.app.get(TokenAdminService).create(CLI, user.email, { name: '', permissions: [] });
    await expect(create).rejects.toThrow('a token needs a name');
    expect(await told()).toEqual([]);
  });
});
