import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { UserService } from '../../../src/users/user.service';
import { createTestApp, type TestApp } from '../../support/test-app';

const PASSWORD = 'four words are enough';

describe('the link for the first operator', () => {
  let service: TestApp;
  let invitations: InvitationService;
  let users: UserService;

  beforeEach(async () => {
    service = await createTestApp({ backgroundWork: false });
    [invitations, users] = [service.app.get(InvitationService), service.app.get(UserService)];
  });
  afterEach(() => service.close());

  const keyOf = (url: string) => new URL(url).searchParams.get('key')!;
  const redeem = (key: string, email: string) => invitations.redeem(key, { password: PASSWORD, name: 'O', email });

  it('makes one user, however many send its form together', async () => {
    const key = keyOf((await invitations.inviteFirstOperator())!.url);
    const tries = await Promise.allSettled([1, 2, 3, 4].map((n) => redeem(key, `o${n}@example.com`)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await users.list()).toMatchObject([{ operator: true }]);
  });

  it('makes one operator, even when two instances that started together printed one each', async () => {
    const run = (text: string) => service.sql.execute({ name: '', text });
    const first = keyOf((await invitations.inviteFirstOperator())!.url);
    await run('create table first_link as select * from invitations');
    const second = keyOf((await invitations.inviteFirstOperator())!.url);
    await run('insert into invitations select * from first_link');
    const tries = await Promise.allSettled([first, second].map((key, n) => redeem(key, `o${n}@example.com`)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await users.list()).toHaveLength(1);
  });

  it('is still good after an address that was taken', async () => {
    await users.create('taken@example.com', { name: 'Taken' });
    const key = keyOf((await invitations.inviteFirstOperator())!.url);
    await expect(redeem(key, 'taken@example.com')).rejects.toThrow('there is already a user with this e-mail address');
    await redeem(key, 'olga@example.com');
    expect(await users.get('olga@example.com')).toMatchObject({ operator: true, balanceSun: 0n });
  });
});
