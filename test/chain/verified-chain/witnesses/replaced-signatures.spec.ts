import { VerifiedChain } from '../../../../src/chain/verified-chain/verified-chain';
import { WitnessSetRepository } from '../../../../src/chain/verified-chain/witnesses/witness-set.repository';
import { type BlockJson, editBlocks, FOREIGN_KEY, forge } from '../../../support/forged-blocks';
import { NodeProxy } from '../../../support/node-proxy';
import { OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

type Active = readonly { readonly address: string; readonly signing_address: string }[];

/** The id of a block leaves out who signed it. */
describe('the key of a witness, where a node shows its blocks under the signature of another key', () => {
  let world: OrderWorld;
  let nodes: NodeProxy[];
  beforeEach(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 100,
      witnesses: 27,
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    await goesOn(1);
  });
  afterEach(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });

  const headers = () => [...world.app.app.get(VerifiedChain).headers!.newestFirst()];
  const final = () => world.app.app.get(VerifiedChain).headers?.final?.number ?? 0;
  async function goesOn(blocks: number): Promise<void> {
    const before = final();
    await until('blocks become final', () => Promise.resolve(final() >= before + blocks));
  }
  const known = async () => (await world.app.app.get(WitnessSetRepository).find())!.witnesses;
  async function active(): Promise<Active> {
    const { witnesses } = (await world.control('witnesses')) as { witnesses: Active };
    return witnesses
      .map(({ address, signing_address }) => ({ address, signing_address }))
      .toSorted((a, b) => (a.address < b.address ? -1 : 1));
  }

  it('stays, and its blocks count again, once another node shows them as they are', async () => {
    const before = await known();
    const [victim] = before;
    const isVictims = ({ block_header: { raw_data: raw } }: BlockJson) => raw['witness_address'] === victim!.address;
    nodes[0]!.after = (_call, answer) =>
      editBlocks(answer, (block) => (isVictims(block) ? forge(block, { header: {}, key: FOREIGN_KEY }) : block));
    nodes[1]!.before = () => {
      throw new Error('away');
    };
    const replaced = () =>
      headers().filter(({ witness, signer }) => witness === victim!.address && signer !== victim!.signing_address);
    await until('such a block in the chain', async () => replaced().length > 0);
    nodes[1]!.before = () => undefined;
    await goesOn(4 * 27);
    await until('none left', async () => replaced().length === 0);
    expect(await known()).toEqual(before);
    expect(await world.query(`select 1 from witness_changes`)).toEqual([]);
  });

  it('is not replaced on the word of one of two nodes, and is as soon as the other shows the same', async () => {
    const before = await known();
    nodes[1]!.before = () => {
      throw new Error('away');
    };
    await world.control('witnesses', { rotate_keys: 1 });
    const after = await active();
    await goesOn(4 * 27);
    expect(await known()).toEqual(before);
    nodes[1]!.before = () => undefined;
    await until('the new key known', async () => JSON.stringify(await known()) === JSON.stringify(after));
  });
});
