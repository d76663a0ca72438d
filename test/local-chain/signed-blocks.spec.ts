import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockIdOf, blockSignerOf, transactionRootOf } from './block-proof';
import { TestChain, type Answer, type Key } from './chain.fixture';

const RECORDED = readFileSync(join(__dirname, '..', 'conformance', 'blocks', 'blocks.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Answer);

describe('signed blocks', () => {
  let chain: TestChain;
  let owner: Key;
  let receiver: Key;
  beforeAll(async () => {
    chain = await TestChain.start();
    owner = await chain.put('owner', 100_000);
    receiver = await chain.put('receiver', 10);
  });
  afterAll(() => chain.close());

  const blockAt = (num: number): Promise<Answer> => chain.post('wallet/getblockbynum', { num });
  const headBlock = (): Promise<Answer> => chain.post('wallet/getnowblock');
  const witnesses = async (of = chain): Promise<Answer[]> =>
    (await of.post('wallet/listwitnesses'))['witnesses'] as Answer[];
  const signerOf = async (witness: Answer, of = chain): Promise<string> => {
    const account = await of.post('wallet/getaccount', { address: witness['address'] });
    return (account['witness_permission']?.keys[0].address ?? witness['address']) as string;
  };

  it('are measured by formulas that hold for the recorded blocks of a real node', () => {
    expect(RECORDED).toHaveLength(97);
    for (const block of RECORDED) {
      expect(blockIdOf(block)).toBe(block['blockID']);
      expect(blockSignerOf(block)).toBe(block['block_header'].raw_data.witness_address);
      expect(transactionRootOf(block)).toBe(block['block_header'].raw_data.txTrieRoot);
    }
  });

  it('have the fields of a real header', async () => {
    const [recorded, own] = [RECORDED[0]!, await headBlock()];
    expect(Object.keys(own['block_header'].raw_data).sort()).toEqual(
      Object.keys(recorded['block_header'].raw_data).sort(),
    );
    expect(own['block_header'].raw_data.version).toBe(recorded['block_header'].raw_data.version);
    expect(own['block_header'].witness_signature).toMatch(/^[0-9a-f]{128}0[01]$/);
  });

  it.each([0, 1, 2, 3, 4, 5, 7, 8])('name the root over %i transactions with signatures and results', async (count) => {
    for (let i = 0; i < count; i++) await chain.send(await chain.transfer(owner, receiver, 100 * count + i + 1), owner);
    await chain.blocks();
    const block = await headBlock();
    expect(block['transactions'] ?? []).toHaveLength(count);
    expect(transactionRootOf(block)).toBe(block['block_header'].raw_data.txTrieRoot);
    expect(blockIdOf(block)).toBe(block['blockID']);
    for (const changed of ['signature', 'ret'])
      if (count > 0) {
        const transactions = (block['transactions'] as Answer[]).map((tx, i) => (i ? tx : { ...tx, [changed]: [] }));
        expect(transactionRootOf({ ...block, transactions })).not.toBe(block['block_header'].raw_data.txTrieRoot);
      }
  });

  it('come from 27 witnesses in turn, signed by the key of their witness permission where they have one', async () => {
    const list = await witnesses();
    expect(list).toHaveLength(27);
    expect(list.every((it) => it['isJobs'] === true)).toBe(true);
    const signers = new Map<string, string>();
    for (const witness of list) signers.set(witness['address'], await signerOf(witness));
    await chain.blocks(27);
    const { number } = await chain.head();
    const producers = new Set<string>();
    let parent = (await blockAt(number - 27))['blockID'] as string;
    for (let height = number - 26; height <= number; height++) {
      const block = await blockAt(height);
      const raw = block['block_header'].raw_data as Answer;
      expect(raw['parentHash']).toBe(parent);
      expect(blockSignerOf(block)).toBe(signers.get(raw['witness_address']));
      producers.add(raw['witness_address']);
      parent = block['blockID'];
    }
    expect(producers).toEqual(new Set(signers.keys()));
  });

  it('come from witnesses with a key of their own, with a permission for it, and with another key', async () => {
    const kinds = await Promise.all(
      (await witnesses()).map(async ({ address }) => {
        const account = await chain.post('wallet/getaccount', { address });
        expect(account['is_witness']).toBe(true);
        const permission = account['witness_permission'] as Answer | undefined;
        if (!permission) return 'none';
        const signer = permission['keys'][0].address as string;
        expect(permission).toEqual({
          type: 'Witness',
          id: 1,
          permission_name: 'witness',
          threshold: 1,
          keys: [{ address: signer, weight: 1 }],
        });
        return signer === address ? 'own key' : 'another key';
      }),
    );
    expect(new Set(kinds)).toEqual(new Set(['none', 'own key', 'another key']));
    const [first] = await witnesses();
    const solid = await chain.post('walletsolidity/getaccount', { address: first!['address'] });
    expect(solid).toMatchObject({ is_witness: true });
  });

  it('are of as many witnesses as asked for', async () => {
    for (const count of [1, 4, 31]) {
      const other = await TestChain.start({ witnesses: count });
      expect(await witnesses(other)).toHaveLength(count);
      await other.blocks(count);
      const signers = new Set<string>();
      for (let num = 1; num <= count; num++)
        signers.add(blockSignerOf(await other.post('wallet/getblockbynum', { num })));
      expect(signers).toEqual(new Set(await Promise.all((await witnesses(other)).map((it) => signerOf(it, other)))));
      await other.close();
    }
  });
});
