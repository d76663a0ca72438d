import { HDKey } from '@scure/bip32';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { InstanceTermsRepository } from '../../src/reconciliation/terms/instance-terms.repository';
import { TermsSchedule } from '../../src/reconciliation/terms/terms.schedule';
import { addressAt, XPUB } from '../deposits/deposit-world';
import { CommandLine } from '../support/command-line';
import { OrderWorld } from '../support/order-world';
import { ServiceProcess } from '../support/service-process';
import type { TestApp } from '../support/test-app';

const TREASURY = addressAt(1_000_000);
/** Another account of the tests. */
const OTHER_XPUB = HDKey.fromMasterSeed(Buffer.alloc(64, 7)).derive("m/44'/195'/1'").publicExtendedKey;

describe('two instances that sell on different terms', () => {
  let world: OrderWorld;
  beforeEach(async () => {
    world = await OrderWorld.open({ env: { RECLAIM_DELAY: '1h' } });
    await begin(world.app);
  });
  afterEach(() => world.close());

  const begin = (app: TestApp) => app.app.get(TermsSchedule).begin();
  const open = async () =>
    (await world.app.app.get(FindingRepository).list())
      .filter(({ kind }) => kind === 'terms_differ')
      .map(({ subject, reason }) => `${subject}: ${reason}`);
  it('are found at the start of the second, and no longer once one has ended', async () => {
    expect(await open()).toEqual([]);
    const other = await world.startInstance({ BILLING_VARIANT: 'B', RECLAIM_DELAY: '2m' });
    // Both are of one process here.
    Object.assign(other.app.get(TermsSchedule), { host: 'zone-2' });
    await begin(other);
    expect(await open()).toEqual([
      expect.stringMatching(
        /^service: instances sell on different terms: BILLING_VARIANT: A \(\S+\), B \(zone-2\); RECLAIM_DELAY: 3600s \(\S+\), 120s \(zone-2\)$/,
      ) as string,
    ]);
    await world.app.app.get(Reconciler).run('changed');
    expect(await open()).toHaveLength(1);
    await world.stopInstance(other);
    await world.app.app.get(Reconciler).run('changed');
    expect(await open()).toEqual([]);
  });

  it('are found where they would credit the same deposit differently, or let in other strangers, and tell nothing of the key', async () => {
    const deposits = { DEPOSIT_XPUB: XPUB, DEPOSIT_MIN: '5', DEPOSIT_MIN_USDT: '50' };
    const apart = {
      DEPOSIT_XPUB: OTHER_XPUB,
      DEPOSIT_MIN: '1',
      DEPOSIT_MIN_USDT: '5',
      DEPOSIT_RATE_MAX_AGE: '1h',
      DEPOSIT_SWEEP_TO: TREASURY,
      USDT_CONTRACT: TREASURY,
      SIGN_UP: 'open',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'energy@example.com',
    };
    const others = [await world.startInstance(deposits, false), await world.startInstance(apart, false)];
    for (const [at, other] of others.entries()) {
      Object.assign(other.app.get(TermsSchedule), { host: `zone-${at}` });
      await begin(other);
    }
    const [found] = await open();
    expect([...found!.matchAll(/([A-Z_]+): /g)].map(([, name]) => name)).toEqual([
      'DEPOSIT_MIN',
      'DEPOSIT_MIN_USDT',
      'DEPOSIT_RATE_MAX_AGE',
      'DEPOSIT_SWEEP_TO',
      'DEPOSIT_XPUB',
      'SIGN_UP',
      'USDT_CONTRACT',
    ]);
    expect(found).toMatch(/DEPOSIT_XPUB: off \(\S+\), [0-9a-f]{8} \(zone-0\), [0-9a-f]{8} \(zone-1\)/);
    expect(found).not.toContain('xpub');
  });

  it('are no finding when they sell alike', async () => {
    const other = await world.startInstance({ RECLAIM_DELAY: '60m', ANSWER_TIMEOUT: '3s' });
    await begin(other);
    expect(await world.app.app.get(InstanceTermsRepository).running()).toHaveLength(2);
    expect(await open()).toEqual([]);
  });

  it('are forgotten half a minute after one was killed', async () => {
    const other = await world.startInstance({ RECLAIM_DELAY: '2m' }, false);
    await begin(other);
    await world.query(
      `update instance_terms set seen_at = seen_at - interval '31 seconds' where terms ->> 'RECLAIM_DELAY' = '120s' returning 1`,
    );
    await world.app.app.get(Reconciler).run('changed');
    expect(await open()).toEqual([]);
  });

  it('are said by doctor, and by the log at the start', async () => {
    const env = { TRON_FULL_NODE_URLS: world.chain.url, BILLING_VARIANT: 'B' };
    const { stdout } = await CommandLine.on(world.database.url, env).run('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { kind: string; reason: string }[] };
    expect(findings.filter(({ kind }) => kind === 'terms_differ')).toEqual([
      expect.objectContaining({
        reason: expect.stringMatching(/BILLING_VARIANT: A \(\S+\), B \(this command\)/) as string,
      }),
    ]);
    const service = new ServiceProcess({ ...env, DATABASE_URL: world.database.url, RECLAIM_DELAY: '1h' });
    await service.waitFor(/instances sell on different terms: BILLING_VARIANT/);
    await service.stop('SIGTERM');
  });
});
