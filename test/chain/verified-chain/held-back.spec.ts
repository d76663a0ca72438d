import { TronWeb } from 'tronweb';
import { BlockBodies } from '../../../src/chain/verified-chain/block-bodies';
import { ChainProof } from '../../../src/chain/verified-chain/chain-proof';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { asksForHead, type BlockJson } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld, type WorldOptions } from '../../support/order-world';
import { until } from '../../support/until';

const OTHERS = 60;

describe('while no block becomes final', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  afterEach(async () => {
    await world.close();
    await proxy.close();
  });

  async function open(options: WorldOptions): Promise<void> {
    world = await OrderWorld.open({
      time: 'virtual',
      ...options,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
  }
  const chain = () => world.app.app.get(VerifiedChain).headers!;
  /** As if nothing had been final before. */
  const judged = () => world.app.app.get(ChainProof).judge.finalHeight(chain());
  const headIs = (number: number) =>
    until(`block ${number} followed`, () =>
      Promise.resolve(world.app.app.get(VerifiedChain).headers !== null && chain().head.number >= number),
    );

  /** Transactions of a stranger who has nothing to do with the service. */
  async function sendOfOthers(): Promise<void> {
    const { address, private_key: key } = world.chain.accounts.find(({ role }) => role === 'rich')!;
    const to = world.chain.accounts.find(({ role }) => role === 'activate')!.address;
    const tronWeb = new TronWeb({ fullHost: world.chain.url });
    for (let n = 1; n <= OTHERS; n++) {
      const unsigned = await tronWeb.transactionBuilder.sendTrx(to, n, address);
      await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned, key));
    }
  }

  it('of a block that was looked through only what is ours is kept, which proves the order all the same', async () => {
    await open({ block: 'manual', env: { ANSWER_TIMEOUT: '20s' } });
    const caller = await world.caller();
    await world.control('block', { count: 12 });
    await headIs(12);
    await world.stopFinality();
    await sendOfOthers();
    const placing = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilPending(OTHERS + 1);
    await world.control('block');
    const answer = await placing;
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'included');
    const bodies = world.app.app.get(BlockBodies);
    const [{ tx_id: txId }] = (await world.query(`select tx_id from chain_transactions`)) as [{ tx_id: string }];
    const { transactions } = (await world.node('wallet/getblockbynum', { num: chain().head.number })) as BlockJson;
    expect(transactions).toHaveLength(OTHERS + 1);
    const kept = () => [...chain().newestFirst()].flatMap((header) => [...(bodies.of(header)?.owners.keys() ?? [])]);
    await until('looked through', () => Promise.resolve(kept().length === 1));
    expect(kept()).toEqual([txId]);
    const proved = transactions!.filter(
      ({ txID }) => bodies.of(chain().head)!.transactions!.inclusionOf(txID) !== null,
    );
    expect(proved.map(({ txID }) => txID)).toEqual([txId]);
    await world.resumeFinality();
    await world.control('block', { count: 12 });
    await world.untilState(id, 'delegated');
    expect((await world.get(caller, `/api/chain/delegations/${id}/receipt`)).status).toBe(200);
  });

  it('and a longer branch is built by fewer witnesses, what is final here does not step back', async () => {
    await open({ block: 'manual', witnesses: 27 });
    for (const height of [20, 40, 60]) {
      await world.control('block', { count: 20 });
      await headIs(height);
    }
    const { final, head } = chain();
    await world.control('witnesses', { silent: 18 });
    await world.control('fork', { from: final!.number + 3, keep: [] });
    await world.control('block', { count: 30 });
    await until('the other branch followed', () => Promise.resolve(chain().head.number > head.number));
    expect(chain().replaced).toBeGreaterThan(0);
    expect(judged()).toBeLessThan(final!.number);
    expect(judged()).toBeGreaterThan(chain().floor);
    expect(chain().final).toEqual(final);
    expect(world.app.app.get(VerifiedChain).problem).toBeNull();
  });

  it('and a node says that less is solid than before, what is final here does not step back (CHAIN_PROOF=nodes)', async () => {
    await open({ block: 'manual', env: { CHAIN_PROOF: 'nodes' } });
    await world.control('block', { count: 30 });
    await headIs(30);
    const { final } = chain();
    proxy.after = async ({ route, body }, answer) =>
      route === 'walletsolidity/getblock'
        ? JSON.stringify(await world.node(route, { ...body, id_or_num: String(final!.number - 5) }))
        : answer;
    await until('the node asked again', async () => {
      await world.control('block');
      return judged() < final!.number && chain().head.number > 31;
    });
    expect(chain().final).toEqual(final);
  });

  it('a new witness’s block as the tip of each look keeps nothing from being followed below it', async () => {
    await open({ block: 'manual', witnesses: 4 });
    await world.control('block', { count: 12 });
    await headIs(12);
    const before = new Set((await activeNow()).map(({ address }) => address));
    const [joined] = ((await world.control('witnesses', { replace: 1 }))['witnesses'] as Active).filter(
      ({ address }) => !before.has(address),
    );
    proxy.after = async (call, answer) => {
      if (!asksForHead(call)) return answer;
      const { number } = (JSON.parse(answer) as BlockJson).block_header.raw_data;
      for (let at = number; at > number - 4; at--) {
        const block = (await world.node('wallet/getblock', { ...call.body, id_or_num: String(at) })) as BlockJson;
        if (block.block_header.raw_data['witness_address'] === joined!.address) return JSON.stringify(block);
      }
      return answer;
    };
    const { number } = chain().head;
    await world.control('block', { count: 4 });
    await until('its tip seen, and what is below followed', () => Promise.resolve(chain().head.number > number));
    await until('the new one proved', async () => {
      const { number: followed } = chain().head;
      await world.control('block', { count: 4 });
      // A busy machine adds blocks faster than they are followed.
      await headIs(followed + 1);
      return chain().head.witness === joined!.address;
    });
  });

  type Active = readonly { readonly address: string }[];
  const activeNow = async () => (await world.control('witnesses'))['witnesses'] as Active;
});
