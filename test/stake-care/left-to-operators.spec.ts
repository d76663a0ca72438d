import { OperationRepository } from '../../src/stake-care/operation.repository';
import { CareWorld, DAY_MS, HOUR_MS } from './care-world';

describe('what the care leaves to operators', () => {
  let care: CareWorld;
  beforeEach(async () => {
    care = await CareWorld.open();
  });
  afterEach(() => care.world.close());

  /** Until rewards are worth a claim. */
  async function twelveHours(): Promise<void> {
    await care.run();
    await care.settle();
    for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
    await care.run();
    await care.settle();
  }
  const kinds = async () => new Set((await care.operations()).map(({ kind }) => kind));

  it('is the claim of rewards, where they have not asked for claims', async () => {
    await care.care({ claims: false });
    await twelveHours();
    expect(await kinds()).toEqual(new Set(['vote']));
    await care.care({ claims: true });
    await care.run();
    expect(await kinds()).toEqual(new Set(['vote', 'claim']));
  });

  it('is what a claim has brought to a wallet that is on its way out of the pool', async () => {
    const { balance } = await care.account();
    await care.care({ restakes: true, keepLiquidSun: BigInt(balance!) - 5_000_000n });
    await care.world.query(`update pool_wallets set state = 'draining' where name = 'pool' returning 1`);
    await twelveHours();
    await care.run();
    expect(await kinds()).toEqual(new Set(['vote', 'claim']));
    await care.world.query(`update pool_wallets set state = 'active' where name = 'pool' returning 1`);
    await care.run();
    expect(await kinds()).toEqual(new Set(['vote', 'claim', 'freeze']));
  });

  it('is what they have withdrawn, for longer than thirty days, until the care itself has staked again', async () => {
    const { app } = care.world.app;
    const [{ id }] = (await care.world.query(`select id from pool_wallets where name = 'pool'`)) as [{ id: string }];
    const nowMs = Date.now();
    const final = (kind: string, daysAgo: number, sun: number, occasion: string | null) =>
      care.world.query(
        `insert into stake_operations (id, wallet_id, kind, resource, amount_sun, occasion, requested_by, state, block_number, final_at, is_paid)
         values (gen_random_uuid(), $1, $2, case $2 when 'freeze' then 'energy' end, $3, $4, 'test', 'final', $5::integer,
                 to_timestamp($6::float8 / 1000), true)
         returning id`,
        [id, kind, sun, occasion, 1_000 - daysAgo, nowMs - daysAgo * DAY_MS],
      );
    const withdrawn = () => app.get(OperationRepository).withdrawn(id, nowMs);
    await final('withdraw', 50, 300_000_000, null);
    // The operator has staked other TRX.
    await final('freeze', 40, 7_000_000, null);
    expect(await withdrawn()).toBe(300_000_000n);
    await final('freeze', 45, 7_000_000, 'after a claim energy');
    expect(await withdrawn()).toBe(0n);
    await final('withdraw', 20, 2_000_000, null);
    expect(await withdrawn()).toBe(2_000_000n);
  });
});
