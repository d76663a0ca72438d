import { NodePool } from '../../../../src/chain/tron/node/node-pool';
import { NodeOrder } from '../../../../src/chain/tron/node/node-order';
import { NodeTimes } from '../../../../src/chain/tron/node/node-times';
import { ReferenceBlocks } from '../../../../src/chain/verified-chain/reference-blocks';
import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { nodeFaults } from '../../../../src/common/telemetry-channels';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { type NodeCall, NodeProxy } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const BROADCAST = 'wallet/broadcasttransaction';
const NO_STAKE =
  'Contract validate error : delegateBalance must be less than or equal to available FreezeEnergyV2 balance';
const NO_PERMISSION = "Contract validate error : permission isn't exit";

type Refusal = readonly [code: string, message: string];
const REFUSALS: readonly Refusal[] = [
  ['SIGERROR', 'Validate signature error: Permission denied'],
  ['BANDWITH_ERROR', 'Account resource insufficient error.'],
  ['CONTRACT_VALIDATE_ERROR', NO_STAKE],
  ['CONTRACT_VALIDATE_ERROR', NO_PERMISSION],
  ['CONTRACT_EXE_ERROR', 'Contract execute error : it is so'],
  ['TOO_BIG_TRANSACTION_ERROR', 'Too big transaction'],
];
/** An answer of a version to come: it does not say whether the bytes were kept. */
const UNKNOWN_CODE: Refusal = ['FROZEN_ERROR', 'The node is frozen.'];

const refusing =
  ([code, message]: Refusal) =>
  ({ route, body }: NodeCall) =>
    route === BROADCAST
      ? JSON.stringify({ code, txid: body['txID'], message: Buffer.from(message).toString('hex') })
      : undefined;
const code = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';

describe('of two nodes the first one', () => {
  let world: OrderWorld;
  let caller: Caller;
  let first: NodeProxy;
  let second: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      env: { ANSWER_TIMEOUT: '4s' },
      nodeUrl: async (url) => {
        [first, second] = [new NodeProxy(url), new NodeProxy(url)];
        return `${await first.open()},${await second.open()}`;
      },
    });
    caller = await world.caller();
    // On a busy machine a first node that is late would have the second asked beside it, or before it.
    jest.spyOn(NodeTimes.prototype, 'usualMs').mockReturnValue(30_000);
    jest.spyOn(NodeOrder.prototype, 'judge').mockReturnValue(undefined);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await world.close();
    await Promise.all([first.close(), second.close()]);
  });
  afterEach(async () => {
    for (const node of [first, second]) {
      [node.answers, node.before] = [() => undefined, () => undefined];
      node.calls.length = 0;
    }
    await world.app.app.get(PoolWallets).setState('pool', 'active');
    await world.app.app.get(PoolWallets).setState('activate', 'active');
    await moveOn(61_000);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  /** Until the service has seen the chain's new time: what is signed on the old one has expired. */
  async function moveOn(ms: number): Promise<void> {
    const newestMs = () => world.app.app.get(ReferenceBlocks).lastHead()!.timeMs;
    const beforeMs = newestMs();
    await world.control('clock', { ms });
    await until('a block of then', async () => newestMs() >= beforeMs + ms);
  }
  const place = async (activate = false) =>
    world.delegate(caller, {
      receiver_address: await world.receiver(!activate),
      amount: 1,
      activate_address: activate,
    });
  const refusals = async () => (await world.app.app.get(PoolWallets).list()).map((wallet) => wallet.refusals);
  /** Faults of nodes, since the test began. */
  const faults: unknown[] = [];
  const noteFault = (fault: unknown) => void faults.push(fault);
  beforeAll(() => nodeFaults.subscribe(noteFault));
  afterAll(() => {
    nodeFaults.unsubscribe(noteFault);
  });
  beforeEach(() => void (faults.length = 0));

  it.each([...REFUSALS, UNKNOWN_CODE])(
    'refuses bytes with %s (%s), which costs no order, no activation and no reclaim anything',
    async (...refusal) => {
      first.answers = refusing(refusal);
      const answers = [await place(), await place(true)];
      expect(answers.map(code)).toEqual(['success', 'success']);
      expect(first.count(BROADCAST)).toBeGreaterThan(0);
      const ids = answers.map(({ headers }) => headers.get('x-delegation-id')!);
      for (const id of ids) await world.untilState(id, 'delegated');
      await moveOn(3_600_000);
      for (const id of ids) await world.untilState(id, 'reclaimed');
      expect(await refusals()).toEqual([0, 0]);
    },
  );

  it.each([
    [REFUSALS[0]!, 'INTERNAL', 1],
    [REFUSALS[1]!, 'INTERNAL', 1],
    [REFUSALS[2]!, 'INSUFFICIENT_ENERGY', 0],
    [REFUSALS[3]!, 'INTERNAL', 1],
    [REFUSALS[5]!, 'INTERNAL', 0],
  ] as const)(
    'refuses bytes as the second does (%s): that is final, and the wallet rests for its own fault',
    async (refusal, answered, rests) => {
      first.answers = second.answers = refusing(refusal);
      expect(code(await place())).toBe(answered);
      expect([first.count(BROADCAST), second.count(BROADCAST)]).toEqual([1, 1]);
      expect(await refusals()).toEqual([rests, 0]);
      expect(faults).toEqual([]);
    },
  );

  it('refuses bytes for another reason than the second: the order fails, and the wallet does not rest', async () => {
    first.answers = refusing(REFUSALS[0]!);
    second.answers = refusing(REFUSALS[1]!);
    expect(code(await place())).toBe('INTERNAL');
    expect(code(await place(true))).toBe('ACTIVATION_UNAVAILABLE');
    expect(await refusals()).toEqual([0, 0]);
  });

  it('refuses bytes while the second is away: the order fails as with one node, and the wallet does not rest', async () => {
    first.answers = refusing(REFUSALS[0]!);
    await second.refuse();
    const answer = await place();
    await second.listen();
    expect(code(answer)).toBe('INTERNAL');
    expect(await refusals()).toEqual([0, 0]);
  });

  it('refuses bytes while the second hangs: that one is waited for no longer than two seconds, and blocks decide', async () => {
    const post = jest.spyOn(NodePool.prototype, 'post');
    first.answers = refusing(REFUSALS[0]!);
    // It takes them, and does not say so.
    second.before = ({ route }) => (route === BROADCAST ? NodeProxy.HANG() : undefined);
    const placing = place();
    const { body } = await until('sent to the second', async () =>
      second.calls.find(({ route }) => route === BROADCAST),
    );
    await world.node(BROADCAST, body);
    expect(code(await placing)).toBe('success');
    // Others are sent again meanwhile.
    const isOfOrder = ([, route, json]: unknown[]) =>
      route === 'broadcasttransaction' && JSON.stringify(json).includes(String(body['txID']));
    const times = post.mock.calls.filter(isOfOrder).map(([, , , ms]) => ms);
    post.mockRestore();
    expect(times[0]).toBe(3_000);
    expect(times[1]).toBeLessThanOrEqual(2_000);
    expect(await refusals()).toEqual([0, 0]);
  });

  it('takes bytes and relays them to no other: the second, which refuses them, is not set aside, and gets them again', async () => {
    first.answers = ({ route, body }) =>
      route === BROADCAST ? JSON.stringify({ result: true, txid: body['txID'] }) : undefined;
    second.answers = refusing(REFUSALS[2]!);
    const answer = await place();
    expect(answer.headers.get('x-delegation-state')).toBe('accepted');
    expect(second.count(BROADCAST)).toBe(1);
    expect(faults).toEqual([]);
    second.answers = () => undefined;
    await world.untilState(answer.headers.get('x-delegation-id')!, 'delegated');
  });
});

describe('a single node that refuses bytes', () => {
  let world: OrderWorld;
  let node: NodeProxy;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 250, nodeUrl: (url) => (node = new NodeProxy(url)).open() });
  });
  afterAll(async () => {
    await world.close();
    await node.close();
  });

  it('is believed at once, and the wallet rests for its own fault', async () => {
    const caller = await world.caller();
    const receiver = await world.receiver();
    node.answers = refusing(REFUSALS[0]!);
    expect(code(await world.delegate(caller, { receiver_address: receiver, amount: 1 }))).toBe('INTERNAL');
    expect(node.count(BROADCAST)).toBe(1);
    const rests = await world.query(`select refusals from pool_wallets where name = 'pool'`);
    expect(rests).toEqual([{ refusals: 1 }]);
  });
});
