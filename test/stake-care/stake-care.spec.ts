import { utils } from 'tronweb';
import { PoolWalletRepository } from '../../src/chain/pool/wallets/pool-wallet.repository';
import { toHexAddress } from '../../src/chain/tron/addresses';
import { Sql } from '../../src/database/sql';
import { ANN, CareWorld, DAY_MS, HOUR_MS } from './care-world';

describe('the care of a stake', () => {
  let care: CareWorld;
  beforeEach(async () => {
    care = await CareWorld.open();
  });
  afterEach(() => care.world.close());

  it('gives all votes by weights, the remainder to the first, and votes again only where something is idle', async () => {
    await care.care();
    await care.run();
    expect(await care.states()).toEqual(['vote sent']);
    await care.settle();
    const power = await care.power();
    const second = Math.floor((power * 40) / 100);
    expect(await care.votes()).toEqual([power - second, second]);
    await care.later(6 * HOUR_MS);
    await care.run();
    expect(await care.states()).toEqual(['vote final']);
    const [vote] = await care.operations();
    expect(vote).toMatchObject({ requested_by: 'stake care', error: null, amount_sun: BigInt(power) * 1_000_000n });
    const entries = await care.world.query(
      `select service, action, subject, outcome from audit_log where action = 'stake.vote'`,
    );
    expect(entries).toEqual([{ service: 'stake care', action: 'stake.vote', subject: 'wallet pool', outcome: 'done' }]);
    expect(await care.unexplained()).toEqual([]);
  });

  it('claims once a day what is worth it, stakes what it has brought, and votes with that', async () => {
    await care.care({ restakes: true, keepLiquidSun: 500_000_000n });
    await care.run();
    await care.settle();
    const before = await care.account();
    await care.care({ restakes: true, keepLiquidSun: BigInt(before.balance!) });
    // The cycle of the vote gives nothing.
    for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
    await care.run();
    expect(await care.states()).toEqual(['vote final', 'claim sent']);
    await care.runDue();
    await care.settle();
    // A final claim is followed at once, although the last look was a moment ago.
    await care.blocks(4);
    await care.runDue();
    expect(await care.states()).toEqual(['vote final', 'claim final', 'freeze sent']);
    await care.settle();
    await care.blocks(4);
    await care.runDue();
    await care.settle();
    expect(await care.states()).toEqual(['vote final', 'claim final', 'freeze final', 'vote final']);
    const [, claim, freeze] = await care.operations();
    const after = await care.account();
    expect(freeze!.amount_sun).toBe(claim!.amount_sun! - (claim!.amount_sun! % 1_000_000n));
    expect(claim!.amount_sun).toBeGreaterThan(2_480_000n);
    const brought = after.balance! + Number(freeze!.amount_sun) - before.balance!;
    expect(Math.abs(brought - Number(claim!.amount_sun))).toBeLessThan(1_000_000);
    expect(await care.world.query('select claimed_sun from stake_rewards')).toEqual([
      { claimed_sun: claim!.amount_sun },
    ]);
    expect((await care.votes()).reduce((sum, count) => sum + count, 0)).toBe(await care.power());
    expect(await care.unexplained()).toEqual([]);
    // A second claim of the same day is refused by the network, so it is not tried.
    await care.later(6 * HOUR_MS);
    await care.run();
    expect(await care.states()).toHaveLength(4);
    await care.later(DAY_MS);
    await care.run();
    expect((await care.states()).at(-1)).toBe('claim sent');
  });

  it('leaves liquid what is to stay so, and stakes the rest with a later look, however long after the claim', async () => {
    await care.care({ restakes: true, keepLiquidSun: 1_000_000_000_000n });
    await care.run();
    await care.settle();
    for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
    await care.run();
    await care.settle();
    await care.run();
    expect(await care.states()).toEqual(['vote final', 'claim final']);
    await care.later(7 * HOUR_MS);
    const { balance } = await care.account();
    await care.care({ restakes: true, keepLiquidSun: BigInt(balance!) - 7_000_000n });
    await care.run();
    const [, , freeze] = await care.operations();
    expect(freeze).toMatchObject({ kind: 'freeze', amount_sun: 7_000_000n });
  });

  it('tries what is refused once in a period, and says why', async () => {
    await care.care({ votes: [{ witness: utils.accounts.generateAccount().address.base58, weight: 1 }] });
    for (const _ of [1, 2, 3]) await care.run();
    expect(await care.states()).toEqual(['vote refused']);
    expect((await care.operations())[0]!.error).toContain('CONTRACT_VALIDATE_ERROR');
    await care.settle();
    expect(await care.states()).toEqual(['vote failed']);
    await care.run();
    expect(await care.states()).toEqual(['vote failed']);
    await care.later(6 * HOUR_MS);
    await care.run();
    expect(await care.states()).toEqual(['vote failed', 'vote refused']);
    const [wallet] = await care.world.query(`select refusals from pool_wallets where name = 'pool'`);
    expect(wallet).toEqual({ refusals: 0 });
  });

  it('signs nothing for a wallet whose care is off', async () => {
    await care.care();
    await care.admin.endCare({ id: null, address: 'ann@here' }, 'pool');
    await care.run();
    expect(await care.states()).toEqual([]);
  });
});

describe('the care of a stake whose orders burn TRX for bandwidth', () => {
  let care: CareWorld;
  beforeEach(async () => {
    care = await CareWorld.open({ bandwidthStakeTrx: 0 });
  });
  afterEach(() => care.world.close());

  it('stakes again for bandwidth, which the stake has too little of', async () => {
    const { balance } = await care.account();
    await care.care({ restakes: true, keepLiquidSun: BigInt(balance!) - 2_000_000n });
    await care.run();
    await care.settle();
    for (const _ of [1, 2]) await care.later(6 * HOUR_MS);
    await care.run();
    await care.settle();
    await care.run();
    const freezing = (await care.operations()).filter(({ kind }) => kind === 'freeze');
    expect(freezing.map(({ resource }) => resource)).toEqual(['bandwidth']);
    await care.settle();
    const { frozenV2 } = await care.account();
    expect(frozenV2!.find(({ type }) => type === undefined)!.amount).toBe(Number(freezing[0]!.amount_sun));
  });

  it('leaves the TRX that the reclaims of open orders take', async () => {
    for (const _ of [1, 2, 3]) {
      const body = { receiver_address: await care.world.receiver(), amount: 1 };
      const answer = care.world.delegate(await care.world.caller({ balance: 10_000_000 }), body);
      await care.world.untilPending(1);
      await care.blocks(6);
      expect((await answer).status).toBe(200);
    }
    await care.care();
    // Its permissions have cost TRX that no reading shows yet.
    const { balance } = await care.world.node('wallet/getaccount', { address: toHexAddress(care.address) });
    const all = BigInt(Number(balance));
    const freeze = (sun: bigint) => care.admin.freeze(ANN, 'pool', sun, 'bandwidth');
    await expect(freeze(all)).rejects.toMatchObject({ code: 'stake.reclaims-unpaid', parameters: { name: 'pool' } });
    // On another connection than the plan's own, an order could promise TRX between the question and the plan.
    const wallets = jest.spyOn(care.world.app.app.get(PoolWalletRepository), 'find');
    const sql = care.world.app.app.get(Sql);
    expect(await freeze(all - 20_000_000n)).toMatchObject({ kind: 'freeze' });
    expect(wallets.mock.calls[0]![1]).toBeDefined();
    expect(wallets.mock.calls[0]![1]).not.toBe(sql);
    wallets.mockRestore();
  });
});
