import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { expectChainTruth } from '../../support/chain-truth';
import { type BlockJson, showsBlock } from '../../support/forged-blocks';
import { NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

/** Many more than are asked for alone at the same time. */
const HANGING = 12;
/** The order's block is so far above its reference block; the order has not expired by then. */
const LATER = 20;
/** With these on top, the order's block is final. */
const ABOVE = 5;
/** With these, it is not, and no answer has both it and the lowest block of the chain that is followed. */
const FEW_ABOVE = 3;
/** Each of them is asked for in turn, and what was set aside is tried again once a minute. */
const MOST_WAITING_MS = 300_000;

/** No instance sees them come, so that the next one asks for many in one answer. */
describe('guarantee 5: twelve blocks at which the only node hangs for good keep no later block from being read', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let hanging: number[] = [];
  beforeEach(async () => {
    hanging = [];
    world = await OrderWorld.open({
      time: 'virtual',
      block: 3_000,
      env: { DELEGATION_ANSWER: 'accepted' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    proxy.after = (call, text) =>
      hanging.some((number) => showsBlock(call, text, number)) ? new Promise<string>(() => undefined) : text;
  });
  afterEach(async () => {
    await world.close();
    await proxy.close();
  });

  const untilHead = (number: number) =>
    until(`block ${number}`, async () => {
      const { block_header: header } = (await world.node('wallet/getblock')) as unknown as BlockJson;
      return header.raw_data.number >= number;
    });

  /** Gives the order's block. */
  async function landUnseen(above: number): Promise<number> {
    let bytes: Record<string, unknown> | undefined;
    proxy.answers = ({ route, body }) => {
      if (route !== 'wallet/broadcasttransaction') return undefined;
      bytes = body;
      return '{"result":true}';
    };
    await untilHead(LATER);
    const answer = await world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.status).toBe(200);
    const [row] = await world.query('select ref_block_number as number from chain_transactions');
    await world.stopInstance(world.app);
    const landed = Number(row!['number']) + LATER;
    hanging = Array.from({ length: HANGING }, (_, at) => landed - HANGING - 1 + at);
    await untilHead(landed - 1);
    expect(await world.node('wallet/broadcasttransaction', bytes)).toHaveProperty('result', true);
    await untilHead(landed + above);
    expect(await world.node('wallet/getblockbynum', { num: landed })).toHaveProperty('transactions.length', 1);
    return landed;
  }

  async function start(): Promise<void> {
    const { app } = await world.startInstance();
    await until('the chain read', async () => app.get(VerifiedChain).headers !== null);
    expect(app.get(VerifiedChain).headers!.floor).toBeLessThanOrEqual(hanging[0]!);
  }

  async function untilFinal(): Promise<void> {
    await world.untilRow(`select 1 from chain_transactions where state = 'final'`, [], MOST_WAITING_MS);
    await expectChainTruth(world);
  }

  it('although it was asked for together with them', async () => {
    await landUnseen(ABOVE);
    await start();
    await untilFinal();
  });

  it('although the node hung at it too for a while', async () => {
    const landed = await landUnseen(FEW_ABOVE);
    hanging.push(landed);
    proxy.calls.length = 0;
    await start();
    const alone = () => new Set(proxy.calls.map(({ body }) => body['num']));
    const areAsked = async () => hanging.every((number) => alone().has(number));
    await until('each of them asked for alone', areAsked, MOST_WAITING_MS);
    hanging.pop();
    await untilFinal();
  });
});
