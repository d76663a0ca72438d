import { utils } from 'tronweb';
import { ANN, CareWorld, DAY_MS } from './care-world';
import { until } from '../support/until';

const TRX = 1_000_000n;

describe('where chain parameter 51 is on', () => {
  let care: CareWorld;
  beforeAll(async () => {
    care = await CareWorld.open();
    await care.care();
    await care.run();
    await care.settle();
  });
  afterAll(() => care.world.close());

  const unfreeze = async () => {
    let planned: Awaited<ReturnType<CareWorld['admin']['unfreeze']>> | null = null;
    await until('the wallet can be read', async () => {
      await care.blocks(2);
      planned = await care.admin.unfreeze(ANN, 'pool', 10n * TRX, 'energy').catch(() => null);
      return planned !== null;
    });
    await care.settle();
    return planned!;
  };

  it('an unfreezing says that it takes all votes, and a vote after it that nothing is left to vote with', async () => {
    expect(await unfreeze()).toMatchObject({ endsVotes: false });
    await care.run();
    await care.settle();
    expect(await care.power()).toBeGreaterThan(0);
    await care.world.control('parameter', { id: 51, value: 1 });
    expect(await unfreeze()).toMatchObject({ endsVotes: true });
    expect(await care.votes()).toEqual([]);
    await expect(care.admin.vote(ANN, 'pool')).rejects.toMatchObject({
      code: 'stake.no-power',
      message: expect.stringContaining('parameter 51') as string,
    });
    // The care votes for nothing then, and fails at nothing.
    const states = await care.states();
    await care.run();
    expect(await care.states()).toEqual(states);
  });
});

describe('a cancelled unfreezing', () => {
  let care: CareWorld;
  beforeAll(async () => {
    care = await CareWorld.open();
    await care.care({ votes: [{ witness: utils.accounts.generateAccount().address.base58, weight: 1 }] });
  });
  afterAll(() => care.world.close());

  it('has the amount that is staked again: what is available already becomes liquid', async () => {
    const unfreeze = async (trx: bigint) => {
      await until('the wallet can be read', async () => {
        await care.blocks(2);
        return care.admin.unfreeze(ANN, 'pool', trx * TRX, 'energy').then(
          () => true,
          () => false,
        );
      });
      await care.settle();
    };
    await unfreeze(30n);
    await care.later(10 * DAY_MS);
    await unfreeze(50n);
    await care.later(5 * DAY_MS);
    expect(await care.admin.cancelUnfreeze(ANN, 'pool')).toMatchObject({ amount_sun: 50n * TRX });
    await care.settle();
    expect((await care.states()).at(-1)).toBe('cancel-unfreeze final');
  });
});
