import { utils } from 'tronweb';
import { ReferenceBlocks } from '../../../../src/chain/verified-chain/reference-blocks';
import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { Reservations } from '../../../../src/chain/pool/wallets/reservations';
import { Clock } from '../../../../src/common/clock';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { HeldLock } from '../../../support/held-lock';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { SettableClock } from '../../../support/movable-clock';

/** Enough for one order, not for two. */
const ONE_ORDER_SUN = 7_050_000_000;

/** Nothing here reads the pool again by itself: the instances' time stands still. */
describe('stake that was promised since the wallet was read', () => {
  let world: OrderWorld;
  let caller: Caller;
  let wallet: string;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      env: { DELEGATION_ANSWER: 'accepted' },
      overrides: (builder) => builder.overrideProvider(Clock).useValue(new SettableClock()),
    });
    await world.control('block', { count: 6 });
    await world.startInstance();
    await world.untilRow(`select 1 from pool_wallets having bool_and(observed_at is not null)`);
    caller = await world.caller({ balance: 10_000 });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: ONE_ORDER_SUN });
    await world.query(`update pool_wallets set state = 'paused' where role = 'delegate' returning id`);
    wallet = `wallet of ${address.base58}`;
    await world.addKey(wallet, address.base58, 'delegate', privateKey.toLowerCase());
    // Read now, or it would be with a later solid block, which may be one of the order's.
    await blocks();
    await world.untilRow(`select 1 from pool_wallets where name = $1 and observed_at is not null`, [wallet]);
  });
  afterEach(async () => {
    await world.control('clock', { ms: 61_000 });
    await blocks();
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  /** So many that what has expired is looked for a second time although another was just before. */
  async function blocks(): Promise<void> {
    await world.control('block', { count: 12 });
    await world.app.app.get(ReferenceBlocks).refresh();
  }

  const order = async (): Promise<Answer> =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const idOf = ({ headers }: Answer) => headers.get('x-delegation-id')!;

  async function lend(): Promise<{ stakeSun: bigint; block: bigint }> {
    const answer = await order();
    expect(answer.status).toBe(200);
    await blocks();
    const text = `select stake_sun, delegation_block from delegations where id = $1 and state = 'delegated'`;
    const { stake_sun: stakeSun, delegation_block: block } = await world.untilRow(text, [idOf(answer)]);
    return { stakeSun: stakeSun as bigint, block: block as bigint };
  }

  /** Before anything was written: the node would refuse it too, but only after the order was placed. */
  async function expectNoneLeft(answer: Promise<Answer>): Promise<void> {
    const { headers } = await answer;
    expect([headers.get('x-error-code'), headers.get('x-delegation-id')]).toEqual(['INSUFFICIENT_ENERGY', null]);
  }

  const row = async () =>
    (await world.query(`select id, reserved_sun, observed_block from pool_wallets where name = $1`, [wallet]))[0]!;
  const shown = async () => {
    const found = (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === wallet)!;
    return found.reserved_sun;
  };
  async function observeAt(block: bigint): Promise<void> {
    const reading = {
      delegableSun: BigInt(ONE_ORDER_SUN),
      stakeSun: BigInt(ONE_ORDER_SUN),
      balanceSun: 1_000_000_000n,
      bandwidth: 600n,
      freeBandwidth: 600n,
      usedEnergySun: 0n,
      unfreezing: [],
    };
    const account = {
      balanceSun: 1_000_000_000n,
      energySun: BigInt(ONE_ORDER_SUN),
      bandwidthSun: 0n,
      votesSun: 0n,
      lentEnergySun: 0n,
      lentBandwidthSun: 0n,
      permissions: '',
      operatedMs: 0,
    };
    const walletId = String((await row())['id']);
    await world.app.app
      .get(Reservations)
      .observe({ ...reading, walletId, block: Number(block), until: Number(block), account });
  }

  it('is not lent a second time, however final its delegation is', async () => {
    const { stakeSun, block } = await lend();
    expect((await row())['observed_block'] as bigint).toBeLessThan(block);
    // Before the order, for which the wallet is read again once the reading has become old.
    expect([(await row())['reserved_sun'], await shown()]).toEqual([stakeSun, stakeSun]);
    await expectNoneLeft(order());
  });

  it('counts until a reading of the block that holds its delegation, and no longer', async () => {
    const { stakeSun, block } = await lend();
    await observeAt(block - 1n);
    expect([(await row())['reserved_sun'], await shown()]).toEqual([stakeSun, stakeSun]);
    await observeAt(block);
    expect([(await row())['reserved_sun'], await shown()]).toEqual([0n, 0n]);
  });

  it('counts by the newest reading, whichever comes last; after a minute by any, for a block may have been wrong', async () => {
    const { stakeSun, block } = await lend();
    await observeAt(block);
    await observeAt(block - 1n);
    expect(await row()).toMatchObject({ observed_block: block, reserved_sun: 0n });
    await world.query(`update pool_wallets set observed_at = now() - interval '61 seconds' where name = $1`, [wallet]);
    await observeAt(block - 1n);
    expect(await row()).toMatchObject({ observed_block: block - 1n, reserved_sun: stakeSun });
  });

  it('counts although its order was answered with a failure, until that is proved dead', async () => {
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'SERVER_BUSY', count: 1 });
    const failed = await order();
    expect(failed.headers.get('x-error-code')).toBe('NODE_UNAVAILABLE');
    await blocks();
    await expectNoneLeft(order());
    await world.control('clock', { ms: 61_000 });
    await blocks();
    await world.untilState(idOf(failed), 'failed');
    expect((await order()).status).toBe(200);
  });

  it('counts although it was promised while the sum was counted', async () => {
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'SERVER_BUSY', count: 1 });
    const id = idOf(await order());
    await world.control('clock', { ms: 61_000 });
    await blocks();
    await world.untilState(id, 'failed');
    // Not counted since it died; meanwhile it is promised once more, as the next order would be, and not committed yet.
    const promise = `with o as (update delegations set state = 'pending' where id = $1 returning wallet_id, stake_sun)
                     update pool_wallets w set reserved_sun = w.reserved_sun + o.stake_sun from o where w.id = o.wallet_id`;
    const lock = await HeldLock.take(world.database.url, promise, [id]);
    const second = order();
    await lock.untilWaiting(1);
    await lock.release();
    await expectNoneLeft(second);
    await world.query(`update delegations set state = 'failed' where id = $1 returning id`, [id]);
  });
});
