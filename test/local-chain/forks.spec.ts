import { TRX, TestChain, type Key } from './chain.fixture';

describe('a fork', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  beforeEach(async () => {
    chain = await TestChain.start({ solidLag: 5 });
    owner = await chain.put('owner', 1_000, 100);
    receiver = await chain.put('receiver', 10);
  });
  afterEach(() => chain.close());

  const finalNumber = async (): Promise<number> =>
    Number(/^Num:(\d+)/.exec((await chain.post('wallet/getnodeinfo'))['solidityBlock'])![1]);

  it('takes the head, its state and its transactions back to the height before', async () => {
    await chain.blocks(3);
    const before = await chain.head();
    const account = await chain.account(owner);
    const tx = await chain.must(await chain.delegate(owner, receiver, 10 * TRX), owner);
    const answer = await chain.control('fork', { from: before['number'] + 1, keep: [] });
    expect(answer).toMatchObject({ dropped: 1, pending: [], head: { id: before['blockID'] } });
    expect(await chain.head()).toEqual(before);
    expect(await chain.info(tx)).toEqual({});
    expect(await chain.account(owner)).toEqual(account);
    expect(
      await chain.post('wallet/getdelegatedresourcev2', { fromAddress: owner.hex, toAddress: receiver.hex }),
    ).toEqual({});
  });

  it('brings a kept transaction into another block, and no other', async () => {
    await chain.blocks(3);
    const { number } = await chain.head();
    const header = await chain.header();
    const kept = await chain.delegate(owner, receiver, 10 * TRX, {}, { header });
    const lost = await chain.delegate(owner, receiver, 20 * TRX, {}, { header });
    await chain.send(kept, owner);
    await chain.send(lost, owner);
    await chain.blocks(2);
    const old = await chain.post('wallet/getblockbynum', { num: number + 1 });
    await chain.control('fork', { from: number + 1, keep: [kept.txID] });
    expect(await chain.post('wallet/getpendingsize')).toEqual({ pendingSize: 1 });
    await chain.blocks();
    const block = await chain.post('wallet/getblockbynum', { num: number + 1 });
    expect(block['blockID']).not.toBe(old['blockID']);
    expect(await chain.post('wallet/getblockbyid', { value: old['blockID'] })).toEqual({});
    expect(await chain.info(kept)).toMatchObject({ blockNumber: number + 1 });
    expect(await chain.info(lost)).toEqual({});
  });

  it('loses a transaction whose reference block is gone with the fork', async () => {
    await chain.blocks(2);
    const { number } = await chain.head();
    await chain.blocks();
    const tx = await chain.must(await chain.transfer(owner, receiver, 1), owner);
    await chain.control('fork', { from: number + 1, keep: [tx.txID] });
    expect(await chain.post('wallet/getpendingsize')).toEqual({ pendingSize: 0 });
    await chain.blocks();
    expect(await chain.send(tx, owner)).toMatchObject({ code: 'TAPOS_ERROR' });
  });

  it('never touches what is final, which is two blocks above the solid view', async () => {
    await chain.blocks(10);
    const { number } = await chain.head();
    const solid = (await chain.post('walletsolidity/getnowblock'))['block_header'].raw_data.number as number;
    expect(solid).toBe(number - 5);
    expect(await chain.call('control/fork', { from: solid + 2 })).toMatchObject({
      status: 400,
      text: expect.stringContaining(`final height ${solid + 2}`),
    });
    await chain.control('fork', { from: solid + 3 });
    expect((await chain.head())['number']).toBe(solid + 2);
    expect((await chain.post('walletsolidity/getnowblock'))['block_header'].raw_data.number).toBe(solid);
  });

  it('is built on by the other witnesses in turn: its blocks become final as fast as any', async () => {
    await chain.blocks(10);
    const { number } = await chain.head();
    await chain.control('fork', { from: number - 2 });
    await chain.blocks(3);
    expect(await finalNumber()).toBe(number - 3);
    for (let height = number - 2; height < number + 10; height++) {
      await chain.blocks();
      expect(await finalNumber()).toBe(height);
    }
  });
});
