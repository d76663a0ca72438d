import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { PasswordService } from '../../src/auth/passwords/password.service';
import { SignUpService } from '../../src/auth/sign-ups/sign-up.service';
import { MailOutbox } from '../../src/mail/mail-outbox';
import { insertUser } from '../support/factories';
import { until } from '../support/until';
import { ASKED, MailWorld } from './mail-world';

describe('mails to users have limits: they', () => {
  let world: MailWorld;
  beforeAll(async () => {
    world = await MailWorld.open();
    await insertUser(world.service.orm, { email: 'ann@example.com' });
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());

  const askReset = (email = 'ann@example.com', network = '198.51.100.1') =>
    world.service.app.get(InvitationService).askReset(email, 'en', network);

  it('stop at 20 an hour for a network and 5 for an address, whatever its tag, and go on an hour later', async () => {
    for (let n = 0; n < 7; n += 1) await askReset('ann@example.com', `198.51.100.${n}`);
    await askReset('ann+tag@example.com', '198.51.100.9');
    expect(await world.mails()).toHaveLength(5);
    for (let n = 0; n < 25; n += 1) await askReset(`nobody${n}@example.com`, '192.0.2.1');
    expect((await world.mails()).filter(({ state }) => state === 'void')).toHaveLength(20);
    await world.run(`update mails set created_at = created_at - interval '61 minutes'`);
    await askReset('ann@example.com', '192.0.2.1');
    expect((await world.mails()).filter(({ state }) => state === 'pending')).toHaveLength(6);
  });

  it('leave the last of the five of an address to a new password, whatever strangers sign up with, and are five all the same', async () => {
    const signUp = (network: string) =>
      world.service.app.get(SignUpService).ask({ ...ASKED, email: 'ann+x@example.com', network });
    const kinds = async () => (await world.mails()).map(({ kind }) => kind);
    for (let n = 0; n < 7; n += 1) await signUp(`198.51.100.${n}`);
    expect(await kinds()).toEqual(Array<string>(4).fill('sign_up_known'));
    await askReset('ann@example.com', '192.0.2.1');
    expect((await kinds()).slice(4)).toEqual(['password_reset']);
    await askReset('ann@example.com', '192.0.2.2');
    await signUp('192.0.2.3');
    expect(await kinds()).toHaveLength(5);
  });

  it('stop at 80 an hour for an IPv6 network of 48 bits', async () => {
    for (let network = 0; network < 9; network += 1) {
      for (let n = 0; n < 10; n += 1) await askReset(`n${network}x${n}@example.com`, `2001:db8:1:${network}::/64`);
    }
    expect(await world.mails()).toHaveLength(80);
    await askReset('other@example.com', '2001:db8:2::/64');
    expect(await world.mails()).toHaveLength(81);
  });

  it('stop at a thousand an hour for all networks, those that are sent and those that are not each for themselves', async () => {
    const fill = (state: string, times: string) =>
      world.run(`insert into mails (id, kind, address, network, facts, state, ${times})
        select gen_random_uuid(), 'password_reset', n || '@x.example', '10.0.' || n / 256 || '.' || n % 256, '{}', '${state}', now()
          from generate_series(1, 1000) n`);
    const ofAnn = async () => (await world.mails()).filter(({ address }) => address === 'ann@example.com').length;
    await fill('void', 'ended_at');
    await askReset('nobody@example.com');
    expect(await world.mails()).toHaveLength(1000);
    await askReset();
    expect(await ofAnn()).toBe(1);
    await world.run('delete from mails');
    await fill('pending', 'next_at');
    await askReset();
    expect(await ofAnn()).toBe(0);
    await world.service.app.get(SignUpService).ask({ ...ASKED, email: 'new@shop.example', network: '192.0.2.9' });
    expect(await world.mails()).toHaveLength(1001);
  });

  it('stop at a thousand sign-ups an hour, each from a network and for an address of its own, and leave out no customer', async () => {
    const signUp = (n: number) =>
      world.service.app
        .get(SignUpService)
        .ask({ ...ASKED, email: `zoe${n}@shop${n}.example`, network: `198.51.100.${n}` });
    await world.run(`insert into mails (id, kind, address, network, facts, state, next_at)
      select gen_random_uuid(), 'sign_up', 'zoe@x' || n || '.example', '10.0.' || n / 256 || '.' || n % 256, '{}', 'pending', now()
        from generate_series(1, 995) n`);
    for (let n = 0; n < 10; n += 1) await signUp(n);
    const ofKind = async (kind: string) => (await world.mails()).filter((mail) => mail.kind === kind);
    expect(await ofKind('sign_up')).toHaveLength(1000);
    expect(await world.rows('select from sign_ups')).toHaveLength(5);
    await askReset();
    expect(await ofKind('password_reset')).toMatchObject([{ address: 'ann@example.com', state: 'pending' }]);
    await world.run(`update mails set created_at = created_at - interval '61 minutes'`);
    await signUp(10);
    expect(await ofKind('sign_up')).toHaveLength(1001);
  });

  it('keep these limits when all are asked for at the same moment on two instances', async () => {
    const services = [world.service, world.second].map(({ app }) => app.get(InvitationService));
    const asked = Array.from({ length: 20 }, (_, n) =>
      services[n % 2]!.askReset('ann@example.com', 'en', `192.0.2.${n % 3}`),
    );
    await Promise.all(asked);
    expect(await world.mails()).toHaveLength(5);
  });

  it.each([
    ['a network', 20, ['198.51.100.60', '198.51.100.60'], `'198.51.100.60', null`],
    [
      'an IPv6 network of 48 bits',
      80,
      ['2001:db8:60:1::/64', '2001:db8:60:2::/64'],
      `'2001:db8:60:f' || n || '::/64', '2001:db8:60::/48'`,
    ],
  ] as const)('give the last place of %s to one of two that ask for it together', async (_of, most, networks, from) => {
    await world.run(`insert into mails (id, kind, address, network, wide_network, facts, state, next_at)
      select gen_random_uuid(), 'password_reset', 'a' || n || '@example.com', ${from}, '{}', 'pending', now()
        from generate_series(1, ${most - 1}) n`);
    let later = Promise.resolve(true);
    const ask = (at: 0 | 1): Promise<boolean> =>
      [world.service, world.second][at]!.sql.transaction(async (tx) => {
        const draft = { kind: 'approved', address: `new${at}@example.com`, language: 'en', facts: {} } as const;
        const isKept = await world.service.app.get(MailOutbox).ask(draft, networks[at], tx);
        if (at === 0) {
          later = ask(1);
          const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
          await Promise.race([later, until('the other one waits', async () => (await world.rows(waits)).length > 0)]);
        }
        return isKept;
      });
    expect([await ask(0), await later]).toEqual([true, false]);
    expect(await world.mails()).toHaveLength(most);
  });

  it('keep passwords from being looked at once they are reached', async () => {
    const signUp = () =>
      world.service.app.get(SignUpService).ask({ ...ASKED, email: 'max@example.com', network: '192.0.2.60' });
    const hash = jest.spyOn(world.service.app.get(PasswordService), 'hash');
    for (let n = 0; n < 6; n += 1) await signUp();
    expect(await world.mails()).toHaveLength(4);
    expect(hash).toHaveBeenCalledTimes(4);
    hash.mockRestore();
  });

  it('that tell of a change are not used up by a stranger, and stop at 5 an hour and 20 a day for each kind', async () => {
    for (let n = 0; n < 6; n += 1) await askReset();
    const [{ id } = { id: '' }] = await world.rows<{ id: string }>(
      `select id from users where email = 'ann@example.com'`,
    );
    const outbox = world.service.app.get(MailOutbox);
    const tellOfTokens = async () => {
      for (let n = 0; n < 8; n += 1) {
        await world.service.sql.transaction((tx) => outbox.tell(id, 'token_created', { name: `token ${n}` }, tx));
      }
    };
    const told = async (kind: string) => (await world.mails()).filter((mail) => mail.kind === kind);
    await tellOfTokens();
    expect(await told('token_created')).toHaveLength(5);
    await world.service.sql.transaction((tx) => outbox.tell(id, 'password_changed', {}, tx));
    expect(await told('password_changed')).toHaveLength(1);
    for (let hour = 0; hour < 5; hour += 1) {
      await world.run(`update mails set created_at = created_at - interval '61 minutes'`);
      await tellOfTokens();
    }
    expect(await told('token_created')).toHaveLength(20);
  });
});
