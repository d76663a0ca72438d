import { writeFileSync } from 'node:fs';
import { utils } from 'tronweb';
import { NodeUnavailableError } from '../../src/chain/tron/node/node-errors';
import { SignerUnavailableError } from '../../src/chain/transactions/signer-process/signer-unavailable.error';
import { SigningKeys } from '../../src/chain/transactions/signing/signing-keys';
import { FindTroubles } from '../../src/notices/find-troubles';
import { StakeAlarms } from '../../src/reconciliation/alarms/stake.alarms';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { DiagnoseCareKeys } from '../../src/stake-care/diagnose-care-keys';
import { MetricsEndpoint } from '../../src/telemetry/metrics/metrics.endpoint';
import { BROAD, CARING, CARING_AND_UNFREEZING } from '../support/restricted-key';
import { stopReconcilerTurns } from '../support/scheduled-turns';
import { until } from '../support/until';
import { ANN, CareWorld, DAY_MS, HOUR_MS } from './care-world';

const TRX = 1_000_000n;
/** All that the care needs but a withdrawal (56). */
const WITHOUT_WITHDRAWAL = `1020000000004000${'0'.repeat(48)}`;

describe('what is found of a stake with care', () => {
  let care: CareWorld;
  beforeAll(async () => {
    care = await CareWorld.open({ env: { METRICS_PORT: '0', RECONCILE_EVERY: '24h' } });
    await stopReconcilerTurns(care.world.app.app);
  });
  afterAll(() => care.world.close());

  const read = async () => {
    await care.run();
    return (await care.world.app.app.get(StakeAlarms).read()).map(({ kind, subject, parameters }) => ({
      kind,
      subject,
      parameters,
    }));
  };
  const kinds = async () => (await read()).map(({ kind }) => kind);
  const doctor = async () =>
    (await care.world.app.app.get(DiagnoseCareKeys).run()).map(({ kind, subject, reason }) => [kind, subject, reason]);

  it('is idle votes of a wallet without care too, after as long', async () => {
    expect(await kinds()).toEqual([]);
    await care.later(6 * HOUR_MS);
    expect(await kinds()).toEqual([]);
    await care.later(2 * HOUR_MS);
    expect(await kinds()).toEqual(['votes_idle']);
  });

  it('is a witness that pays nothing, at once, beside the votes that it leaves idle', async () => {
    const stranger = utils.accounts.generateAccount().address.base58;
    await care.care({ votes: [{ witness: stranger, weight: 1 }], claims: false });
    const [idle, unpaid] = await read();
    expect(unpaid).toEqual({ kind: 'witness_pays_nothing', subject: 'pool', parameters: { witnesses: stranger } });
    expect(idle).toMatchObject({
      kind: 'votes_idle',
      subject: 'pool',
      parameters: { idle_votes: '11000000', power: '11000000' },
    });
    await care.settle();
    await care.world.app.app.get(Reconciler).run('changed');
    const notices = (await care.world.app.app.get(FindTroubles).ofService()).map(({ kind, thing }) => [kind, thing]);
    expect(notices).toEqual(
      expect.arrayContaining([
        ['finding', 'votes_idle pool'],
        ['finding', 'witness_pays_nothing pool'],
      ]),
    );
    const [wallet] = await care.world.query(`select state from pool_wallets where name = 'pool'`);
    expect(wallet).toEqual({ state: 'active' });
  });

  it('is gone once the stake votes for witnesses that pay', async () => {
    await care.care({ claims: false });
    await care.admin.vote(ANN, 'pool');
    await care.settle();
    expect(await read()).toEqual([]);
    await care.world.app.app.get(Reconciler).run('changed');
    const open = await care.world.query(
      `select kind from findings where resolved_at is null and kind in ('votes_idle', 'witness_pays_nothing')`,
    );
    expect(open).toEqual([]);
  });

  it('is a reward that was left for seven days, and nothing sooner', async () => {
    for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
    expect(await kinds()).toEqual([]);
    await care.later(6 * DAY_MS);
    expect(await kinds()).toEqual([]);
    await care.later(DAY_MS + HOUR_MS);
    const [found] = await read();
    expect(found).toMatchObject({ kind: 'reward_unclaimed', subject: 'pool' });
    expect(BigInt(found!.parameters['reward_sun'] as string)).toBeGreaterThan(2_480_000n);
    await care.admin.claim(ANN, 'pool');
    await care.settle();
    await care.run();
    expect(await kinds()).toEqual([]);
  });

  it('is shown as metrics by wallet', async () => {
    const text = await (await fetch(care.world.app.app.get(MetricsEndpoint).url!)).text();
    const value = (name: string) => Number(new RegExp(`^${name}\\{wallet="pool"[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);
    expect([value('stake_power'), value('stake_idle_votes')]).toEqual([11_000_000, 0]);
    expect(value('stake_reward_sun')).toBeGreaterThanOrEqual(0);
    const [row] = await care.world.query('select sum(claimed_sun)::float8 as sun from stake_rewards');
    expect(value('stake_claimed_sun_total')).toBe(row!['sun']);
    expect(text).toContain('# TYPE stake_claimed_sun_total counter');
  });

  it('counts what was claimed also once the care is off: the sum never falls', async () => {
    const claimed = async () => {
      const text = await (await fetch(care.world.app.app.get(MetricsEndpoint).url!)).text();
      return /^stake_claimed_sun_total\{wallet="pool"[^}]*\} (\S+)$/m.exec(text)?.[1];
    };
    const before = await claimed();
    expect(Number(before)).toBeGreaterThan(0);
    await care.admin.endCare(ANN, 'pool');
    expect(await claimed()).toBe(before);
    await care.care({ claims: false });
  });

  it('is a key that cannot be read on another machine, which this one does not take back, for a day', async () => {
    await care.run();
    const fault = (atMs: number) =>
      care.world.query(
        `update stake_care set key_faults = jsonb_build_object('elsewhere', jsonb_build_object('reason', 'no key', 'at_ms', $1::bigint)) returning 1`,
        [atMs],
      );
    const [{ ms }] = (await care.world.query('select read_ms::float8 as ms from stake_readings')) as [{ ms: number }];
    await fault(ms);
    expect(await read()).toMatchObject([{ kind: 'care_key', parameters: { fault: 'on elsewhere: no key' } }]);
    await fault(ms - DAY_MS - 1);
    expect(await kinds()).toEqual([]);
  });

  it('is a key that is not there, lacks an operation or may do more, as doctor says it too', async () => {
    expect(await doctor()).toEqual([]);
    writeFileSync(care.keyFile, 'no key');
    expect(await kinds()).toEqual(['care_key']);
    expect(await doctor()).toEqual([['wrong_key', 'care of pool', expect.stringContaining('holds no private key')]]);
    writeFileSync(care.keyFile, care.privateKey);
    expect(await kinds()).toEqual([]);
    for (const [operations, kind, said] of [
      [WITHOUT_WITHDRAWAL, 'missing_permission', 'permission 3 does not allow operation 56'],
      [BROAD, 'too_powerful_key', 'permission 3 also allows operation'],
    ] as const) {
      await care.allow(operations);
      expect(await doctor()).toEqual(expect.arrayContaining([[kind, 'care of pool', expect.stringContaining(said)]]));
      expect(await read()).toMatchObject([
        { kind: 'care_key', parameters: { fault: expect.stringContaining(said) as string } },
      ]);
    }
    for (const operations of [CARING, CARING_AND_UNFREEZING]) {
      await care.allow(operations);
      expect([await doctor(), await kinds()]).toEqual([[], []]);
    }
  });

  it('says nothing of a key while its signer gives no answer, which is a finding by itself', async () => {
    const look = jest.spyOn(care.world.app.app.get(SigningKeys), 'look');
    look.mockRejectedValue(new SignerUnavailableError('the signer gave no answer'));
    expect(await kinds()).toEqual([]);
    expect(look).toHaveBeenCalled();
    look.mockRestore();
  });

  it('is what could have been withdrawn for a day', async () => {
    await care.blocks(6);
    await until('the wallet can be read', () =>
      care.admin.unfreeze(ANN, 'pool', 200n * TRX, 'energy').then(
        () => true,
        (error: unknown) => {
          if (error instanceof NodeUnavailableError) return false;
          throw error;
        },
      ),
    );
    await care.settle();
    await care.run();
    await care.settle();
    await care.allow(WITHOUT_WITHDRAWAL);
    await care.later(14 * DAY_MS + HOUR_MS);
    expect(await kinds()).not.toContain('unfrozen_ready');
    await care.settle();
    await care.later(DAY_MS);
    const found = (await read()).find(({ kind }) => kind === 'unfrozen_ready');
    expect(found).toMatchObject({ subject: 'pool', parameters: { ripe_sun: '200000000' } });
    await care.settle();
    expect((await care.states()).filter((state) => state.startsWith('withdraw'))).toEqual([
      'withdraw failed',
      'withdraw failed',
    ]);
  });

  it('is that at once where the wallet has no care: no turn of it is to be waited for', async () => {
    await care.admin.endCare(ANN, 'pool');
    await care.world.query('update stake_readings set ripe_since_ms = null returning 1');
    const found = (await read()).find(({ kind }) => kind === 'unfrozen_ready');
    expect(found).toMatchObject({ subject: 'pool', parameters: { ripe_sun: '200000000' } });
  });
});
