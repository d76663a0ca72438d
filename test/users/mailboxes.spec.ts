import { SignUpAdminService } from '../../src/admin/sign-up-admin.service';
import { UserAdminService } from '../../src/admin/user-admin.service';
import { EmailChangeService } from '../../src/auth/email-changes/email-change.service';
import { SignUpService } from '../../src/auth/sign-ups/sign-up.service';
import { HOLD } from '../../src/users/mailboxes';
import { ASKED, MailWorld, PASSWORD } from '../mail/mail-world';
import { insertUser } from '../support/factories';
import type { TestApp } from '../support/test-app';
import { until } from '../support/until';

const CLI = { id: null, address: 'test' };

describe('one mailbox has one account', () => {
  let world: MailWorld;
  let n = 0;
  let mailbox: string;
  beforeAll(async () => {
    world = await MailWorld.open();
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    await world.clear();
    mailbox = `zoe${(n += 1)}`;
  });

  const taggedAs = (tag: string) => `${mailbox}+${tag}@shop.example`;
  const keyTo = (address: string) => new URL(world.mail.linkTo(address)!).searchParams.get('key')!;
  const usersOfMailbox = () => world.rows(`select id from users where email ~ '^${mailbox}[+@]'`);

  /** Each way in which an address becomes an account's, up to the act that does it. */
  const WAYS: Readonly<Record<string, () => Promise<(on: TestApp) => Promise<unknown>>>> = {
    'a confirmed sign-up': async () => {
      const ask = { ...ASKED, email: taggedAs('a'), network: '203.0.113.7' };
      await world.service.app.get(SignUpService).ask(ask);
      await world.send();
      const key = keyTo(taggedAs('a'));
      return (on) => on.app.get(SignUpService).confirm(key, { password: PASSWORD }, 'test');
    },
    'an approval': async () => {
      await world.run(`insert into sign_ups (id, email, name, password_hash, language, network, confirmed_at)
        values (gen_random_uuid(), '${taggedAs('b')}', 'Zoe', 'x', 'en', '203.0.113.8', now())`);
      return (on) => on.app.get(SignUpAdminService).approve(CLI, taggedAs('b'));
    },
    'a confirmed change': async () => {
      const userId = await insertUser(world.service.orm, { email: `c${n}@example.com` });
      const ask = { userId, email: taggedAs('c'), language: 'en', network: '203.0.113.9' };
      await world.service.app.get(EmailChangeService).ask(ask);
      await world.send();
      const key = keyTo(taggedAs('c'));
      return (on) => on.app.get(EmailChangeService).confirm(key, 'test');
    },
    'an operator’s change': async () => {
      await insertUser(world.service.orm, { email: `d${n}@example.com` });
      return (on) => on.app.get(SignUpAdminService).changeEmail(CLI, `d${n}@example.com`, taggedAs('d'));
    },
    'an operator’s new user': () =>
      Promise.resolve((on) => on.app.get(UserAdminService).create(CLI, taggedAs('e'), { name: 'Zoe' })),
  };
  const NAMES = Object.keys(WAYS);

  /** An operator answers for the address, and may give a mailbox to several accounts, by tags. */
  const BY_OPERATORS = NAMES.filter((name) => name.startsWith('an operator'));

  it.each(BY_OPERATORS)('or several, by tags, when %s says so; never the same address', async (name) => {
    const act = await WAYS[name]!();
    await insertUser(world.service.orm, { email: `${mailbox}@shop.example` });
    await act(world.service);
    expect(await usersOfMailbox()).toHaveLength(2);
  });

  it.each(NAMES.filter((name) => !BY_OPERATORS.includes(name)))(
    'that another account has it is seen by %s',
    async (name) => {
      const act = await WAYS[name]!();
      await insertUser(world.service.orm, { email: `${mailbox}@shop.example` });
      await expect(act(world.service)).rejects.toMatchObject({
        code: expect.stringMatching(/^(user.mailbox-taken|invitation.not-valid)$/),
      });
      expect(await usersOfMailbox()).toHaveLength(1);
    },
  );

  it.each(NAMES)('%s waits for another way that is under way', async (name) => {
    const act = await WAYS[name]!();
    const isWaiting = async () =>
      (
        await world.rows(`select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`)
      ).length > 0;
    const { under } = await world.service.sql.transaction(async (tx) => {
      await tx.execute(HOLD, [`${mailbox}@shop.example`]);
      const acting = act(world.second);
      await until('it waits', isWaiting);
      return { under: acting };
    });
    await under;
    expect(await usersOfMailbox()).toHaveLength(1);
  });

  it('whichever of all ways comes first, on two instances at the same moment', async () => {
    // An approval and a sign-up exclude each other before: one waits, or the other is not sent a link.
    const names = NAMES.filter((name) => name !== 'an approval' && !BY_OPERATORS.includes(name));
    const acts: ((on: TestApp) => Promise<unknown>)[] = [];
    for (const name of names) acts.push(await WAYS[name]!());
    const outcomes = await Promise.allSettled(acts.map((act, at) => act(at % 2 === 0 ? world.service : world.second)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await usersOfMailbox()).toHaveLength(1);
  });

  it('keeps the address of its own user free for another tag', async () => {
    await insertUser(world.service.orm, { email: `${mailbox}@shop.example` });
    const changed = await world.service.app
      .get(SignUpAdminService)
      .changeEmail(CLI, `${mailbox}@shop.example`, taggedAs('own'));
    expect(changed.email).toBe(taggedAs('own'));
  });
});
