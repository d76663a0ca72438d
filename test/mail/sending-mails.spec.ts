import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { LANGUAGES } from '../../src/languages/languages';
import { MailLinks } from '../../src/mail/mail-links';
import { type MailKind, MailOutbox } from '../../src/mail/mail-outbox';
import { CLAIM } from '../../src/mail/mail.statements';
import { MailRepository } from '../../src/mail/mail.repository';
import { insertUser } from '../support/factories';
import { EVERY_ADDRESS } from '../support/mail-server';
import { until } from '../support/until';
import { MailWorld } from './mail-world';

describe('mails to users', () => {
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.open();
    await insertUser(world.service.orm, { email: 'ann@example.com' });
    await insertUser(world.service.orm, { email: 'ben@example.com' });
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());

  const askReset = (email = 'ann@example.com', network = '198.51.100.1') =>
    world.service.app.get(InvitationService).askReset(email, 'en', network);
  const dueNow = () => world.run(`update mails set next_at = now() where state = 'pending'`);

  it('say who sends them and that no person has written them, in text and HTML, with one link and no other secret', async () => {
    await askReset();
    await world.send();
    const [mail] = world.mail.to('ann@example.com');
    expect(mail!.head).toContain('Subject: Set a new password for Blitz & Co');
    expect(mail!.head).toMatch(/^Content-Type: multipart\/alternative/m);
    // Or a reader who is away answers each of them, and so may a server of ours.
    expect(mail!.head).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    expect(mail!.text).toContain('your account with Blitz & Co.');
    expect(mail!.text).toContain('your account with Blitz &amp; Co.');
    expect(mail!.text).toContain('Blitz & Co · https://energy.example');
    expect(mail!.text).toContain('Documentation: https://energy.example/docs/en');
    expect(mail!.text).toContain('<a href="https://energy.example/docs/en">Documentation</a>');
    expect(new Set(mail!.text.match(/https:\/\/[^\s"<]+key=[^\s"<]+/g))).toEqual(
      new Set([world.mail.linkTo('ann@example.com')]),
    );
    expect(mail!.text).not.toContain(world.mail.password);
    expect(await world.mails()).toMatchObject([{ kind: 'password_reset', state: 'sent', attempts: 1 }]);
  });

  it('leave no link in the database, neither before they are sent nor afterwards', async () => {
    await askReset();
    const dump = async () =>
      JSON.stringify(
        await world.rows('select m::text as row from mails m union all select i::text from invitations i'),
      );
    const before = await dump();
    await world.send();
    const secret = new URL(world.mail.linkTo('ann@example.com')!).searchParams.get('key')!;
    expect(secret.length).toBeGreaterThan(40);
    expect(before + (await dump())).not.toContain(secret);
  });

  it('are sent once by two instances that look at the same moment', async () => {
    await Promise.all([askReset(), askReset('ben@example.com')]);
    await Promise.all([world.send(), world.send(world.second), world.send(), world.send(world.second)]);
    expect(world.mail.received).toHaveLength(2);
  });

  it('that one instance is about to claim are left to it by another, which does not wait', async () => {
    await askReset();
    const others = await world.service.sql.transaction(async (tx) => {
      expect(await tx.rows(CLAIM, [10])).toHaveLength(1);
      return world.second.app.get(MailRepository).claim(10);
    });
    expect(others).toEqual([]);
  });

  it('wait out a mail server that is away for an hour: again after 5 s and a minute, then rarer, with a link whose hour begins then', async () => {
    const away = await world.instance({ SMTP_URL: 'smtp://service:x@127.0.0.1:1' });
    await askReset();
    const delays: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await world.send(away);
      const [row] = await world.rows<{ ms: number; error: string }>(
        `select error, (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 as ms from mails`,
      );
      expect(row!.error).toBe('ESOCKET');
      delays.push(Math.round(row!.ms / 1000));
      await dueNow();
    }
    expect(delays).toEqual([5, 60, 300, 900, 1800, 3600].map((seconds) => expect.closeTo(seconds, -1)));
    await world.run(`update mails set created_at = created_at - interval '1 hour'`);
    await world.send();
    expect(world.mail.to('ann@example.com')).toHaveLength(1);
    const page = await world.visitor().get(world.pathTo('ann@example.com'));
    expect(page.status).toBe(200);
  });

  it('are given up a day after they were written, however many attempts were made', async () => {
    world.mail.refuse(451);
    await askReset();
    for (let attempt = 1; attempt <= 15; attempt += 1) {
      await world.send();
      expect(await world.mails()).toMatchObject([{ state: 'pending', attempts: attempt, error: 'SMTP 451' }]);
      await dueNow();
    }
    // The next attempt would be in eight hours.
    await world.run(`update mails set created_at = created_at - interval '15 hours 59 minutes'`);
    await world.send();
    expect(await world.mails()).toMatchObject([{ state: 'pending' }]);
    await dueNow();
    await world.run(`update mails set created_at = created_at - interval '2 minutes'`);
    await world.send();
    expect(await world.mails()).toMatchObject([{ state: 'failed', error: 'SMTP 451' }]);
  });

  it('that were written more than a day ago are not sent', async () => {
    await askReset();
    await world.run(`update mails set created_at = created_at - interval '24 hours 1 minute'`);
    await world.send();
    expect(world.mail.received).toEqual([]);
    expect(await world.mails()).toMatchObject([{ state: 'failed', error: 'ELATE' }]);
  });

  it('that end each instance that sends them are sent 30 times and no more', async () => {
    await askReset();
    const repository = world.service.app.get(MailRepository);
    for (let attempt = 1; attempt <= 30; attempt += 1) {
      expect(await repository.claim(10)).toMatchObject([{ attempts: attempt }]);
      await world.run(`update mails set claimed_until = now() - interval '1 second'`);
    }
    await world.send();
    expect(world.mail.received).toEqual([]);
    expect(await world.mails()).toMatchObject([{ state: 'failed' }]);
  });

  it('to an address that the server refuses for good are given up at once, and hold up no other', async () => {
    world.mail.refuseAddress('ann@example.com', 550, '5.1.1 no such mailbox');
    await askReset();
    await askReset('ben@example.com');
    await world.send();
    expect(world.mail.to('ben@example.com')).toHaveLength(1);
    expect(await world.mails()).toMatchObject([
      { address: 'ann@example.com', state: 'undeliverable', attempts: 1, error: 'RCPT 550 5.1.1' },
      { address: 'ben@example.com', state: 'sent' },
    ]);
    world.mail.refuseAddress('ann@example.com', 450);
    await askReset();
    await world.send();
    expect((await world.mails()).at(-1)).toMatchObject({ state: 'pending', error: 'RCPT 450' });
    world.mail.refuseAddress('ann@example.com', null);
  });

  it.each(['relaying denied', '5.7.1 relaying denied'])(
    'wait for a server that refuses every address (550 %s), and arrive once it takes them',
    async (said) => {
      world.mail.refuseAddress(EVERY_ADDRESS, 550, said);
      await askReset();
      await askReset('ben@example.com');
      for (const minutes of [0, 10, 170]) {
        await world.run(`update mails set created_at = now() - interval '${minutes} minutes'`);
        await dueNow();
        await world.send();
      }
      const error = said.startsWith('5') ? 'RCPT 550 5.7.1' : 'RCPT 550';
      const waits = { state: 'pending', attempts: 3, error };
      expect(await world.mails()).toMatchObject([waits, waits]);
      world.mail.refuseAddress(EVERY_ADDRESS, null);
      await dueNow();
      await world.send();
      expect(
        world.mail.received
          .map(({ to }) => to)
          .flat()
          .toSorted(),
      ).toEqual(['ann@example.com', 'ben@example.com']);
    },
  );

  it('that the server still refuses for their address three hours later are given up', async () => {
    world.mail.refuseAddress('ann@example.com', 550);
    await askReset();
    await world.run(`update mails set created_at = created_at - interval '181 minutes'`);
    await world.send();
    world.mail.refuseAddress('ann@example.com', null);
    expect(await world.mails()).toMatchObject([{ state: 'undeliverable', attempts: 1, error: 'RCPT 550' }]);
  });

  it.each(Object.keys(LANGUAGES.en.mails) as MailKind[])('lead to a page of the panel alone: %s', async (kind) => {
    const path = await world.service.app.get(MailLinks).linkOf(kind, null, 'ann@example.com');
    expect(path).toMatch(/^\/panel\/\w/);
    expect((await world.visitor().get(path!)).status).toBeLessThan(400);
  });

  it('are taken by a slow server, and not sent by another instance meanwhile', async () => {
    world.mail.hold();
    await askReset();
    const slow = world.send();
    await until('the server has the mail', () => Promise.resolve(world.mail.waiting === 1));
    await world.send(world.second);
    world.mail.release();
    await slow;
    expect(world.mail.received).toHaveLength(1);
    expect(await world.mails()).toMatchObject([{ state: 'sent', attempts: 1 }]);
  });

  it('that a killed instance had claimed are sent by another, whose late word changes nothing', async () => {
    await askReset();
    const repository = world.service.app.get(MailRepository);
    const [lost] = await repository.claim(10);
    await world.send(world.second);
    expect(world.mail.received).toEqual([]);
    await world.run(`update mails set claimed_until = now() - interval '1 second'`);
    await world.send(world.second);
    expect(world.mail.received).toHaveLength(1);
    await repository.record(lost!, 'failed', 'late', null);
    expect(await world.mails()).toMatchObject([{ state: 'sent' }]);
  });

  it('are written with what makes them true, or not at all', async () => {
    const outbox = world.service.app.get(MailOutbox);
    const [{ id } = { id: '' }] = await world.rows<{ id: string }>(
      `select id from users where email = 'ann@example.com'`,
    );
    const work = world.service.sql.transaction(async (tx) => {
      await outbox.tell(id, 'password_changed', {}, tx);
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect(await world.mails()).toEqual([]);
  });

  it('keep a day after their end no word and no link, nor an address to which none went', async () => {
    const outbox = world.service.app.get(MailOutbox);
    const write = (address: string) =>
      world.service.sql.transaction((tx) =>
        outbox.send({ kind: 'refused', address, language: 'en', facts: { note: 'no resale' } }, tx),
      );
    world.mail.refuseAddress('gone@example.com', 550, '5.1.1 no such mailbox');
    for (const address of ['ann@example.com', 'gone@example.com', 'ben@example.com']) await write(address);
    await askReset('stranger@example.com');
    await askReset();
    await world.run(`update mails set created_at = now() - interval '25 hours' where address = 'ben@example.com'`);
    await world.send();
    world.mail.refuseAddress('gone@example.com', null);
    await write('late@example.com');
    const sweep = () => world.service.app.get(MailRepository).deleteOld();
    await sweep();
    expect(await world.mails()).toHaveLength(6);
    expect(await world.rows(`select from mails where facts <> '{}'`)).toHaveLength(4);
    await world.run(`update mails set ended_at = ended_at - interval '25 hours'`);
    await sweep();
    expect(
      await world.rows('select address, state, facts, link_for as "linkFor" from mails order by created_at'),
    ).toEqual([
      { address: 'ann@example.com', state: 'sent', facts: {}, linkFor: null },
      { address: 'ann@example.com', state: 'sent', facts: {}, linkFor: null },
      { address: 'late@example.com', state: 'pending', facts: { note: 'no resale' }, linkFor: null },
    ]);
    await world.run(`update mails set created_at = created_at - interval '31 days'`);
    await sweep();
    expect(await world.mails()).toEqual([]);
  });

  it('put nothing that was typed into a header', async () => {
    const note = 'no\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>';
    const outbox = world.service.app.get(MailOutbox);
    await world.service.sql.transaction((tx) =>
      outbox.send({ kind: 'refused', address: 'eve@example.com', language: 'en', facts: { note } }, tx),
    );
    await world.send();
    const [mail] = world.mail.received;
    expect(mail!.to).toEqual(['eve@example.com']);
    expect(mail!.head).not.toMatch(/^bcc:/im);
    expect(mail!.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(mail!.text).not.toMatch(/<p>[^<]*<script>/);
  });

  it('that a later version has written wait for that one', async () => {
    await world.run(
      `insert into mails (id, kind, address, facts, next_at) values (gen_random_uuid(), 'of_later', 'ann@example.com', '{}', now())`,
    );
    await world.send();
    expect(await world.mails()).toMatchObject([{ state: 'pending', error: 'EKIND' }]);
  });

  it('have a maker for each link that is a secret', () => {
    const links = world.service.app.get(MailLinks);
    const made = ['sign_up', 'email_confirm', 'invitation', 'password_reset'] as const;
    return Promise.all(made.map((kind) => expect(links.linkOf(kind, uuidOfNone, 'a@example.com')).resolves.toBeNull()));
  });

  it('are not written where no mail server is set up', async () => {
    const without = await world.instance({ SMTP_URL: '', MAIL_FROM: '', SIGN_UP: 'off' });
    const outbox = without.app.get(MailOutbox);
    await without.sql.transaction((tx) =>
      outbox.send({ kind: 'approved', address: 'ann@example.com', language: 'en', facts: {} }, tx),
    );
    expect(await world.mails()).toEqual([]);
  });
});

const uuidOfNone = '01890a5d-ac96-774b-bcce-b302099a8057';
