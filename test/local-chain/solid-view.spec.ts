import { TRX, TestChain, type Answer, type Key } from './chain.fixture';

describe('the solid view', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  beforeEach(async () => {
    chain = await TestChain.start();
    owner = await chain.put('owner', 1_000, 100);
    receiver = await chain.put('receiver', 10);
  });
  afterEach(() => chain.close());

  const solidNumber = async (): Promise<number> =>
    ((await chain.post('walletsolidity/getnowblock'))['block_header'].raw_data.number ?? 0) as number;
  const maximum = (side: string): Promise<Answer> =>
    chain.post(`${side}/getcandelegatedmaxsize`, { owner_address: owner.hex, type: 1 });

  it('is the state of 20 blocks ago; getnodeinfo counts two fewer', async () => {
    await chain.blocks(30);
    const { number } = await chain.head();
    expect(await solidNumber()).toBe(number - 20);
    expect((await chain.post('wallet/getnodeinfo'))['solidityBlock']).toMatch(new RegExp(`^Num:${number - 18},ID:`));
    const tx = await chain.must(await chain.delegate(owner, receiver, 10 * TRX), owner);
    await chain.blocks(19);
    expect(await maximum('wallet')).toEqual({ max_size: 90 * TRX });
    expect(await maximum('walletsolidity')).toEqual({ max_size: 100 * TRX });
    expect(await chain.post('walletsolidity/gettransactioninfobyid', { value: tx.txID })).toEqual({});
    await chain.blocks();
    expect(await maximum('walletsolidity')).toEqual({ max_size: 90 * TRX });
    expect(await chain.post('walletsolidity/gettransactioninfobyid', { value: tx.txID })).toMatchObject({
      id: tx.txID,
    });
  });

  it('is genesis on a young chain, by getnodeinfo too', async () => {
    await chain.blocks(10);
    expect(await solidNumber()).toBe(0);
    expect((await chain.post('wallet/getnodeinfo'))['solidityBlock']).toMatch(/^Num:0,/);
  });

  it('moves immediately when the lag is made shorter, and waits when it is made longer', async () => {
    await chain.blocks(30);
    const { number } = await chain.head();
    await chain.control('solid-lag', { blocks: 0 });
    expect(await solidNumber()).toBe(number);
    await chain.control('solid-lag', { blocks: 20 });
    await chain.blocks(5);
    expect(await solidNumber()).toBe(number);
    await chain.blocks(20);
    expect(await solidNumber()).toBe(number + 5);
  });

  it('can be asked of a backend that lags further: all of it, state and blocks', async () => {
    await chain.blocks(30);
    await chain.must(await chain.delegate(owner, receiver, 10 * TRX), owner);
    await chain.blocks(25);
    expect(await maximum('walletsolidity')).toEqual({ max_size: 90 * TRX });
    await chain.control('fault', { route: 'walletsolidity/getcandelegatedmaxsize', kind: 'lag', count: 1, blocks: 10 });
    expect(await maximum('walletsolidity')).toEqual({ max_size: 100 * TRX });
    expect(await maximum('walletsolidity')).toEqual({ max_size: 90 * TRX });
    const solid = await solidNumber();
    await chain.control('fault', { route: '/walletsolidity/getnowblock', kind: 'lag', blocks: '7' });
    expect(await solidNumber()).toBe(solid - 7);
  });

  it('has the genesis accounts from block 0 on, and the network as it is to be', async () => {
    const fresh = await TestChain.start();
    expect(await fresh.account(fresh.pool, 'walletsolidity')).toMatchObject({
      balance: 10_000 * TRX,
      frozenV2: [{ amount: 1_000_000 * TRX }, { type: 'ENERGY', amount: 10_000_000 * TRX }, { type: 'TRON_POWER' }],
    });
    expect(await fresh.account(fresh.activate, 'walletsolidity')).toMatchObject({ balance: 10_000 * TRX });
    expect(await fresh.account(fresh.rich, 'walletsolidity')).toMatchObject({ balance: 10_000_000_000 * TRX });
    expect(await fresh.resources(fresh.pool)).toMatchObject({
      TotalEnergyWeight: 19_000_000_000,
      TotalNetWeight: 27_000_000_000,
    });
    await fresh.close();
  });
});
