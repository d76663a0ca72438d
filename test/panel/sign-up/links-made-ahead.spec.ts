import { EmailChangeService } from '../../../src/auth/email-changes/email-change.service';
import { InvitationService } from '../../../src/auth/invitations/invitation.service';
import { SignUpService } from '../../../src/auth/sign-ups/sign-up.service';
import { ASKED, MailWorld } from '../../mail/mail-world';
import { insertPanelUser } from '../../support/panel-user';

const EMAIL = 'zoe@shop.example';
const NETWORK = '198.51.100.1';

describe('a link that was made while the clock of the database was ahead', () => {
  let world: MailWorld;
  let user: { readonly id: string; readonly email: string };
  beforeAll(async () => {
    world = await MailWorld.open();
    user = await insertPanelUser(world.service, { email: 'ann@example.com' });
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    await world.clear();
    await world.run('delete from invitations');
    await world.run('delete from email_changes');
  });

  const get = <Service>(service: new (...all: never[]) => Service) => world.service.app.get(service);
  async function mailedPath(address: string): Promise<string> {
    await world.send();
    return world.pathTo(address);
  }
  const LINKS = {
    sign_ups: async () => {
      await get(SignUpService).ask({ ...ASKED, email: EMAIL, network: NETWORK });
      return mailedPath(EMAIL);
    },
    email_changes: async () => {
      await get(EmailChangeService).ask({ userId: user.id, email: EMAIL, language: 'en', network: NETWORK });
      return mailedPath(EMAIL);
    },
    'invitations, to a new password': async () => {
      await get(InvitationService).askReset(user.email, 'en', NETWORK);
      return mailedPath(user.email);
    },
    'invitations, from an operator': async () => {
      const { url } = await get(InvitationService).invite(user.email);
      return url.replace('https://energy.example', '');
    },
  };
  const sweep = () =>
    Promise.all([get(SignUpService), get(EmailChangeService), get(InvitationService)].map((one) => one.sweep()));

  it.each(Object.keys(LINKS) as (keyof typeof LINKS)[])('of %s lives no longer for it', async (kind) => {
    const [table] = kind.split(',') as [string];
    const path = await LINKS[kind]();
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
    const form = { password: 'four other words of hers', again: 'four other words of hers' };
    expect((await world.visitor().submit('/panel/sign-in', path, form)).location).toBeNull();
    // Else it would work again later.
    await sweep();
    expect(await rows()).toBe(0);
  });
});
