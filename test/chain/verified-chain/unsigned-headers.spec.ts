import { RecordedBlocks } from '../../../src/chain/observer/recorded-blocks';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { asksForBlocks, editBlocks, forge, FOREIGN_KEY } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

describe('guarantee 3: a header that no witness has signed, at the height of a block that was final', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  /** Gives how often it was shown. */
  function forgeAt(number: number, txTrieRoot = Buffer.alloc(32, 7)): { readonly told: number } {
    const lie = { told: 0 };
    proxy.after = (call, answer) =>
      asksForBlocks(call)
        ? editBlocks(answer, (block) => {
            if (block.block_header.raw_data.number !== number) return block;
            lie.told++;
            return forge(block, { header: { txTrieRoot }, transactions: [], key: FOREIGN_KEY });
          })
        : answer;
    return lie;
  }
  const honest = () => (proxy.after = (_call, answer) => answer);
  const final = async () => (await world.query(`select final_number as number from chain_identity`))[0]?.['number'];

  it('is not a branch that a starting process refuses', async () => {
    await world.control('block', { count: 30 });
    const before = await world.startInstance();
    await until('a final block remembered', async () => (await final()) != null);
    await world.stopInstance(before);
    // More than the headers that are read down from the head.
    await world.control('block', { count: 250 });
    const lies = forgeAt(Number(await final()));
    const started = await world.startInstance();
    await until('the lies told', () => Promise.resolve(lies.told > 1));
    const chain = started.app.get(VerifiedChain);
    expect(chain.problem).toContain('no active witness signed it');
    expect(await world.query(`select 1 from chain_faults`)).toEqual([]);
    honest();
    await until('the chain followed', () => Promise.resolve(chain.problem === null));
    await world.stopInstance(started);
  });

  it('lets the audit find no delegation missing', async () => {
    const follower = await world.startInstance();
    const caller = await world.caller();
    const pending = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, {}, follower);
    await world.untilPending();
    await world.control('block', { count: 8 });
    const id = (await pending).headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    const [row] = await world.query(`select tx_id, block_number, block_id from chain_transactions`);
    const [txId, number] = [String(row!['tx_id']), Number(row!['block_number'])];
    const blocks = world.app.app.get(RecordedBlocks);
    expect(await blocks.have(txId, { number, id: String(row!['block_id']) })).toBe(true);
    // Enough witnesses have built on it: it is believed whatever was recorded.
    expect(await blocks.have(txId, { number, id: null })).toBe(true);
    expect(await blocks.have('ab'.repeat(32), { number, id: 'ab'.repeat(32) })).toBe(false);
    // The second one is a block in itself, without transactions: only the lack of blocks on it tells them from the chain's own.
    for (const root of [Buffer.alloc(32, 7), Buffer.alloc(32)]) {
      forgeAt(number, root);
      await expect(blocks.have(txId, { number, id: String(row!['block_id']) })).rejects.toMatchObject({
        reason: expect.stringContaining('too few have built on it') as string,
      });
    }
    // Nor does a node show that it is missing that keeps the block to itself.
    proxy.after = (call, answer) => (asksForBlocks(call) ? '{}' : answer);
    await expect(blocks.have(txId, { number, id: String(row!['block_id']) })).rejects.toMatchObject({
      reason: `no node shows block ${number}`,
    });
    honest();
  });
});
