import { RestoreAdminService } from '../../src/admin/restore-admin.service';
import { MailOutbox } from '../../src/mail/mail-outbox';
import { FindTroubles } from '../../src/notices/find-troubles';
import { NoticeRepository } from '../../src/notices/notice.repository';
import { MetricsRegistry } from '../../src/telemetry/metrics/metrics.registry';
import { insertUser } from '../support/factories';
import { EVERY_ADDRESS } from '../support/mail-server';
import { MailWorld } from './mail-world';

const EMAIL = 'ann@example.com';

describe('mails that wait', () => {
  let world: MailWorld;
  let userId: string;
  beforeAll(async () => {
    world = await MailWorld.open();
    userId = await insertUser(world.service.orm, { email: EMAIL });
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());

  const write = (address = EMAIL) =>
    world.service.sql.transaction((tx) =>
      world.service.app.get(MailOutbox).send({ kind: 'approved', address, language: 'en', facts: {} }, tx),
    );
  const age = (interval: string) => world.run(`update mails set created_at = created_at - interval '${interval}'`);
  const troubles = async () =>
    (await world.service.app.get(FindTroubles).ofService())
      .filter(({ kind }) => kind === 'mails_late')
      .map(({ text }) => text.en);
  /** The numbers of an instance that has read none before. */
  const metrics = async () => {
    const instance = await world.instance({});
    const text = await instance.app.get(MetricsRegistry).metrics();
    const of = (series: string) => Number(new RegExp(`^energy_mail${series} (.+)$`, 'm').exec(text)?.[1]);
    return {
      pending: of('s_pending'),
      oldest: of('_oldest_seconds'),
      givenUp: of('s_given_up\\{reason="no_success"\\}'),
      refused: of('s_given_up\\{reason="refused_address"\\}'),
      domains: of('_refused_domains'),
    };
  };

  it('are told of once the oldest has waited for half an hour, and not before', async () => {
    world.mail.refuse(451);
    await write();
    await write();
    await world.send();
    await age('29 minutes');
    expect(await troubles()).toEqual([]);
    await age('2 minutes');
    expect(await troubles()).toEqual([
      '2 mails to users are waiting, the oldest for 31 minutes. The page Sign-ups shows why.',
    ]);
    const { oldest, ...others } = await metrics();
    expect(others).toEqual({ pending: 2, givenUp: 0, refused: 0, domains: 0 });
    expect(oldest).toBeGreaterThan(31 * 60 - 1);
  });

  it('are told of for a day when they were given up, but not for an address that does not exist', async () => {
    world.mail.refuseAddress(EMAIL, 550, '5.1.1 no such mailbox');
    await write();
    await world.send();
    world.mail.refuseAddress(EMAIL, null);
    expect(await troubles()).toEqual([]);
    expect(await metrics()).toMatchObject({ pending: 0, oldest: 0, givenUp: 0, refused: 1 });
    world.mail.refuse(451);
    await write();
    await age('24 hours');
    await world.send();
    expect(await troubles()).toEqual([
      '1 mail to a user was given up after a day of attempts. The page Sign-ups shows why.',
    ]);
    expect(await metrics()).toMatchObject({ givenUp: 1, refused: 1 });
    await world.run(`update mails set ended_at = ended_at - interval '25 hours'`);
    expect(await troubles()).toEqual([]);
  });

  it('for an address that is put off are not told of, neither while they wait nor when they end', async () => {
    world.mail.refuseAddress(EMAIL, 450);
    await write();
    await world.send();
    await age('31 minutes');
    expect(await troubles()).toEqual([]);
    expect(await metrics()).toMatchObject({ pending: 1, oldest: 0, domains: 1 });
    await age('23 hours 28 minutes 30 seconds');
    await world.run('update mails set next_at = now()');
    await world.send();
    world.mail.refuseAddress(EMAIL, null);
    expect(await world.mails()).toMatchObject([{ state: 'undeliverable', error: 'RCPT 450' }]);
    expect(await troubles()).toEqual([]);
  });

  it('are told of when the server refuses the addresses of three domains, until it takes a mail', async () => {
    world.mail.refuseAddress(EVERY_ADDRESS, 550, '5.7.1 relaying denied');
    for (const domain of ['a.example', 'b.example']) await write(`ann@${domain}`);
    await write('ben@b.example');
    await world.send();
    expect(await troubles()).toEqual([]);
    await write('ann@c.example');
    await world.send();
    expect(await troubles()).toEqual([
      'The mail server has refused the addresses of 3 domains and has taken no mail since: it may refuse every address. The page Sign-ups shows its answers.',
    ]);
    expect(await metrics()).toMatchObject({ pending: 4, domains: 3 });
    world.mail.refuseAddress(EVERY_ADDRESS, null);
    await write();
    await world.send();
    expect(await troubles()).toEqual([]);
    expect(await metrics()).toMatchObject({ domains: 0 });
  });

  it('in a restored database are sent by no instance until an operator goes on with it, nor are notices to customers', async () => {
    await world.run('update database_identity set database_oid = database_oid + 1');
    await write();
    await age('1 hour');
    const notices = world.service.app.get(NoticeRepository);
    await world.service.sql.transaction(async (tx) => {
      await notices.enqueue('customers', userId, [], tx);
      await notices.enqueue('email', null, [], tx);
    });
    const claimed = (channel: 'customers' | 'email') => world.second.app.get(NoticeRepository).claim(channel, 10);
    for (const app of [world.service, world.second]) await world.send(app);
    expect(world.mail.received).toEqual([]);
    expect(await world.mails()).toMatchObject([{ state: 'pending', attempts: 0 }]);
    expect(await troubles()).toEqual([]);
    expect(await claimed('customers')).toEqual([]);
    // Operators learn by it that the database was restored.
    expect(await claimed('email')).toHaveLength(1);
    const confirmed = await world.service.app
      .get(RestoreAdminService)
      .confirm({ id: null, address: 'test' }, { revokeTokens: false });
    // The original has sent it since the backup; its link may have been used there.
    expect(confirmed).toMatchObject({ mailsVoided: 1 });
    await world.send();
    expect(world.mail.received).toEqual([]);
    expect(await world.mails()).toMatchObject([{ state: 'void' }]);
    await write();
    await world.send();
    expect(world.mail.to(EMAIL)).toHaveLength(1);
    expect(await claimed('customers')).toHaveLength(1);
  });
});
