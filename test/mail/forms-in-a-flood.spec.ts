import { EmailChangeService } from '../../src/auth/email-changes/email-change.service';
import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { SignUpService } from '../../src/auth/sign-ups/sign-up.service';
import { LOCK_COUNTS } from '../../src/mail/mail.statements';
import { insertUser } from '../support/factories';
import { until } from '../support/until';
import { ASKED, MailWorld } from './mail-world';

const NETWORK = '198.51.100.1';

describe('a flood of forms that ask for mails', () => {
  let world: MailWorld;
  let userId: string;
  beforeAll(async () => {
    world = await MailWorld.open();
    userId = await insertUser(world.service.orm, { email: 'ann@example.com' });
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());

  const waitingForLocks = async () =>
    (
      await world.rows(`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    ).length;
  /** Each form by a service of the instance, all from one network. */
  const forms: readonly (readonly [string, (n: number) => Promise<void>])[] = [
    ['forgotten passwords', (n) => world.service.app.get(InvitationService).askReset(`a${n}@x.example`, 'en', NETWORK)],
    [
      'sign-ups',
      (n) => world.service.app.get(SignUpService).ask({ ...ASKED, email: `b${n}@x.example`, network: NETWORK }),
    ],
    [
      'new addresses',
      (n) =>
        world.service.app
          .get(EmailChangeService)
          .ask({ userId, email: `c${n}@x.example`, language: 'en', network: NETWORK }),
    ],
  ];

  it.each(forms)('leaves the transactions of orders free: %s', async (_of, ask) => {
    const asked: Promise<void>[] = [];
    await world.second.sql.transaction(async (other) => {
      // As another instance would that stands still between its lock and its commit.
      await other.execute(LOCK_COUNTS, [[`from ${NETWORK}`]]);
      for (let n = 0; n < 40; n += 1) asked.push(ask(n));
      await until('a form waits', async () => (await waitingForLocks()) > 0);
      expect(world.service.sql.waitingTransactions).toBe(0);
      await world.service.sql.transaction((tx) => tx.execute({ name: 'test_order', text: 'select 1' }));
    });
    // Ten passwords of a network wait to be hashed: the others are refused.
    await Promise.allSettled(asked);
    expect((await world.mails()).length).toBeLessThanOrEqual(20);
  });
});
