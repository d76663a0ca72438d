import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { finding } from '../../src/findings/finding';
import { FindingRepository } from '../../src/findings/finding.repository';
import { WalletQuarantineService } from '../../src/reconciliation/wallet-quarantine.service';
import { HeldLock } from '../support/held-lock';
import { OrderWorld } from '../support/order-world';

const LESS = { lent_sun: '1', least_sun: '2' };

describe('a wallet whose stake is not explained', () => {
  let world: OrderWorld;
  let findings: FindingRepository;
  let quarantine: WalletQuarantineService;
  beforeAll(async () => {
    world = await OrderWorld.open({ backgroundWork: false });
    findings = world.app.app.get(FindingRepository);
    quarantine = world.app.app.get(WalletQuarantineService);
  });
  afterAll(() => world.close());

  const wallet = async () =>
    (await world.query(`select state, resumes_itself from pool_wallets where name = 'pool'`))[0];
  const setState = (state: 'active' | 'paused' | 'draining') => world.app.app.get(PoolWallets).setState('pool', state);

  async function missingAt(receiver: string) {
    const [pool] = await world.query(`select id from pool_wallets where name = 'pool'`);
    const about = { type: 'delegated_resource', walletId: String(pool!['id']), wallet: 'pool', receiver } as const;
    return { ...finding('undelegation_foreign', LESS, about), foreignSun: 0n, missingSun: 1n };
  }

  it.each([
    { seen: 'active', set: 'draining' },
    { seen: 'active', set: 'paused' },
    { seen: 'paused', set: 'active' },
  ] as const)('stays $set when an operator has just made it so, $seen as it was', async ({ seen, set }) => {
    await setState(seen);
    const operator = await HeldLock.take(
      world.database.url,
      `update pool_wallets set state = $1, resumes_itself = false where name = 'pool'`,
      [set],
    );
    const pausing = quarantine.pause([await missingAt('a receiver')]);
    await operator.untilWaiting(1);
    await operator.release();
    expect(await pausing).toEqual([]);
    expect(await wallet()).toEqual({ state: set, resumes_itself: false });
  });

  it.each(['paused', 'draining'] as const)(
    'stays %s where an operator had made it so before, also when all that was found of it is gone',
    async (state) => {
      await setState(state);
      expect(await quarantine.pause([await missingAt(`a receiver of one ${state}`)])).toEqual([]);
      const gone = await findings.resolveOthers([]);
      expect(gone).toMatchObject([{ kind: 'undelegation_foreign', wallet: 'pool' }]);
      expect(await quarantine.resume(gone)).toEqual([]);
      expect(await wallet()).toEqual({ state, resumes_itself: false });
    },
  );

  it('takes orders again when all that was found of it is gone, whatever names and sentences say', async () => {
    await setState('active');
    const [one, other] = [await missingAt('T1'), await missingAt('T2')];
    await findings.seen(one);
    const kept = await findings.seen(other);
    expect(await quarantine.pause([one, other])).toEqual(['pool']);
    // Words for people alone.
    await world.query(
      `update findings set subject = receiver || ' of a wallet', reason = 'new words', next_step = '' returning id`,
    );
    const first = await findings.resolveOthers([kept!.id]);
    expect(first).toMatchObject([{ kind: 'undelegation_foreign', wallet: 'pool', receiver: 'T1' }]);
    expect(await quarantine.resume(first)).toEqual([]);
    expect(await wallet()).toEqual({ state: 'paused', resumes_itself: true });
    expect(await quarantine.resume(await findings.resolveOthers([]))).toEqual(['pool']);
    expect(await wallet()).toEqual({ state: 'active', resumes_itself: false });
  });

  it('stays paused when all that it missed is there, while a use that paused it too waits for an operator', async () => {
    await setState('active');
    expect(await quarantine.pause([await missingAt('T3')])).toEqual(['pool']);
    const used = await world.query(
      `insert into findings (kind, subject, subject_type, wallet_id, reason, next_step, action_code)
       select 'wallet_used', 'pool', 'wallet_transaction', id, '', '', 'wallet_paused' from pool_wallets
        where name = 'pool' returning id`,
    );
    expect(used).toHaveLength(1);
    const gone = await findings.resolveOthers([]);
    expect(gone).toMatchObject([{ kind: 'undelegation_foreign', receiver: 'T3' }]);
    expect(await quarantine.resume(gone)).toEqual([]);
    expect(await wallet()).toEqual({ state: 'paused', resumes_itself: true });
  });
});
