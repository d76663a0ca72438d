import { randomBytes } from 'node:crypto';
import { FindingAdminService } from '../../src/admin/finding-admin.service';
import type { FoundAct } from '../../src/chain/observer/block-acts';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { UseQuarantine } from '../../src/reconciliation/uses/use-quarantine.service';
import { HeldLock } from '../support/held-lock';
import { OrderWorld } from '../support/order-world';
import { stopReconcilerTurns } from '../support/scheduled-turns';

const OPERATOR = { id: null, address: 'test' };
type Part = 'used' | 'changed';

describe('a wallet that was paused for a use', () => {
  let world: OrderWorld;
  let walletId: string;
  let receiver: string;
  let block = 1_000;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200, env: { RECONCILE_EVERY: '24h' } });
    await stopReconcilerTurns(world.app.app);
    const [row] = await world.query(`select id from pool_wallets where name = 'pool'`);
    walletId = String(row!['id']);
    receiver = await world.receiver();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    await world.query(`delete from findings returning 1`);
    await setState('active');
  });

  const setState = (state: 'active' | 'paused') => world.app.app.get(PoolWallets).setState('pool', state);
  const state = async () =>
    (await world.query(`select state from pool_wallets where id = $1`, [walletId]))[0]!['state'];
  const run = () => world.app.app.get(Reconciler).run('changed');
  /** What one look finds of the wallet: an act that pauses it, and a difference that does not. */
  async function find(...parts: readonly Part[]): Promise<void> {
    const acts: FoundAct[] = [];
    block += 10;
    if (parts.includes('used')) {
      const txId = randomBytes(32).toString('hex');
      const act = { txId, owner: '', kind: 'transfer', block, timeMs: Date.now(), receiver: null, sun: 5n } as const;
      acts.push({ ...act, isPlainEnergy: false });
    }
    const differences = parts.includes('changed') ? [{ field: 'balance', before: '2', after: '1' } as const] : [];
    const blocks = { from: block, to: block + 9, unread: 1 };
    const faults: unknown[] = [];
    const use = { walletId, wallet: 'pool', reading: null, acts, differences, blocks };
    await world.app.app.get(UseQuarantine).keep([use], faults);
    expect(faults).toEqual([]);
  }
  async function acknowledge(part: Part): Promise<void> {
    const open = await world.app.app.get(FindingRepository).list();
    const { id } = open.find(({ reason_code: code }) => code === `wallet_${part}`)!;
    await world.app.app.get(FindingAdminService).acknowledge(OPERATOR, id, { note: 'it was me' });
  }
  const findStake = (kind: string, action: string | null = null) =>
    world.query(
      `insert into findings (kind, subject, subject_type, wallet_id, receiver, reason, next_step, action_code)
       values ($1, $2, 'delegated_resource', $3, $4, '', '', $5) returning id`,
      [kind, `pool to ${receiver}`, walletId, receiver, action],
    );

  it.each([
    ['used', 'changed'],
    ['changed', 'used'],
  ] as const)(
    'takes orders again once all is acknowledged, first what was %s, then what was %s',
    async (first, last) => {
      await find('used', 'changed');
      expect(await state()).toBe('paused');
      await acknowledge(first);
      expect(await state()).toBe('paused');
      await acknowledge(last);
      expect(await state()).toBe('active');
      const log = `select subject, before, after from audit_log where action = 'wallet.state' order by id desc limit 1`;
      expect(await world.query(log)).toEqual([
        { subject: 'wallet pool', before: { state: 'paused' }, after: { state: 'active' } },
      ]);
    },
  );

  it('takes orders again when what was found last had been found after the use was acknowledged', async () => {
    await find('used', 'changed');
    await acknowledge('used');
    await find('changed');
    await acknowledge('changed');
    expect(await state()).toBe('paused');
    await acknowledge('changed');
    expect(await state()).toBe('active');
  });

  it.each([['delegation_foreign'], ['undelegation_foreign']])(
    'takes orders again when %s, the last of its findings, goes by itself, and not before the use is acknowledged',
    async (kind) => {
      await find('used');
      await findStake(kind);
      await acknowledge('used');
      expect(await state()).toBe('paused');
      expect(await run()).toMatchObject({ resumed: ['pool'] });
      expect(await state()).toBe('active');

      await find('used');
      await findStake(kind);
      expect(await run()).toMatchObject({ resumed: [] });
      expect(await state()).toBe('paused');
      await acknowledge('used');
      expect(await state()).toBe('active');
    },
  );

  it('takes orders again after a crash between the end of its last finding and its resumption', async () => {
    await find('used');
    await findStake('delegation_foreign');
    await acknowledge('used');
    await world.query(`update findings set resolved_at = now() where resolved_at is null returning 1`);
    expect(await run()).toMatchObject({ resumed: ['pool'] });
    expect(await state()).toBe('active');
  });

  it('waits for a run that has looked at every wallet', async () => {
    await find('used');
    await findStake('delegation_foreign');
    await acknowledge('used');
    await world.query(`update wallet_views set explained_block = newest_block - 1 returning 1`);
    const lock = await HeldLock.take(
      world.database.url,
      `select 1 from pool_wallets where name = 'activate' for update`,
    );
    try {
      await expect(run()).rejects.toThrow(/lock timeout/);
    } finally {
      await lock.release();
    }
    expect([await world.app.app.get(FindingRepository).list(), await state()]).toEqual([[], 'paused']);
    expect(await run()).toMatchObject({ resumed: ['pool'] });
    expect(await state()).toBe('active');
  });

  it.each([
    ['used', 'changed'],
    ['changed', 'used'],
  ] as const)(
    'stays paused when an operator has paused it, first what was %s acknowledged, then what was %s',
    async (...order) => {
      await setState('paused');
      await find('used', 'changed');
      for (const part of order) await acknowledge(part);
      expect(await run()).toMatchObject({ resumed: [] });
      expect(await state()).toBe('paused');

      await setState('active');
      await find('used', 'changed');
      await setState('paused');
      for (const part of order) await acknowledge(part);
      expect(await run()).toMatchObject({ resumed: [] });
      expect(await state()).toBe('paused');
    },
  );

  it('is none that was paused for its stake, whatever was acknowledged before or is now', async () => {
    await find('used');
    await acknowledge('used');
    expect(await state()).toBe('active');
    await find('changed');
    await findStake('delegation_foreign', 'wallet_paused');
    await world.query(
      `update pool_wallets set state = 'paused', paused_by_reconciler = true where id = $1 returning 1`,
      [walletId],
    );
    expect(await run()).toMatchObject({ resumed: [] });
    await acknowledge('changed');
    expect(await run()).toMatchObject({ resumed: [] });
    expect(await state()).toBe('paused');
  });
});
