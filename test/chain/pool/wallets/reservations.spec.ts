import { utils } from 'tronweb';
import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { RESERVED, TRANSACTIONS_DUE } from '../../../../src/chain/pool/wallets/pool-wallet.sql';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { type Caller, OrderWorld } from '../../../support/order-world';

const ONE_ORDER_SUN = 7_000_000_000;

describe('the stake that orders have reserved, and the fees', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open();
    caller = await world.caller({ balance: 10_000 });
  });
  afterAll(() => world.close());

  async function addWallet(name: string, stakeSun: number): Promise<void> {
    const { address, privateKey } = utils.accounts.generateAccount();
    const account = { address: address.base58, type: 'Normal', balance_sun: 1_000_000_000 };
    await world.control('account', { ...account, staked_energy_sun: stakeSun });
    await world.addKey(name, address.base58, 'delegate', privateKey.toLowerCase());
    await world.control('block', { count: 6 });
    await world.app.app.get(Capacity).refresh();
  }

  const order = async (amount: number, active = true) =>
    world.delegate(caller, { receiver_address: await world.receiver(active), amount, activate_address: !active });

  /** Each wallet's sum with what its orders add up to, both at one moment. */
  const sums = () =>
    world.query(
      `select w.name, w.reserved_sun as kept, ${RESERVED} as promised, w.transactions_due as owed, ${TRANSACTIONS_DUE} as due
         from pool_wallets w where w.role = 'delegate'`,
    );

  it('are never less than what live orders add up to, whatever becomes of them, and the same once it is counted', async () => {
    await addWallet('second', 100 * ONE_ORDER_SUN);
    await world.control('fault', { route: 'wallet/broadcasttransaction', kind: 'busy', count: 5 });
    let open = true;
    const placed = Promise.all(Array.from({ length: 40 }, (_, n) => order(1 + (n % 3), n % 4 > 0))).finally(
      () => (open = false),
    );
    for (let looks = 0; open || looks < 10; looks++) {
      for (const { name, ...sum } of await sums()) {
        const { kept, promised, owed, due } = sum as Record<string, bigint>;
        const missing = { stake: promised! > kept!, fees: due! > owed! };
        expect({ name, missing }).toEqual({ name, missing: { stake: false, fees: false } });
      }
    }
    expect(new Set((await placed).map(({ status }) => status))).toEqual(new Set([200, 500]));
    // Past the expiration of those that the node refused.
    await world.control('clock', { ms: 70_000 });
    await untilSettled(world.app.sql);
    await world.app.app.get(Capacity).refresh();
    for (const { kept, promised, owed, due } of await sums()) expect([kept, owed]).toEqual([promised, due]);
    await expectChainTruth(world);
  });

  it('serve all that come at once as soon as no order is promised them any more', async () => {
    await addWallet('for five', 5 * ONE_ORDER_SUN);
    await world.query(`update pool_wallets set state = 'paused' where name <> 'for five' returning id`);
    await world.query(`update pool_wallets set reserved_sun = delegable_sun where name = 'for five' returning id`);
    const placed = await Promise.all(Array.from({ length: 5 }, () => order(1)));
    expect(placed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('serve the next order as soon as no order is promised them any more', async () => {
    await addWallet('tight', ONE_ORDER_SUN);
    await world.query(`update pool_wallets set state = 'paused' where name <> 'tight' returning id`);
    // As orders leave it that died since the last count.
    await world.query(`update pool_wallets set reserved_sun = delegable_sun where name = 'tight' returning id`);
    expect((await order(1)).status).toBe(200);
    expect((await order(1)).headers.get('x-error-code')).toBe('INSUFFICIENT_ENERGY');
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });
});
