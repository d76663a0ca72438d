import { blockIdOf } from '../../../src/chain/proof/block-id';
import { ReferenceBlocks } from '../../../src/chain/reference-blocks';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

interface HeaderJson {
  blockID: string;
  block_header: { raw_data: { number: number; timestamp: number } & Record<string, unknown> };
}

const TWO_HOURS_MS = 7_200_000;
const FAR = 30_000_000;
/** With the id that such a header has. */
const farAhead = (answer: string) => {
  const header = JSON.parse(answer) as HeaderJson;
  const raw = header.block_header.raw_data;
  raw.number = FAR;
  header.blockID = blockIdOf(raw)!;
  return JSON.stringify(header);
};
const isTip = ({ route, body }: NodeCall) => route === 'wallet/getblock' && body['id_or_num'] === undefined;

describe('a node that shows a wrong time of the head', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeEach(async () => {
    world = await OrderWorld.open({ block: 200, nodeUrl: (url) => (proxy = new NodeProxy(url)).open() });
    caller = await world.caller();
  });
  afterEach(async () => {
    await world.close();
    await proxy.close();
  });

  async function lentOrder(): Promise<string> {
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'delegated');
    return id;
  }

  /** As one more sweep with this head in view: what it claims, it signs. */
  async function expectNothingTakenBack(id: string): Promise<void> {
    await world.sweepOnce().catch((error: unknown) => expect(error).toMatchObject({ code: 'NODE_UNAVAILABLE' }));
    const signed = await world.query(`select 1 from chain_transactions where purpose = 'reclaim'`);
    expect(signed).toEqual([]);
    expect(await world.show(id)).toMatchObject({ state: 'delegated' });
  }

  async function lie(change: (header: HeaderJson) => void, chosen: (call: NodeCall) => boolean): Promise<void> {
    let lies = 0;
    proxy.after = (call, answer) => {
      if (!chosen(call)) return answer;
      const header = JSON.parse(answer) as HeaderJson;
      change(header);
      lies++;
      return JSON.stringify(header);
    };
    await until('the lies read', () => Promise.resolve(lies > 8));
  }
  const ahead = (header: HeaderJson) => void (header.block_header.raw_data.timestamp += TWO_HOURS_MS);
  /** So that the id says nothing about the time. */
  const strange = (header: HeaderJson) => void (header.block_header.raw_data['stateRootV2'] = 'ab');

  it('has nothing taken back before its hour', async () => {
    const id = await lentOrder();
    await lie(ahead, isTip);
    await expectNothingTakenBack(id);
  });

  it('has nothing taken back before its hour when headers cannot be proved', async () => {
    const id = await lentOrder();
    await lie((header) => {
      strange(header);
      ahead(header);
    }, isTip);
    await expectNothingTakenBack(id);
  });

  it('has nothing taken back before its hour when all its heads are wrong', async () => {
    const id = await lentOrder();
    await lie(
      (header) => {
        strange(header);
        ahead(header);
      },
      ({ route }) => route.startsWith('wallet/getblock') && !route.includes('by'),
    );
    await expectNothingTakenBack(id);
  });

  it('takes back at the hour once heads are right again, however far chain time is ahead of the clock', async () => {
    const id = await lentOrder();
    await lie(ahead, isTip);
    proxy.after = (_call, answer) => answer;
    await world.control('clock', { ms: TWO_HOURS_MS });
    await world.untilState(id, 'reclaimed');
  });

  it('has a head of a height without blocks refused after a few reads, and takes back at the hour after that', async () => {
    const id = await lentOrder();
    let tip: string | undefined;
    proxy.after = (call, answer) => {
      if (!isTip(call) && call.body['id_or_num'] !== String(FAR)) return answer;
      return (tip ??= farAhead(answer));
    };
    const references = world.app.app.get(ReferenceBlocks);
    await until('the lie believed', () => Promise.resolve(references.lastHead()?.number === FAR));
    const isHeight = ({ route, body }: NodeCall) => route === 'wallet/getblock' && body['id_or_num'] !== undefined;
    const before = proxy.calls.filter(isHeight).length;
    await expect(references.verifiedHeadTimeMs()).rejects.toThrow(`head ${FAR} does not stand on the solid chain`);
    expect(proxy.calls.filter(isHeight).length - before).toBeLessThan(100);
    proxy.after = (_call, answer) => answer;
    await world.control('clock', { ms: TWO_HOURS_MS });
    await world.untilState(id, 'reclaimed');
  });

  it('signs no order that outlives its minute', async () => {
    await lentOrder();
    await lie(ahead, isTip);
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    proxy.after = (_call, text) => text;
    const { block_header: header } = (await world.node('wallet/getblock')) as unknown as HeaderJson;
    const rows = await world.query(`select expiration_ms from chain_transactions where purpose = 'delegation'`);
    expect(rows.every((row) => Number(row['expiration_ms']) <= header.raw_data.timestamp + 60_000)).toBe(true);
    expect(answer.status === 200 || answer.headers.get('x-error-code') === 'NODE_UNAVAILABLE').toBe(true);
  });
});
