import { ChainProof } from '../../../src/chain/verified-chain/chain-proof';
import { MissedHeaders } from '../../../src/chain/verified-chain/missed-headers';
import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { Shutdown } from '../../../src/common/shutdown';
import { type BlockJson, editBlocks, FOREIGN_KEY, forge, witnessOf } from '../../support/forged-blocks';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const MISSED = 20;
const one = witnessOf(1);
/** Signed by a witness. */
const ofOtherBranch = (block: BlockJson) =>
  forge(block, { header: { txTrieRoot: Buffer.alloc(32, 1), witness_address: one.address }, key: one.key });

describe('headers that were missed', () => {
  let world: OrderWorld;
  let nodes: NodeProxy[];
  beforeEach(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    await world.control('block', { count: 6 });
    await chain().look();
    await world.control('block', { count: MISSED });
    for (const node of nodes) node.calls.length = 0;
  });
  afterEach(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  const chain = () => world.app.app.get(VerifiedChain);
  const heightOf = ({ route, body }: NodeCall) => (route === 'wallet/getblock' ? Number(body['id_or_num'] ?? 0) : 0);
  const askedOf = (node: NodeProxy) => node.calls.map(heightOf).filter((height) => height > 0);
  async function newest(): Promise<number> {
    const { block_header: header } = await world.node('wallet/getnowblock');
    return (header as { raw_data: { number: number } }).raw_data.number;
  }

  it('are asked for several at once, each once', async () => {
    const [before, after] = [chain().headers!.head.number, await newest()];
    let [underWay, most] = [0, 0];
    nodes[0]!.after = async (call, answer) => {
      if (heightOf(call) === 0) return answer;
      most = Math.max(most, ++underWay);
      // Until the others that come at the same time are here.
      await until('others', () => Promise.resolve(most > 1), 2_000).catch(() => undefined);
      underWay--;
      return answer;
    };
    await chain().look();
    expect(chain().headers!.head.number).toBe(after);
    expect(most).toBeGreaterThan(1);
    const missed = Array.from({ length: after - before - 1 }, (_, at) => before + 1 + at);
    expect(askedOf(nodes[0]!).toSorted((a, b) => a - b)).toEqual(missed);
    expect(askedOf(nodes[1]!)).toEqual([]);
  });

  it('are read for the requests in flight after the service was asked to end, and no more once it closes', async () => {
    const after = await newest();
    world.app.app.get(Shutdown).begin();
    await chain().look();
    expect(chain().headers!.head.number).toBe(after);
    await world.control('block', { count: MISSED });
    world.app.app.get(MissedHeaders).onModuleDestroy();
    await chain()
      .look()
      .catch(() => undefined);
    expect(chain().headers!.head.number).toBe(after);
  });

  it.each([
    ['no signature', (block: BlockJson) => ({ ...block, block_header: { raw_data: block.block_header.raw_data } })],
    ["a stranger's signature", (block: BlockJson) => forge(block, { header: {}, key: FOREIGN_KEY })],
  ])(
    'that one node shows under %s are asked of the other, and have the signature of their witness',
    async (_, edit) => {
      const [before, after] = [chain().headers!.head.number, await newest()];
      nodes[0]!.after = (call, answer) =>
        heightOf(call) === 0 ? answer : editBlocks(answer, (block) => edit(block) as BlockJson);
      await chain().look();
      const { headers } = chain();
      expect(headers!.head.number).toBe(after);
      const { witnesses } = world.app.app.get(ChainProof).judge;
      for (let number = before + 1; number <= after; number++)
        expect(witnesses.map(({ signing_address: signer }) => signer)).toContain(headers!.at(number)!.signer);
    },
  );

  it('that one node shows of another branch are asked of the other, several at once; of that one each is asked once', async () => {
    const [before, after] = [chain().headers!.head.number, await newest()];
    // Its head is an old one, so that the chain is followed as the other shows it.
    const old = JSON.stringify(await world.node('wallet/getblock', { id_or_num: String(before), detail: false }));
    nodes[0]!.after = (call, answer) => {
      if (heightOf(call) > 0) return editBlocks(answer, ofOtherBranch);
      return call.route === 'wallet/getblock' ? old : answer;
    };
    let [underWay, most] = [0, 0];
    nodes[1]!.after = async (call, answer) => {
      if (heightOf(call) === 0) return answer;
      most = Math.max(most, ++underWay);
      await until('others', () => Promise.resolve(most > 1), 2_000).catch(() => undefined);
      underWay--;
      return answer;
    };
    await chain().look();
    expect(chain().headers!.head.number).toBe(after);
    expect(most).toBeGreaterThan(1);
    const missed = Array.from({ length: after - before - 1 }, (_, at) => before + 1 + at);
    for (const node of nodes) expect(askedOf(node).toSorted((a, b) => a - b)).toEqual(missed);
  });

  it.each<[string, (answer: string) => string | Error]>([
    ['has not', () => '{}'],
    ['fails at', () => new Error('cut')],
    ['shows another block for', (answer) => answer.replace(/("witness_address":\s*"41)[0-9a-f]{4}/, '$1dead')],
  ])('that one node %s are of the other', async (_, change) => {
    const wanted = chain().headers!.head.number + 3;
    nodes[0]!.after = (call, answer) => {
      if (heightOf(call) < wanted) return answer;
      const changed = change(answer);
      if (changed instanceof Error) throw changed;
      return changed;
    };
    await chain().look();
    expect(chain().headers!.head.number).toBe(await newest());
    expect(askedOf(nodes[1]!)).toContain(wanted);
  });
});
