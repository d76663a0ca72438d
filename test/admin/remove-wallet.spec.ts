import { FindingAdminService } from '../../src/admin/finding-admin.service';
import { PoolAdminService } from '../../src/admin/pool-admin.service';
import { finding } from '../../src/findings/finding';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { acknowledgeUse, lendByHand, stealthily, takeBackByHand } from '../support/by-hand';
import { NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';

const OPERATOR = { id: null, address: 'test' };
const SUN = 50_000_000_000n;
const RESOURCES = ['ENERGY', 'BANDWIDTH'] as const;

describe('a wallet is removed', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeEach(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 200,
      env: { RECONCILE_EVERY: '24h' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    await stopReconcilerTurns(world.app.app);
  });
  afterEach(async () => {
    await world.close();
    await proxy.close();
  });

  const remove = () => world.app.app.get(PoolAdminService).removeWallet(OPERATOR, 'pool');
  const isThere = async () =>
    (await world.query(`select 1 from pool_wallets where name = 'pool' and removed_at is null`)).length === 1;
  const reconciler = () => world.app.app.get(Reconciler);
  const open = async () =>
    (await world.app.app.get(FindingRepository).list()).filter(({ kind }) => kind === 'delegation_foreign');

  it.each(RESOURCES)(
    'not while the chain shows %s stake of it lent, which no order knows and no run has found',
    async (resource) => {
      const stranger = await world.receiver();
      const address = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
      const txId = await stealthily(world, 'pool', ({ transactionBuilder }, owner) =>
        transactionBuilder.delegateResource(Number(SUN), stranger, resource, owner, false),
      );
      await acknowledgeUse(world, txId, address);
      await expect(remove()).rejects.toThrow('50000.000000 TRX of pool are still delegated on the chain');
      expect(await isThere()).toBe(true);
      const [entry] = await world.query(
        `select outcome from audit_log where action = 'wallet.remove' order by id desc limit 1`,
      );
      expect(entry).toEqual({ outcome: 'refused' });
      const back = await stealthily(world, 'pool', ({ transactionBuilder }, owner) =>
        transactionBuilder.undelegateResource(Number(SUN), stranger, resource, owner),
      );
      await acknowledgeUse(world, back, address);
      await expect(remove()).resolves.toMatchObject({ state: 'removed' });
    },
  );

  it('not while no node says what it has lent', async () => {
    proxy.before = ({ route }) => {
      if (route === 'walletsolidity/getaccount') throw new Error('away');
    };
    await expect(remove()).rejects.toThrow('no node shows what pool has delegated');
    expect(await isThere()).toBe(true);
  });

  it('not while a finding about it is open, but for a warning that something runs out', async () => {
    const [wallet] = await world.query(`select id from pool_wallets where name = 'pool'`);
    const about = { type: 'wallet', walletId: String(wallet!['id']), wallet: 'pool' } as const;
    const findings = world.app.app.get(FindingRepository);
    await findings.seen(finding('low_trx', { balance_sun: '1', activations: '0' }, about));
    const unread = await findings.seen(finding('wallet_unread', { unread_for: 'away' }, about));
    await expect(remove()).rejects.toThrow('1 finding about pool is open');
    await world.query(`update findings set resolved_at = now() where id = $1 returning 1`, [unread!.id]);
    await expect(remove()).resolves.toMatchObject({ state: 'removed' });
  });

  it('with foreign stake out neither before nor after the run that finds it', async () => {
    const stranger = await world.receiver();
    await lendByHand(world, stranger, SUN);
    await expect(remove()).rejects.toThrow('still delegated on the chain');
    await reconciler().run('changed');
    expect(await open()).toHaveLength(1);
    await expect(remove()).rejects.toThrow('is open');
    await takeBackByHand(world, stranger, SUN);
    await reconciler().run('changed');
    expect(await open()).toEqual([]);
    await expect(remove()).resolves.toMatchObject({ state: 'removed' });
  });

  it('and what is found of it stays, until somebody acknowledges it', async () => {
    const stranger = await world.receiver();
    await lendByHand(world, stranger, SUN);
    await reconciler().run('changed');
    // As versions before this one removed it, or a run that ended a moment later.
    await world.query(`update pool_wallets set removed_at = now(), state = 'draining' where name = 'pool' returning 1`);
    await reconciler().run('changed');
    const [found] = await open();
    expect(found).toMatchObject({ wallet: 'pool', receiver: stranger });
    await world.app.app.get(FindingAdminService).acknowledge(OPERATOR, found!.id, { note: 'taken back by hand' });
    expect(await open()).toEqual([]);
    await reconciler().run('changed');
    expect(await open()).toEqual([]);
  });
});
