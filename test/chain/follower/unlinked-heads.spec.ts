import { blockIdOf } from '../../../src/chain/proof/block-id';
import { ReferenceBlocks } from '../../../src/chain/reference-blocks';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';

interface HeaderJson {
  blockID: string;
  block_header: { raw_data: { number: number; timestamp: number; parentHash: string } & Record<string, unknown> };
}

const TWO_HOURS_MS = 7_200_000;
const STRANGER = 'ab'.repeat(32);
const isHeader = ({ route }: NodeCall) => route === 'wallet/getblock';

/**
 * Each of these headers has the id that its fields make, so it proves itself. Only its place in the chain shows that nobody has
 * built on it: one whose place is not looked at would end every rental two hours early.
 */
describe('a sweep by a head two hours ahead', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let references: ReferenceBlocks;
  let head: HeaderJson;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      env: { DELEGATION_ANSWER: 'accepted' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    references = world.app.app.get(ReferenceBlocks);
    const follower = await world.startInstance();
    await world.control('block', { count: 6 });
    const caller = await world.caller();
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.control('block', { count: 6 });
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
    await world.stopInstance(follower);
    head = (await world.node('wallet/getblock')) as unknown as HeaderJson;
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(async () => {
    proxy.after = (_call, answer) => answer;
    await references.refresh();
  });

  function forge(number: number, parentHash: string): HeaderJson {
    const forged = structuredClone(head);
    const raw = forged.block_header.raw_data;
    Object.assign(raw, { number, parentHash, timestamp: raw.timestamp + TWO_HOURS_MS });
    return { ...forged, blockID: blockIdOf(raw)! };
  }

  /** The node shows these as its newest block and at their heights. */
  function show(newest: HeaderJson, ...atHeights: HeaderJson[]): void {
    proxy.after = (call, answer) => {
      if (!isHeader(call)) return answer;
      const height = call.body['id_or_num'];
      if (height === undefined) return JSON.stringify(newest);
      const other = atHeights.find(({ block_header: header }) => String(header.raw_data.number) === height);
      return other ? JSON.stringify(other) : answer;
    };
  }

  const height = () => head.block_header.raw_data.number;
  const parent = () => head.block_header.raw_data.parentHash;
  const onHead = () => forge(height() + 1, head.blockID);
  const stranger = () => forge(height() + 1, STRANGER);
  const aboveStranger = () => forge(height() + 2, stranger().blockID);

  it.each<[string, () => HeaderJson[]]>([
    ['that no block leads to', () => [forge(height() + 1_000, STRANGER)]],
    ['that no other reading shows', () => [onHead()]],
    ['in the place of another block', () => [forge(height(), parent())]],
    ['whose parent is a stranger', () => [stranger(), stranger()]],
    ['whose parent has a stranger for its parent', () => [aboveStranger(), stranger(), aboveStranger()]],
    ['whose parent no reading shows', () => [aboveStranger(), aboveStranger()]],
  ])('%s takes nothing back, however often it is shown', async (_, lie) => {
    const [newest, ...atHeights] = lie();
    show(newest!, ...atHeights);
    for (let sweeps = 0; sweeps < 2; sweeps++) {
      expect((await references.refresh()).head.id).toBe(newest!.blockID);
      await world.sweepOnce().catch((error: unknown) => expect(error).toMatchObject({ code: 'NODE_UNAVAILABLE' }));
    }
    expect(await world.query(`select 1 from chain_transactions where purpose = 'reclaim'`)).toEqual([]);
    expect(await world.query(`select state, epoch from delegations`)).toEqual([{ state: 'delegated', epoch: 0 }]);
  });

  it('that stands on the solid chain takes back what is due', async () => {
    await world.control('clock', { ms: TWO_HOURS_MS });
    await world.control('block');
    await references.refresh();
    expect(await world.sweepOnce()).toMatchObject({ due: 1, sent: 1 });
  });
});
