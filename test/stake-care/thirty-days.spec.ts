import { SchedulerRegistry } from '@nestjs/schedule';
import { CareWorld, DAY_MS, HOUR_MS } from './care-world';
import { beginning, ownerOf, RewardTruth } from './reward-truth';

describe('thirty days of a pool that votes for two witnesses', () => {
  let care: CareWorld;
  beforeAll(async () => {
    care = await CareWorld.open();
    await care.world.app.app.get(SchedulerRegistry).getCronJob('stake-operations').stop();
  });
  afterAll(() => care.world.close());

  it('bring what the blocks give by the rule of the network, to the sun, and the audit has no doubt of what the care did', async () => {
    const from = await beginning(care);
    await care.care({ restakes: true, keepLiquidSun: 500_000_000n });
    await care.run();
    await care.settle();
    for (let passed = 0; passed < 30 * DAY_MS; passed += 6 * HOUR_MS) {
      await care.later(6 * HOUR_MS);
      // A claim is followed by freezing, and that by a vote.
      for (const _ of [1, 2, 3, 4]) {
        const before = (await care.operations()).length;
        await care.run();
        if ((await care.operations()).length === before) break;
        await care.settle();
        await care.blocks(4);
      }
    }
    const operations = await care.operations();
    expect(new Set(operations.map(({ state }) => state))).toEqual(new Set(['final']));
    const claims = operations.filter(({ kind }) => kind === 'claim');
    expect(claims.length).toBeGreaterThan(25);
    expect(operations.filter(({ kind }) => kind === 'freeze').length).toBeGreaterThan(25);
    const truth = new RewardTruth(ownerOf(care), from);
    await truth.readAll(care);
    await care.run();
    const brought = (await care.operations()).filter(({ kind }) => kind === 'claim').map((one) => one.amount_sun);
    expect(brought).toEqual(truth.claims);
    const { reward } = (await care.world.node('wallet/getReward', { address: ownerOf(care) })) as { reward: number };
    expect(BigInt(reward)).toBe(truth.pendingSun);
    const [earned] = await care.world.query('select sum(claimed_sun)::bigint as sun from stake_rewards');
    expect(earned!['sun']).toBe(truth.claims.reduce((sum, one) => sum + one, 0n));
    expect((await care.votes()).reduce((sum, count) => sum + count, 0)).toBe(await care.power());
    expect(await care.unexplained()).toEqual([]);
  });
});
