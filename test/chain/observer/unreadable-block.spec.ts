import { VerifiedChain } from '../../../src/chain/verified-chain/verified-chain';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { asksForBlocks, editBlocks, showsBlock, STRANGER_ID } from '../../support/forged-blocks';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
const EXCEPTION = '{"Error":"class java.lang.NullPointerException : null"}';

type Answer = (call: NodeCall, answer: string, number: number | null) => string;

const forged: Answer = (call, answer, number) =>
  asksForBlocks(call)
    ? editBlocks(answer, (block) =>
        block.block_header.raw_data.number === number
          ? { ...block, transactions: [{ txID: STRANGER_ID, raw_data_hex: '0a02abcd' }] }
          : block,
      )
    : answer;
/** Whether it is asked for alone, or together with others. */
const failing: Answer = (call, answer, number) => (showsBlock(call, answer, number) ? EXCEPTION : answer);

/** The last: how often the only node is asked before it is left in peace for a while. */
const WAYS: [way: string, shown: Answer, questions: number][] = [
  ['whose transactions do not make its root', forged, 2],
  ['for which the node answers with an exception', failing, 1],
];

/** Between an order's reference block and the block that includes it lies one that cannot be read; no order comes afterwards. */
describe.each(WAYS)('a block %s strands no order that is in a later one', (_way, shown, questions) => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let unreadable: number | null;
  beforeEach(async () => {
    unreadable = null;
    world = await OrderWorld.open({
      block: 'manual',
      // No sweep, which would ask for the newest header too.
      env: { ANSWER_TIMEOUT: '3s', RECLAIM_SWEEP: '10m' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    proxy.after = (call, answer) => shown(call, answer, unreadable);
    await world.control('block', { count: 12 });
  });
  afterEach(async () => {
    await world.close();
    await proxy.close();
  });

  async function mine(): Promise<number> {
    await world.control('block');
    const { block_header: header } = (await world.node('wallet/getblock')) as {
      block_header: { raw_data: { number: number } };
    };
    return header.raw_data.number;
  }

  /** The unreadable block comes while the order's bytes are on their way; then `meanwhile`, and the block that includes them. */
  async function place(meanwhile: () => Promise<void>): Promise<string> {
    const caller = await world.caller();
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    let held = false;
    proxy.before = async ({ route }) => {
      if (route !== BROADCAST) return;
      held = true;
      await released;
    };
    const answer = world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await until('the bytes on their way', () => Promise.resolve(held));
    unreadable = (await mine()) + 1;
    await mine();
    release();
    await world.untilPending();
    await meanwhile();
    await mine();
    const row = await world.untilRow('select subject_id, ref_block_number as number from chain_transactions');
    expect(Number(row['number'])).toBeLessThan(unreadable);
    void answer.catch(() => undefined);
    return String(row['subject_id']);
  }

  async function expectSettled(id: string): Promise<void> {
    await until('settled', async () => {
      await mine();
      return /^(delegated|reclaim|taken)/.test((await world.show(id))!.state);
    });
    expect(unreadable).not.toBeNull();
    unreadable = null;
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  }

  it('when that one was seen as it came', async () => {
    const id = await place(async () => undefined);
    await world.untilState(id, 'included');
    await expectSettled(id);
  });

  it('when no instance was there as it came', async () => {
    const id = await place(() => proxy.refuse());
    await world.control('block', { count: 10 });
    await proxy.listen();
    await expectSettled(id);
  });

  it('when no instance was there for longer than verified headers are kept', async () => {
    const id = await place(() => proxy.refuse());
    await world.control('block', { count: 200 });
    await proxy.listen();
    await expectSettled(id);
  });

  it('nor does the chain stand still when none of the newest can be read', async () => {
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 1_000 });
    const caller = await world.caller();
    void world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilRow('select 1 from chain_transactions');
    const first = await mine();
    proxy.after = (call, answer) => {
      for (let number = first; number < first + 8; number++)
        if (shown(call, answer, number) !== answer) return shown(call, answer, number);
      return answer;
    };
    for (let number = first + 1; number < first + 4; number++) {
      expect(await mine()).toBe(number);
      await until('it is followed', () =>
        Promise.resolve(world.app.app.get(VerifiedChain).headers!.head.number === number),
      );
    }
  });

  it('and is asked for again after pauses that grow, not with every turn', async () => {
    await world.control('fault', { route: BROADCAST, kind: 'accept-then-drop', count: 1_000 });
    const caller = await world.caller();
    void world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    await world.untilRow('select 1 from chain_transactions');
    const askedAtMs: number[] = [];
    proxy.before = ({ route, body }) => {
      if (route.endsWith('getblockbynum') && body['num'] === unreadable) askedAtMs.push(performance.now());
    };
    unreadable = (await mine()) + 1;
    await mine();
    // The fourth time 0.4 + 0.8 + 1.6 s after the first.
    await until('asked four times', () => Promise.resolve(askedAtMs.length > 3 * questions));
    expect(askedAtMs[3 * questions]! - askedAtMs[0]!).toBeGreaterThan(2_700);
  });
});
