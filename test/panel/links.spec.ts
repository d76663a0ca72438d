import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { UserService } from '../../src/auth/user.service';
import { HeldLock } from '../support/held-lock';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser } from '../support/panel-user';
import { createTestApp, type TestApp } from '../support/test-app';

const PASSWORD = 'four words are enough';
const NEW_PASSWORD = { password: PASSWORD, again: PASSWORD };

describe('a one-time link', () => {
  let service: TestApp;
  let invitations: InvitationService;
  let users: UserService;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    [invitations, users] = [service.app.get(InvitationService), service.app.get(UserService)];
  });
  afterAll(() => service.close());

  const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;
  const open = (url: string) => new PanelClient(service.url).get(pathOf(url));

  async function signedIn(row = {}) {
    const user = await insertPanelUser(service, row);
    const client = new PanelClient(service.url);
    await client.signIn(user.email, user.password);
    return { user, client };
  }

  it('is void once the user has a new password by another way', async () => {
    const { user, client } = await signedIn();
    const { url } = await invitations.invite(user.email);
    expect((await open(url)).status).toBe(200);
    await client.submit('/panel/account', '/panel/account', { current: user.password, ...NEW_PASSWORD });
    expect((await open(url)).status).toBe(404);
  });

  it('is void once the user was disabled, even when enabled again', async () => {
    const { user } = await signedIn();
    const { url } = await invitations.invite(user.email);
    await users.disable(user.email);
    await users.enable(user.email);
    expect((await open(url)).status).toBe(404);
  });

  it('that was being made while the user was disabled is not made', async () => {
    const { user } = await signedIn();
    const disabling = await HeldLock.take(service.databaseUrl, 'update users set disabled_at = now() where id = $1', [
      user.id,
    ]);
    const invited = invitations.invite(user.email).catch((error: Error) => error.message);
    await Promise.race([disabling.untilWaiting(1), invited]);
    await disabling.release();
    expect(await invited).toBe(`${user.email} is disabled: enable the user first`);
    await users.enable(user.email);
  });

  it('is withdrawn by an operator, who reads whether there was one', async () => {
    const { client: operator } = await signedIn({ operator: true });
    const { user } = await signedIn();
    const { url } = await invitations.invite(user.email);
    const page = `/panel/operator/users/${user.id}`;
    const withdraw = () => operator.submit(page, `${page}/invitation/withdraw`);
    expect(await withdraw()).toMatchObject({ status: 303, location: page });
    expect((await operator.get(page)).text).toContain('The link was withdrawn.');
    expect((await open(url)).status).toBe(404);
    await withdraw();
    expect((await operator.get(page)).text).toContain('There was no open link.');
    const log = await operator.get('/panel/operator/audit-log');
    expect(log.text).toContain('user.withdraw-link');
  });
});
