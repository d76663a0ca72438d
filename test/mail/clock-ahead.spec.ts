import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { NoticeRepository } from '../../src/notices/notice.repository';
import { insertUser } from '../support/factories';
import { MailWorld } from './mail-world';

const EMAIL = 'ann@example.com';

describe('mails that were written while the clock of the database was ahead', () => {
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.open();
    await insertUser(world.service.orm, { email: EMAIL });
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());

  const askReset = () => world.service.app.get(InvitationService).askReset(EMAIL, 'en', '198.51.100.1');
  const nextIn = (table: string, wait: string) => world.run(`update ${table} set next_at = now() + interval '${wait}'`);

  it('are sent at once, and the longest wait between two attempts is kept', async () => {
    await askReset();
    await nextIn('mails', '8 hours');
    await world.send();
    expect(world.mail.received).toEqual([]);
    await nextIn('mails', '300 days');
    await world.send();
    expect(world.mail.to(EMAIL)).toHaveLength(1);
  });

  it('count for no limit until the clock is there again', async () => {
    for (let n = 0; n < 6; n += 1) await askReset();
    expect(await world.mails()).toHaveLength(5);
    await world.run(`update mails set created_at = created_at + interval '1 day'`);
    await askReset();
    expect(await world.mails()).toHaveLength(6);
  });

  it('are not alone in that: a notice is claimed too', async () => {
    const notices = world.service.app.get(NoticeRepository);
    await world.service.sql.transaction((tx) => notices.enqueue('email', null, [], tx));
    await nextIn('notice_deliveries', '6 hours');
    expect(await notices.claim('email', 10)).toEqual([]);
    await nextIn('notice_deliveries', '10 hours');
    expect(await notices.claim('email', 10)).toHaveLength(1);
  });
});
