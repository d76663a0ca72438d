import { TRX, TestChain, until, type Answer, type Key } from './chain.fixture';

describe('control', () => {
  let chain: TestChain;
  let owner: Key;
  beforeEach(async () => {
    chain = await TestChain.start();
    owner = await chain.put('owner', 100, 1_000);
  });
  afterEach(() => chain.close());

  it('makes blocks of now, of a given time, and goes on from there', async () => {
    const before = await chain.head();
    await chain.control('block', { count: '3' });
    expect((await chain.head())['number']).toBe(before['number'] + 3);
    const far = (await chain.head())['timestamp'] + 5 * 3_600_000;
    await chain.control('block', { count: 1, timestamp: far });
    expect((await chain.head())['timestamp']).toBe(far);
    await chain.blocks();
    const { timestamp } = await chain.head();
    expect(timestamp).toBeGreaterThan(far);
    expect(timestamp).toBeLessThan(far + 60_000);
    expect(await chain.call('control/block', { timestamp: far })).toMatchObject({
      status: 400,
      text: expect.stringContaining(String(timestamp)),
    });
    expect(await chain.call('control/block', { count: 2, timestamp: far * 2 })).toMatchObject({ status: 400 });
  });

  it('puts accounts there immediately, solid and over forks, and counts their stake', async () => {
    const before = (await chain.resources(owner))['TotalEnergyWeight'] as number;
    const { number } = await chain.head();
    await chain.blocks(3);
    const put = await chain.put('put', 5, 2_000);
    expect((await chain.resources(put))['TotalEnergyWeight']).toBe(before + 2_000);
    expect(await chain.account(put, 'walletsolidity')).toMatchObject({
      balance: 5 * TRX,
      frozenV2: [{}, { type: 'ENERGY', amount: 2_000 * TRX }, { type: 'TRON_POWER' }],
    });
    await chain.control('fork', { from: number + 1 });
    expect(await chain.account(put)).toMatchObject({ balance: 5 * TRX });
    await chain.control('account', { address: put.hex, balance_sun: '12000000000000001' });
    expect((await chain.call('wallet/getaccount', { address: put.hex })).text).toContain(
      '"balance": 12000000000000001,',
    );
    expect(await chain.account(put)).toMatchObject({
      frozenV2: [{}, { type: 'ENERGY', amount: 2_000 * TRX }, { type: 'TRON_POWER' }],
    });
  });

  it('puts accounts there over forks of what a solid view ahead of all that is final has shown', async () => {
    await chain.blocks(30);
    await chain.control('solid-lag', { blocks: 0 });
    const put = await chain.put('put', 5);
    await chain.control('fork', { from: (await chain.head())['number'] - 5 });
    expect(await chain.account(put)).toMatchObject({ balance: 5 * TRX });
    expect(await chain.account(put, 'walletsolidity')).toMatchObject({ balance: 5 * TRX });
  });

  it('burns TRX for energy that the stake does not cover, and no more than there is', async () => {
    const spend = async (energy: number): Promise<Answer> => {
      const used = async (): Promise<unknown> => [
        (await chain.account(owner))['balance'],
        (await chain.resources(owner))['EnergyUsed'],
      ];
      const before = JSON.stringify(await used());
      const bill = chain.control('spend-energy', { address: owner.base58, energy });
      await until(async () => JSON.stringify(await used()) !== before);
      await chain.blocks();
      return bill;
    };
    const limit = (await chain.resources(owner))['EnergyLimit'] as number;
    expect(await spend(limit - 100)).toEqual({ energy_usage: limit - 100, energy_fee: 0 });
    // A little of it comes back with every slot of three seconds.
    const { energy_usage: left, energy_fee: fee } = (await spend(1_000)) as {
      energy_usage: number;
      energy_fee: number;
    };
    expect(left).toBeGreaterThanOrEqual(100);
    expect(left).toBeLessThan(150);
    expect(fee).toBe((1_000 - left) * 100);
    expect(await spend(5_000_000)).toEqual({ energy_usage: expect.any(Number), energy_fee: 100 * TRX - fee });
    expect((await chain.account(owner))['balance']).toBeUndefined();
  });

  it('answers an energy use that a fork dropped as not done', async () => {
    const bill = chain.call('control/spend-energy', { address: owner.base58, energy: 1_000 });
    await until(async () => (await chain.resources(owner))['EnergyUsed'] === 1_000);
    await chain.control('fork', { from: 100 });
    expect(await bill).toMatchObject({ status: 400, text: '{"error":"a fork dropped it"}' });
    expect((await chain.resources(owner))['EnergyUsed']).toBeUndefined();
  });

  it('shows all there is', async () => {
    const receiver = await chain.put('receiver', 1);
    const tx = await chain.must(await chain.delegate(owner, receiver, 10 * TRX), owner);
    const state = await chain.state();
    expect(state).toMatchObject({
      head: { number: 2, id: (await chain.head())['blockID'] },
      solid: { number: 0 },
      delegations: [{ from: owner.hex, to: receiver.hex, locked: false, energy_sun: String(10 * TRX) }],
      transactions: [{ txID: tx.txID, blockNumber: 2, solid: false }],
      pending: [],
    });
    expect((state['accounts'] as Answer[]).map(({ address }) => address as string)).toEqual(
      expect.arrayContaining([owner.hex, receiver.hex, chain.rich.hex]),
    );
  });

  it.each([
    ['block', { count: -1 }],
    ['clock', {}],
    ['clock', { ms: '1.5' }],
    ['account', { address: 'nobody' }],
    ['account', { address: `41${'00'.repeat(20)}`, type: 'Robot' }],
    ['weight', { energy_trx: 'much' }],
    ['spend-energy', { address: `41${'00'.repeat(20)}`, energy: 1 }],
    ['fork', { from: 'the start' }],
    ['fork', { from: 100, keep: ['nothing'] }],
    ['solid-lag', { blocks: -5 }],
  ])('%s refuses %j', async (name, body) => {
    const { status, text } = await chain.call(`control/${name}`, body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({ error: expect.any(String) });
  });
});
