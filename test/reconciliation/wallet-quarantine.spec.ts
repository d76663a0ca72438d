import { PoolWallets } from '../../src/chain/wallets/pool-wallets';
import { WalletQuarantineService } from '../../src/reconciliation/wallet-quarantine.service';
import { HeldLock } from '../support/held-lock';
import { OrderWorld } from '../support/order-world';

describe('a wallet whose stake is not explained', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ backgroundWork: false });
  });
  afterAll(() => world.close());

  const wallet = async () =>
    (await world.query(`select state, resumes_itself from pool_wallets where name = 'pool'`))[0];

  it.each([
    { seen: 'active', set: 'draining' },
    { seen: 'active', set: 'paused' },
    { seen: 'paused', set: 'active' },
  ] as const)('stays $set when an operator has just made it so, $seen as it was', async ({ seen, set }) => {
    await world.app.app.get(PoolWallets).setState('pool', seen);
    const operator = await HeldLock.take(
      world.database.url,
      `update pool_wallets set state = $1, resumes_itself = false where name = 'pool'`,
      [set],
    );
    const finding = { kind: 'undelegation_foreign', subject: 'pool to a receiver', reason: 'less', next_step: 'look' };
    const pair = { wallet: 'pool', receiver: 'a receiver', foreignSun: 0n, missingSun: 1n };
    const pausing = world.app.app.get(WalletQuarantineService).pause([{ ...finding, ...pair }]);
    await operator.untilWaiting(1);
    await operator.release();
    expect(await pausing).toEqual([]);
    expect(await wallet()).toEqual({ state: set, resumes_itself: false });
  });
});
