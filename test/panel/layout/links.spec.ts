import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { UserService } from '../../../src/users/user.service';
import { HeldLock } from '../../support/held-lock';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

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

  it('is shown to its operator once: a reload makes no other, and the one that was copied stays valid', async () => {
    const { client: operator } = await signedIn({ operator: true });
    const { user } = await signedIn();
    const page = `/panel/operator/users/${user.id}`;
    const made = await operator.submit(page, `${page}/invitation`);
    expect(made).toMatchObject({ status: 303, location: `${page}/invitation` });
    const sessions = await service.sql.rows<{ data: string }>({ name: '', text: 'select data::text from sessions' });
    expect(sessions.filter(({ data }) => data.includes('"link"'))).toHaveLength(1);
    expect(sessions.filter(({ data }) => data.includes('invitation'))).toEqual([]);
    const shown = await operator.get(made.location!);
    const [url] = /http:\/\/[\d.:]+\/panel\/invitation\?key=[\w-]{43}/.exec(shown.text)!;
    const reloaded = await operator.get(made.location!);
    expect(reloaded.text).toContain('You see a link only once.');
    expect(reloaded.text).not.toContain('?key=');
    expect((await open(url)).status).toBe(200);
    const entries = await service.sql.rows({
      name: '',
      text: `select from audit_log where action = 'user.invite' and subject = 'user ${user.id}'`,
    });
    expect(entries).toHaveLength(1);
  });

  it('that a later one has ended is not shown any more, nor on the page of somebody else', async () => {
    const { client: operator } = await signedIn({ operator: true });
    const [{ user }, { user: other }] = [await signedIn(), await signedIn()];
    const page = `/panel/operator/users/${user.id}`;
    await operator.submit(page, `${page}/invitation`);
    expect((await operator.get(`/panel/operator/users/${other.id}/invitation`)).text).not.toContain('?key=');
    await invitations.invite(user.email);
    const { status, text } = await operator.get(`${page}/invitation`);
    expect(status).toBe(200);
    expect(text).not.toContain('?key=');
  });

  it('is withdrawn by an operator, who reads whether there was one', async () => {
    const { client: operator } = await signedIn({ operator: true });
    const { user } = await signedIn();
    const { url } = await invitations.invite(user.email);
    const page = `/panel/operator/users/${user.id}`;
    const withdraw = () => operator.submit(page, `${page}/invitation/withdraw`);
    expect(await withdraw()).toMatchObject({ status: 303, location: `${page}/access` });
    expect((await operator.get(page)).text).toContain('The link was withdrawn.');
    expect((await open(url)).status).toBe(404);
    await withdraw();
    expect((await operator.get(page)).text).toContain('No link was open.');
    const log = await operator.get('/panel/operator/audit-log');
    expect(log.text).toContain('user.withdraw-link');
  });
});
