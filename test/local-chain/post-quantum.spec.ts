import { blockIdOf, transactionRootOf } from './block-proof';
import { TestChain, type Answer, type Key } from './chain.fixture';

const SCHEMES = [
  ['FN_DSA_512', 896],
  ['ML_DSA_44', 1_312],
] as const;

describe('what only control/transaction and control/witnesses put into blocks', () => {
  let chain: TestChain;
  let owner: Key;
  beforeAll(async () => {
    chain = await TestChain.start();
    owner = await chain.put('owner', 100_000);
  });
  afterAll(() => chain.close());
  const headBlock = (): Promise<Answer> => chain.post('wallet/getnowblock');
  const rootOf = (block: Answer) => block['block_header'].raw_data.txTrieRoot as string;

  it.each(SCHEMES)('is a transaction signed with %s, which JSON and root show', async (scheme, keyBytes) => {
    const { txid } = await chain.control('transaction', { scheme });
    await chain.send(await chain.transfer(owner, chain.rich, 1), owner);
    await chain.blocks();
    const block = await headBlock();
    const tx = (block['transactions'] as Answer[]).find(({ txID }) => txID === txid)!;
    expect([tx['signature'], tx['pq_auth_sig'].length, tx['pq_auth_sig'][0].scheme]).toEqual([undefined, 1, scheme]);
    expect(tx['pq_auth_sig'][0].public_key).toHaveLength(keyBytes * 2);
    expect([block['transactions'].length, transactionRootOf(block), blockIdOf(block)]).toEqual([
      2,
      rootOf(block),
      block['blockID'],
    ]);
    // It pays for its bytes, which are those of a real one within the length of the signature.
    const { receipt } = await chain.post('wallet/gettransactioninfobyid', { value: txid });
    expect(receipt.net_fee).toBeGreaterThan(1_700_000);
  });

  it.each([
    ['a transaction of a stranger', async () => ({})],
    [
      'one that is pending',
      async () => {
        const sent = await chain.transfer(owner, chain.rich, 2);
        await chain.send(sent, owner);
        return { txid: sent.txID };
      },
    ],
  ])('is a field in %s that no node shows, and that the root is made of', async (_, pending) => {
    const { txid } = await chain.control('transaction', { ...(await pending()), hidden_field: true });
    await chain.blocks();
    const block = await headBlock();
    expect((block['transactions'] as Answer[]).map(({ txID }) => txID)).toEqual([txid]);
    expect(blockIdOf(block)).toBe(block['blockID']);
    expect(transactionRootOf(block)).not.toBe(rootOf(block));
    // A fork keeps it as it is.
    const { number } = await chain.head();
    await chain.control('fork', { from: number, keep: [txid] });
    await chain.blocks();
    expect(rootOf(await headBlock())).toBe(rootOf(block));
  });

  it('is refused where it is none', async () => {
    for (const body of [{ scheme: 'XMSS' }, { txid: 'ab' }, { txid: 'ab'.repeat(32), hidden_field: true }])
      await expect(chain.control('transaction', body)).rejects.toThrow('400');
  });

  it.each(SCHEMES)(
    'is a header signed with %s by the key that the witness permission names',
    async (scheme, keyBytes) => {
      const { witnesses } = (await chain.control('witnesses', { post_quantum: 2, scheme })) as { witnesses: Answer[] };
      const [witness] = witnesses as [Answer];
      const { witness_permission: permission } = await chain.post('wallet/getaccount', { address: witness['address'] });
      expect(permission.keys[0].address).toBe(witness['signing_address']);
      await chain.blocks(27);
      const { block: list } = (await chain.post('wallet/getblockbylatestnum', { num: 27 })) as { block: Answer[] };
      const signed = list.filter(({ block_header: header }) => header.pq_auth_sig);
      expect(signed.map(({ block_header: header }) => header.pq_auth_sig.scheme)).toEqual([scheme, scheme]);
      for (const block of signed) {
        const { pq_auth_sig: one, witness_signature: other } = block['block_header'] as Answer;
        expect([one.public_key.length, other, blockIdOf(block)]).toEqual([keyBytes * 2, undefined, block['blockID']]);
      }
    },
  );
});
