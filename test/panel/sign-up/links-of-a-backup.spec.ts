import { RestoreAdminService } from '../../../src/admin/restore-admin.service';
import { PasswordService } from '../../../src/auth/passwords/password.service';
import { LINK_KINDS, MadeLinks } from '../../mail/made-links';

describe('a link of a restored database, which may have been used since the backup', () => {
  let links: MadeLinks;
  beforeAll(async () => {
    links = await MadeLinks.open();
  });
  afterAll(() => links?.world.close());
  beforeEach(() => links.clear());

  it.each(LINK_KINDS)('of %s opens nothing, neither before restore:confirm nor after', async (kind) => {
    const { world } = links;
    const path = await links.make[kind]();
    expect((await world.visitor().get(path)).status).toBe(200);
    const isRefused = async () => {
      expect((await world.visitor().get(path)).status).toBe(404);
      expect((await links.use(path)).status).toBe(404);
    };
    await world.run('update database_identity set database_oid = database_oid + 1');
    await isRefused();
    await links.get(RestoreAdminService).confirm({ id: null, address: 'test' }, { revokeTokens: false });
    await isRefused();
    expect(await world.rows(`select from ${kind.split(',')[0]}`)).toEqual([]);
  });

  it.each(LINK_KINDS.filter((kind) => kind !== 'email_changes'))(
    'of %s sets no password that was being looked at when the database was put back',
    async (kind) => {
      const { world } = links;
      const path = await links.make[kind]();
      const passwords = links.get(PasswordService);
      const hash = passwords.hash.bind(passwords);
      const move = (by: number) => world.run(`update database_identity set database_oid = database_oid + ${by}`);
      const look = jest.spyOn(passwords, 'hash').mockImplementationOnce(async (...asked) => {
        await move(1);
        return hash(...asked);
      });
      expect((await links.use(path)).location).toBeNull();
      expect(look).toHaveBeenCalledTimes(1);
      look.mockRestore();
      await move(-1);
      expect((await links.use(path)).location).not.toBeNull();
    },
  );
});
