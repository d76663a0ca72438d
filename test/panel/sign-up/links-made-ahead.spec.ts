import { EmailChangeService } from '../../../src/auth/email-changes/email-change.service';
import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { SignUpService } from '../../../src/auth/sign-ups/sign-up.service';
import { LINK_KINDS, MadeLinks } from '../../mail/made-links';

describe('a link that was made while the clock of the database was ahead', () => {
  let links: MadeLinks;
  beforeAll(async () => {
    links = await MadeLinks.open();
  });
  afterAll(() => links?.world.close());
  beforeEach(() => links.clear());

  const sweep = () =>
    Promise.all(
      [SignUpService, EmailChangeService, InvitationService].map((one) =>
        links.get<{ sweep(): Promise<void> }>(one).sweep(),
      ),
    );

  it.each(LINK_KINDS)('of %s lives no longer for it', async (kind) => {
    const { world } = links;
    const [table] = kind.split(',') as [string];
    const path = await links.make[kind]();
    const statusAhead = async (by: string) => {
      await world.run(
        `update ${table} set created_at = created_at + interval '${by}', expires_at = expires_at + interval '${by}'`,
      );
      return (await world.visitor().get(path)).status;
    };
    const rows = async () => (await world.rows(`select from ${table}`)).length;
    // As clocks are set all the time.
    expect(await statusAhead('9 minutes')).toBe(200);
    await sweep();
    expect(await rows()).toBe(1);
    expect(await statusAhead('2 minutes')).not.toBe(200);
    expect((await links.use(path)).location).toBeNull();
    // Else it would work again later.
    await sweep();
    expect(await rows()).toBe(0);
  });
});
