import { NodeProxy } from '../support/node-proxy';
import { until } from '../support/until';
import { ANN, CareWorld, DAY_MS, HOUR_MS } from './care-world';

const TRX = 1_000_000n;

/** Votes, and two periods later a claim that is final and followed. */
async function claim(care: CareWorld): Promise<bigint> {
  await care.run();
  await care.settle();
  for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
  await care.run();
  await care.settle();
  const claimed = (await care.operations()).find(({ kind }) => kind === 'claim');
  expect(claimed).toMatchObject({ state: 'final' });
  return claimed!.amount_sun!;
}

const freezes = async (care: CareWorld) =>
  (await care.operations())
    .filter(({ kind }) => kind === 'freeze')
    .map(({ resource, amount_sun: sun }) => [resource, sun]);
/** Looks until both freezes have had their turn. */
async function follow(care: CareWorld): Promise<void> {
  for (const _ of [1, 2, 3]) {
    await care.run();
    await care.settle();
    await care.blocks(4);
  }
}

describe('staking again after a claim', () => {
  let care: CareWorld;
  beforeEach(async () => {
    care = await CareWorld.open();
  });
  afterEach(() => care.world.close());

  it('leaves liquid what an operator has unfrozen and withdrawn, also after the next claim', async () => {
    await care.care({ claims: false });
    await care.blocks(6);
    const { balance: atFirst } = await care.account();
    await until('the wallet can be read', () =>
      care.admin.unfreeze(ANN, 'pool', 300n * TRX, 'energy').then(
        () => true,
        () => false,
      ),
    );
    await care.settle();
    await care.later(14 * DAY_MS + HOUR_MS);
    await care.run();
    await care.settle();
    expect((await care.states()).filter((state) => state.startsWith('withdraw'))).toEqual(['withdraw final']);
    const { balance } = await care.account();
    await care.care({ restakes: true, claims: true, keepLiquidSun: BigInt(atFirst!) - 2n * TRX });
    const claimedSun = await claim(care);
    await follow(care);
    const frozenSun = async () => (await freezes(care)).reduce((sum, [, one]) => sum + (one as bigint), 0n);
    // Two are above what is to stay liquid.
    expect(await frozenSun()).toBeGreaterThanOrEqual(claimedSun);
    expect(await frozenSun()).toBeLessThanOrEqual(claimedSun + 2n * TRX);
    const before = await frozenSun();
    await care.later(DAY_MS + HOUR_MS);
    await care.run();
    await care.settle();
    await follow(care);
    const [, second] = (await care.operations()).filter(({ kind }) => kind === 'claim');
    expect(second).toMatchObject({ state: 'final' });
    expect((await frozenSun()) - before).toBeGreaterThan(second!.amount_sun! - 2n * TRX);
    expect((await frozenSun()) - before).toBeLessThanOrEqual(second!.amount_sun! + TRX);
    // Votes and the claim may burn a little.
    expect((await care.account()).balance).toBeGreaterThan(balance! - 5_000_000);
  });

  it('leaves liquid what an operator has unfrozen, where the end of all unfreezing has paid it out', async () => {
    await care.care({ claims: false });
    await care.blocks(6);
    const { balance: atFirst } = await care.account();
    await until('the wallet can be read', () =>
      care.admin.unfreeze(ANN, 'pool', 300n * TRX, 'energy').then(
        () => true,
        () => false,
      ),
    );
    await care.settle();
    await care.later(14 * DAY_MS + HOUR_MS);
    await care.admin.cancelUnfreeze(ANN, 'pool');
    await care.settle();
    await care.run();
    await care.settle();
    const paidOut = `select paid_out_sun from stake_operations where kind in ('unfreeze', 'cancel-unfreeze') order by created_at`;
    expect(await care.world.query(paidOut)).toEqual([{ paid_out_sun: 0n }, { paid_out_sun: 300n * TRX }]);
    await care.care({ restakes: true, claims: true, keepLiquidSun: BigInt(atFirst!) - 2n * TRX });
    const claimedSun = await claim(care);
    await follow(care);
    const frozenSun = (await freezes(care)).reduce((sum, [, one]) => sum + (one as bigint), 0n);
    expect(frozenSun).toBeGreaterThan(0n);
    expect(frozenSun).toBeLessThanOrEqual(claimedSun + 2n * TRX);
  });

  it('is decided once for both resources: what the first freeze has changed does not change the second', async () => {
    await care.care({ restakes: true, keepLiquidSun: 0n });
    await claim(care);
    await care.blocks(6);
    await care.world.query(
      `update stake_operations set restake_energy_sun = 3000000, restake_bandwidth_sun = 2000000 where kind = 'claim' returning id`,
    );
    await follow(care);
    expect(await freezes(care)).toEqual([
      ['energy', 3n * TRX],
      ['bandwidth', 2n * TRX],
    ]);
  });
});

describe('staking again, with one of two nodes that lies about the totals of the network', () => {
  let care: CareWorld;
  let liar: NodeProxy;
  beforeAll(async () => {
    care = await CareWorld.open({
      bandwidthStakeTrx: 0,
      nodeUrl: async (url) => {
        liar = new NodeProxy(url);
        return `${await liar.open()},${url}`;
      },
    });
  });
  afterAll(async () => {
    await care.world.close();
    await liar.close();
  });

  it('waits until more than half of the nodes agree, and splits by that', async () => {
    liar.after = ({ route }, answer) =>
      route === 'wallet/getaccountresource' ? answer.replace(/"TotalNetWeight":\s*\d+/, '"TotalNetWeight": 1') : answer;
    await care.care({ restakes: true, keepLiquidSun: 0n });
    const claimedSun = await claim(care);
    await follow(care);
    expect(await freezes(care)).toEqual([]);
    await care.later(7 * HOUR_MS);
    const { balance } = await care.account();
    await care.care({ restakes: true, keepLiquidSun: BigInt(balance!) - claimedSun });
    liar.after = (_, answer) => answer;
    await follow(care);
    expect(await freezes(care)).toEqual([['bandwidth', claimedSun - (claimedSun % TRX)]]);
  });
});
