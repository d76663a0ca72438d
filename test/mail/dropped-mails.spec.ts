import { Logger } from '@nestjs/common';
import { InvitationService } from '../../src/auth/invitations/invitation.service';
import { SignUpService } from '../../src/auth/sign-ups/sign-up.service';
import { DroppedMails } from '../../src/mail/dropped-mails';
import { MailOutbox } from '../../src/mail/mail-outbox';
import { MailMetrics } from '../../src/telemetry/metrics/mail.metrics';
import { MetricsRegistry } from '../../src/telemetry/metrics/metrics.registry';
import { insertUser } from '../support/factories';
import { SettableClock } from '../support/movable-clock';
import type { TestApp } from '../support/test-app';
import { ASKED, MailWorld } from './mail-world';

describe('mails that are dropped', () => {
  let world: MailWorld;
  let instance: TestApp;
  let userId: string;
  beforeAll(async () => {
    world = await MailWorld.open();
    instance = await world.instance({});
    instance.app.get(MailMetrics).start();
    userId = await insertUser(world.service.orm, { email: 'ann@example.com' });
  });
  afterAll(() => world?.close());
  beforeEach(() => world.clear());

  const counted = async (): Promise<Record<string, number>> => {
    const text = await instance.app.get(MetricsRegistry).metrics();
    const lines = [...text.matchAll(/^energy_mails_dropped_total\{reason="(\w+)"\} (\d+)$/gm)];
    return Object.fromEntries(lines.map(([, reason, count]) => [reason, Number(count)]));
  };
  /** By how much each count has grown. */
  const grownBy = async (act: () => Promise<unknown>) => {
    const before = await counted();
    await act();
    const grown = Object.entries(await counted()).map(
      ([reason, count]) => [reason, count - (before[reason] ?? 0)] as const,
    );
    return Object.fromEntries(grown.filter(([, by]) => by !== 0));
  };
  const askReset = (email: string, network: string) =>
    instance.app.get(InvitationService).askReset(email, 'en', network);
  const fill = (kind: string) =>
    world.run(`insert into mails (id, kind, address, network, facts, state, next_at)
      select gen_random_uuid(), '${kind}', n || '@x.example', '10.0.' || n / 256 || '.' || n % 256, '{}', 'pending', now()
        from generate_series(1, 1000) n`);

  it('are counted by the limit that was reached', async () => {
    expect(
      await grownBy(async () => {
        for (let n = 0; n < 22; n += 1) await askReset(`nobody${n}@example.com`, '192.0.2.1');
      }),
    ).toEqual({ network: 2 });
    expect(
      await grownBy(async () => {
        for (let n = 0; n < 8; n += 1) await askReset('ann@example.com', `198.51.100.${n}`);
      }),
    ).toEqual({ mailbox: 3 });
    await world.clear();
    await fill('password_reset');
    expect(await grownBy(() => askReset('ann@example.com', '192.0.2.9'))).toEqual({ total: 1 });
  });

  it('are counted for a sign-up and for what tells a user of changes too', async () => {
    await fill('sign_up');
    const signUp = (email: string) => instance.app.get(SignUpService).ask({ ...ASKED, email, network: '192.0.2.9' });
    expect(await grownBy(() => signUp('zoe@shop.example'))).toEqual({ total: 1 });
    const outbox = instance.app.get(MailOutbox);
    expect(
      await grownBy(async () => {
        for (let n = 0; n < 7; n += 1)
          await world.service.sql.transaction((tx) => outbox.tell(userId, 'token_created', { name: 'shop' }, tx));
      }),
    ).toEqual({ changes: 2 });
  });

  it('are in the log once a minute, by reason', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const clock = new SettableClock();
    const dropped = new DroppedMails(clock);
    for (const reason of ['network', 'network', 'mailbox'] as const) dropped.note(reason);
    expect(warn.mock.calls.map(([said]) => said)).toEqual([{ dropped: { network: 1 } }]);
    clock.advance(59_999);
    dropped.note('total');
    expect(warn).toHaveBeenCalledTimes(1);
    clock.advance(1);
    dropped.note('total');
    expect(warn.mock.calls.at(-1)![0]).toEqual({ dropped: { network: 1, mailbox: 1, total: 2 } });
    warn.mockRestore();
  });
});
