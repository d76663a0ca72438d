import { blockIdOf, blockSignerOf, transactionRootOf } from './block-proof';
import { TestChain, type Answer, type Built, type Key } from './chain.fixture';

const TWO_HOURS_MS = 7_200_000;

describe('nodes that do not tell the truth', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  let amount = 0;
  beforeEach(async () => {
    chain = await TestChain.start({ witnesses: 4 });
    owner = await chain.put('owner', 100_000);
    receiver = await chain.put('receiver', 10);
    await chain.blocks(10);
  });
  afterEach(() => chain.close());

  const transfer = (): Promise<Built> => chain.transfer(owner, receiver, ++amount);
  const another = async (): Promise<TestChain> => {
    const { url } = await chain.control('node');
    return new TestChain({ url, accounts: chain.chain.accounts });
  };
  const solidOf = async (of: TestChain): Promise<number> =>
    (await of.post('walletsolidity/getnowblock'))['block_header'].raw_data.number as number;
  const finalOf = async (of: TestChain): Promise<string> => (await of.post('wallet/getnodeinfo'))['solidityBlock'];

  describe('another node of the same chain', () => {
    it('has the same blocks, and takes broadcasts for them', async () => {
      const other = await another();
      expect(await other.head()).toEqual(await chain.head());
      expect(await solidOf(other)).toBe(await solidOf(chain));
      const tx = await transfer();
      expect(await other.send(tx, owner)).toMatchObject({ result: true });
      await chain.blocks();
      expect(await chain.info(tx)).toMatchObject({ id: tx.txID });
      expect(await other.info(tx)).toMatchObject({ id: tx.txID });
    });

    it('has faults of its own', async () => {
      const other = await another();
      await other.control('fault', { route: 'wallet/getblock', kind: '503', count: 1 });
      expect(await chain.call('wallet/getblock')).toMatchObject({ status: 200 });
      expect(await other.call('wallet/getblock')).toMatchObject({ status: 503 });
    });

    it('stands still in its head: blocks, accounts, transactions, while the first goes on', async () => {
      const other = await another();
      const before = { head: await other.head(), account: await other.account(receiver), solid: await solidOf(other) };
      await other.control('stand-still', { head: true });
      const tx = await chain.must(await transfer(), owner);
      await chain.blocks(10);
      expect(await other.head()).toEqual(before.head);
      expect(await other.account(receiver)).toEqual(before.account);
      expect(await other.info(tx)).toEqual({});
      expect(await other.post('wallet/getblockbynum', { num: before.head['number'] + 1 })).toEqual({});
      // Its solid view catches up with its head, and no further.
      expect(await solidOf(other)).toBe(before.head['number']);
      expect((await other.post('wallet/getnodeinfo'))['block']).toContain(before.head['blockID']);
      expect((await chain.head())['number']).toBe(before.head['number'] + 11);
      await other.control('stand-still');
      expect(await other.head()).toEqual(await chain.head());
      expect(await other.info(tx)).toMatchObject({ id: tx.txID });
    });

    it('stands still in its solid view alone', async () => {
      const other = await another();
      const before = { solid: await solidOf(other), final: await finalOf(other) };
      await other.control('stand-still', { solid: true });
      await chain.blocks(10);
      expect(await other.head()).toEqual(await chain.head());
      expect(await solidOf(other)).toBe(before.solid);
      expect(await finalOf(other)).toBe(before.final);
      expect(await solidOf(chain)).toBe(before.solid + 10);
    });

    it('swallows broadcasts: success, and no peer ever hears of them', async () => {
      const other = await another();
      expect(await other.control('stand-still', { head: true, solid: true, broadcasts: true })).toEqual({
        head: (await chain.head())['number'],
        solid: await solidOf(chain),
        broadcasts: true,
      });
      const tx = await transfer();
      expect(await other.send(tx, owner)).toMatchObject({ result: true, txid: tx.txID });
      expect(await chain.post('wallet/getpendingsize')).toEqual({ pendingSize: 0 });
      await chain.blocks(3);
      expect(await chain.info(tx)).toEqual({});
      expect(await chain.send(tx, owner)).toMatchObject({ result: true });
    });

    it('is refused what is neither true nor false', async () => {
      expect(await chain.call('control/stand-still', { head: 'yes' })).toMatchObject({ status: 400 });
    });
  });

  describe('a forged block', () => {
    const lie = (kind: string, route = 'wallet/getblock'): Promise<Answer> =>
      chain.control('fault', { route, kind, count: 1 });
    const witnesses = async (): Promise<string[]> =>
      ((await chain.control('witnesses'))['witnesses'] as Answer[]).map((it) => it['signing_address'] as string);

    it.each(['unsigned-header', 'foreign-header'])(
      '%s: two hours ahead, agrees with itself, signed by no witness',
      async (kind) => {
        const honest = await chain.post('wallet/getblock');
        await lie(kind);
        const forged = await chain.post('wallet/getblock');
        expect(forged['block_header'].raw_data).toEqual({
          ...honest['block_header'].raw_data,
          timestamp: honest['block_header'].raw_data.timestamp + TWO_HOURS_MS,
        });
        expect(blockIdOf(forged)).toBe(forged['blockID']);
        expect(forged['blockID']).not.toBe(honest['blockID']);
        expect(await witnesses()).toContain(blockSignerOf(honest));
        expect(await witnesses()).not.toContain(blockSignerOf(forged));
        expect(forged['block_header'].witness_signature === honest['block_header'].witness_signature).toBe(
          kind === 'unsigned-header',
        );
        expect(await chain.post('wallet/getblock')).toEqual(honest);
      },
    );

    it('added-transactions: one that is only pending stands under a root that does not have it', async () => {
      await chain.must(await transfer(), owner);
      const tx = await transfer();
      await chain.send(tx, owner);
      const honest = await chain.post('wallet/getnowblock');
      await lie('added-transactions', 'wallet/getnowblock');
      const forged = await chain.post('wallet/getnowblock');
      expect((forged['transactions'] as Answer[]).map(({ txID }) => txID as string)).toEqual([
        honest['transactions'][0].txID,
        tx.txID,
      ]);
      expect(forged['block_header']).toEqual(honest['block_header']);
      expect(transactionRootOf(honest)).toBe(honest['block_header'].raw_data.txTrieRoot);
      expect(transactionRootOf(forged)).not.toBe(honest['block_header'].raw_data.txTrieRoot);
    });

    it('missing-transactions: a block under a root of more than it shows, in lists too', async () => {
      await chain.must(await transfer(), owner);
      const { number } = await chain.head();
      const honest = await chain.post('wallet/getblockbynum', { num: number });
      await lie('missing-transactions', 'wallet/getblockbynum');
      const { transactions, ...header } = honest;
      expect(transactions).toHaveLength(1);
      expect(await chain.post('wallet/getblockbynum', { num: number })).toEqual(header);
      await lie('missing-transactions', 'wallet/getblockbylatestnum');
      expect(await chain.post('wallet/getblockbylatestnum', { num: 1 })).toEqual({ block: [header] });
    });

    it('unknown-field: under its id stands the root of no transactions, and none of them, besides an unknown field', async () => {
      await chain.must(await transfer(), owner);
      const { number } = await chain.head();
      const honest = await chain.post('wallet/getblockbynum', { num: number });
      await lie('unknown-field', 'wallet/getblockbylimitnext');
      const { block } = await chain.post('wallet/getblockbylimitnext', { startNum: number, endNum: number + 1 });
      const [forged] = block as Answer[];
      expect([forged!['blockID'], forged!['transactions']]).toEqual([honest['blockID'], undefined]);
      expect(forged!['block_header'].raw_data).toEqual({
        ...honest['block_header'].raw_data,
        stateRootV2: 'ab'.repeat(32),
        txTrieRoot: transactionRootOf(forged!),
      });
      expect(blockIdOf(forged!)).not.toBe(honest['blockID']);
    });

    it('missing-number: under its id stands the root of its transactions and of one that is only pending', async () => {
      await chain.must(await transfer(), owner);
      const tx = await transfer();
      await chain.send(tx, owner);
      const { number } = await chain.head();
      const honest = await chain.post('wallet/getblockbynum', { num: number });
      await lie('missing-number', 'wallet/getblockbynum');
      const forged = await chain.post('wallet/getblockbynum', { num: number });
      expect((forged['transactions'] as Answer[]).map(({ txID }) => txID as string)).toEqual([
        honest['transactions'][0].txID,
        tx.txID,
      ]);
      const { number: _left, ...raw } = honest['block_header'].raw_data as Answer;
      expect(forged['block_header'].raw_data).toEqual({ ...raw, txTrieRoot: transactionRootOf(forged) });
      expect(forged['blockID']).toBe(honest['blockID']);
    });

    it('is for routes that answer blocks', async () => {
      expect(await chain.call('control/fault', { route: 'wallet/getaccount', kind: 'unsigned-header' })).toMatchObject({
        status: 400,
        text: expect.stringContaining('wallet/getblockbynum'),
      });
    });
  });
});
