import { renameSync } from 'node:fs';
import { utils } from 'tronweb';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import { OrderHistories } from '../../../src/delegation/order-histories';
import { PoolAlarms } from '../../../src/reconciliation/alarms/pool.alarms';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { allowOperations, DELEGATE_ALONE, LENDING } from '../../support/restricted-key';
import { until } from '../../support/until';

/** More than the sweeper claims in one go. */
const LENT_BY_SICK = 25;
const LENT_BY_OTHER = 3;

describe('what a wallet has lent that can take nothing back', () => {
  let world: OrderWorld;
  beforeEach(async () => {
    world = await OrderWorld.open({ env: { RECLAIM_SWEEP: '1h' } });
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: 1_000_000_000_000 });
    await world.control('block', { count: 6 });
    await world.addKey('sick', address.base58, 'delegate', privateKey.toLowerCase());
    await until('both read', async () => {
      await world.tryToReadWallets();
      return (
        (await world.query(`select 1 from pool_wallets where role = 'delegate' and delegable_sun = 0`)).length === 0
      );
    });
    await lend(LENT_BY_SICK);
    await world.app.app.get(PoolWallets).setState('sick', 'draining');
    await lend(LENT_BY_OTHER);
    await untilSettled(world.app.sql);
    await world.control('clock', { ms: 3_700_000 });
    await world.control('block');
  });
  afterEach(() => world.close());

  async function lend(count: number): Promise<void> {
    const caller = await world.caller({ balance: 1_000 });
    const answers = await Promise.all(
      Array.from({ length: count }, async () =>
        world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await untilSettled(world.app.sql);
  }
  const wallet = async () => (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'sick')!;
  const count = async (condition: string) => {
    const [row] = await world.query(
      `select count(*)::int as n from delegations d join pool_wallets w on w.id = d.wallet_id where ${condition}`,
    );
    return row!['n'] as number;
  };
  const untilAllIsBack = () =>
    until('all taken back', async () => {
      await world.query(`update delegations set next_attempt_at = null where next_attempt_at is not null returning id`);
      await world.sweepOnce();
      return (await count(`d.state = 'reclaimed'`)) === LENT_BY_SICK + LENT_BY_OTHER;
    });

  it('refused by the network: says what for, is tried one at a time, and keeps no other wallet waiting', async () => {
    await world.query(`update pool_wallets set permission_id = 5 where name = 'sick' returning id`);
    const swept = await until('a sweep with all due', async () => {
      const sweep = await world.sweepOnce();
      return sweep.due === LENT_BY_SICK + LENT_BY_OTHER && sweep;
    });
    await untilSettledOf('pool');
    // Those that were under way together when the first of them was refused.
    expect(swept.sent).toBeLessThanOrEqual(LENT_BY_OTHER + 5);
    for (let again = 0; again < 3; again++) expect((await world.sweepOnce()).sent).toBe(0);

    const refusal = expect.stringMatching(/^SIGERROR: Validate signature error: ./) as string;
    const [order] = await world.query(`select id from delegations where last_error is not null limit 1`);
    expect(await world.show(order!['id'] as string)).toMatchObject({ state: 'reclaiming', last_error: refusal });
    const history = await world.app.app.get(OrderHistories).history(order!['id'] as string);
    expect(history.find(({ kind }) => kind === 'reclaim sent')).toMatchObject({
      detail: { nodes: [{ code: 'SIGERROR' }] },
    });
    expect(await wallet()).toMatchObject({ refusals: 1, rests: true, last_refusal: { purpose: 'reclaim' } });
    const alarms = await world.app.app.get(PoolAlarms).read();
    expect(alarms.filter(({ kind }) => kind === 'wallet_refused')).toMatchObject([{ subject: 'sick' }]);

    // A refused transaction dies by its time, with its reason kept; then one more is tried, alone.
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    expect(await count(`w.name = 'sick' and d.last_error like 'SIGERROR: %'`)).toBe(swept.sent - LENT_BY_OTHER);
    expect((await world.sweepOnce()).sent).toBe(1);
    expect((await wallet()).refusals).toBe(2);

    await world.query(`update pool_wallets set permission_id = 0 where name = 'sick' returning id`);
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await untilAllIsBack();
    expect(await count('d.last_error is not null')).toBe(0);
    expect(await wallet()).toMatchObject({ refusals: 0, rests: false });
    await expectChainTruth(world);
  });

  it('whose key cannot be read: is left alone, and keeps no other wallet waiting', async () => {
    const key = world.keyFile('sick');
    renameSync(key, `${key}.away`);
    const swept = await until('a sweep with all due', async () => {
      const sweep = await world.sweepOnce();
      return sweep.due === LENT_BY_SICK + LENT_BY_OTHER && sweep;
    });
    expect(swept.sent).toBe(LENT_BY_OTHER);
    expect(swept.failed).toBe(0);
    await untilSettledOf('pool');
    renameSync(`${key}.away`, key);
    await untilAllIsBack();
    await expectChainTruth(world);
  });

  async function untilSettledOf(name: string): Promise<void> {
    await until(
      `${name} has all back`,
      async () => (await count(`w.name = '${name}' and d.state <> 'reclaimed'`)) === 0,
    );
  }
});

describe('a wallet whose key may delegate and not take back', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeEach(async () => {
    world = await OrderWorld.open({ env: { RECLAIM_SWEEP: '1h' } });
    caller = await world.caller({ balance: 1_000 });
  });
  afterEach(() => world.close());

  const allow = async (operations: string) =>
    allowOperations(world, operations, world.chain.accounts.find(({ role }) => role === 'pool')!.address);
  const order = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const walletOf = async ({ headers }: Answer) => (await world.show(headers.get('x-delegation-id')!))!.wallet;
  const restIsOver = () =>
    world.query(`update pool_wallets set resting_until = now() where name = 'pool' returning id`);
  const pool = async () => (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'pool')!;

  it('lends nothing more after the first refused reclaim, until a block has one of its reclaims', async () => {
    await allow(DELEGATE_ALONE);
    await world.query(`update pool_wallets set permission_id = 2 where name = 'pool' returning id`);
    const lent = await order();
    expect(lent.status).toBe(200);
    await untilSettled(world.app.sql);
    await world.control('clock', { ms: 3_700_000 });
    await world.control('block');
    await until('refused', async () => (await world.sweepOnce()).sent > 0);
    expect(await pool()).toMatchObject({ refusals: 1, last_refusal: { purpose: 'reclaim' } });

    await restIsOver();
    const alone = await order();
    expect([alone.status, alone.headers.get('x-error-code')]).toEqual([501, 'INSUFFICIENT_ENERGY']);
    await addOther();
    for (let again = 0; again < 2; again++) expect(await walletOf(await order())).toBe('other');
    expect(await pool()).toMatchObject({ refusals: 1, rests: true });

    await allow(LENDING);
    await world.control('clock', { ms: 61_000 });
    await untilSettled(world.app.sql);
    await until('taken back', async () => {
      await world.query(`update delegations set next_attempt_at = null where next_attempt_at is not null returning id`);
      await world.sweepOnce();
      return (await world.show(lent.headers.get('x-delegation-id')!))!.state === 'reclaimed';
    });
    expect(await pool()).toMatchObject({ refusals: 0, rests: false });
    expect(await walletOf(await order())).toBe('pool');
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  /** With more stake: chosen for what the pool does not take. */
  async function addOther(): Promise<void> {
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    const staked = 10n * (await pool()).stake_sun;
    await world.control('account', { ...account, staked_energy_sun: Number(staked) });
    await world.addKey('other', address.base58, 'delegate', privateKey.toLowerCase());
    await until('it is read', async () => {
      await world.tryToReadWallets();
      return (await world.query(`select 1 from pool_wallets where name = 'other' and delegable_sun > 0`)).length > 0;
    });
  }
});
