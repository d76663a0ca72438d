import { TRX, TestChain, named, type Key } from './chain.fixture';

describe('the pending pool', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  beforeEach(async () => {
    chain = await TestChain.start();
    owner = await chain.put('owner', 1_000, 100);
    receiver = await chain.put('receiver', 10);
  });
  afterEach(() => chain.close());

  const pending = async (): Promise<string[]> =>
    ((await chain.post('wallet/gettransactionlistfrompending'))['txId'] ?? []) as string[];

  it('is seen by wallet reads and by what comes after it, and by nothing else', async () => {
    const fresh = named('fresh');
    await chain.send(await chain.transfer(owner, fresh, TRX), owner);
    expect(await chain.account(fresh)).toMatchObject({ balance: TRX });
    expect(await chain.account(fresh, 'walletsolidity')).toEqual({});
    expect(await chain.send(await chain.delegate(owner, fresh, 50 * TRX), owner)).toMatchObject({ result: true });
    expect(await chain.send(await chain.delegate(owner, receiver, 51 * TRX), owner)).toMatchObject({
      code: 'CONTRACT_VALIDATE_ERROR',
    });
    expect(await pending()).toHaveLength(2);
    await chain.blocks();
    expect(await pending()).toEqual([]);
  });

  it('goes into a block first come, first served', async () => {
    const sent = [];
    for (let i = 1; i <= 5; i++) {
      const tx = await chain.transfer(owner, receiver, i);
      await chain.send(tx, owner);
      sent.push(tx.txID);
    }
    await chain.blocks();
    const block = await chain.post('wallet/getnowblock');
    expect((block['transactions'] as { txID: string }[]).map(({ txID }) => txID)).toEqual(sent);
  });

  it('drops without a word what is older than a minute', async () => {
    const tx = await chain.transfer(owner, receiver, 1);
    expect(await chain.send(tx, owner)).toMatchObject({ result: true });
    await chain.control('clock', { ms: 60_000 });
    await chain.blocks();
    expect(await chain.info(tx)).toEqual({});
    expect(await chain.post('wallet/gettransactionbyid', { value: tx.txID })).toEqual({});
  });

  it('drops without a word what no longer holds on the new head', async () => {
    const activation = await chain.transfer(owner, named('fresh'), TRX);
    await chain.send(activation, owner);
    const delegation = await chain.delegate(owner, named('fresh'), 10 * TRX);
    await chain.send(delegation, owner);
    const { number } = await chain.head();
    await chain.control('fork', { from: number + 1, keep: [delegation.txID] });
    expect(await pending()).toEqual([]);
    await chain.blocks();
    expect(await chain.info(delegation)).toEqual({});
  });

  it('takes the same bytes again once they were dropped', async () => {
    const tx = await chain.transfer(owner, receiver, 1);
    await chain.control('fault', { route: 'wallet/broadcasttransaction', kind: 'accept-then-drop' });
    expect(await chain.send(tx, owner)).toMatchObject({ result: true });
    expect(await pending()).toEqual([tx.txID]);
    await chain.blocks();
    expect(await chain.info(tx)).toEqual({});
    await chain.must(tx, owner);
    expect(await chain.info(tx)).toMatchObject({ id: tx.txID });
  });

  it("leaves an owner's next transaction to the next block when the block changes who signs for it", async () => {
    const keys = [{ address: owner.hex, weight: 1 }];
    const update = await chain.build('AccountPermissionUpdateContract', {
      owner_address: owner.hex,
      owner: { type: 0, permission_name: 'owner', threshold: 1, keys },
      actives: [{ type: 2, permission_name: 'active', threshold: 1, operations: '02'.padEnd(64, '0'), keys }],
    });
    await chain.send(update, owner);
    const next = await chain.transfer(owner, receiver, 1);
    await chain.send(next, owner);
    await chain.blocks();
    expect(await chain.info(update)).toMatchObject({ fee: expect.any(Number) });
    expect(await pending()).toEqual([next.txID]);
    await chain.blocks();
    expect(await chain.info(next)).toMatchObject({ id: next.txID });
  });
});
