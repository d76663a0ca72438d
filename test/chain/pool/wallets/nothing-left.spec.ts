import { TronWeb } from 'tronweb';
import type { ChainReads } from '../../../../src/chain/tron/node/chain-reads';
import { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import type { WalletRow } from '../../../../src/chain/pool/wallets/wallet-row';
import { WalletStake } from '../../../../src/chain/pool/wallets/wallet-stake';
import { Clock } from '../../../../src/common/clock';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { MovableClock } from '../../../support/movable-clock';
import { type NodeCall, NodeProxy } from '../../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const MAXIMUM = 'walletsolidity/getcandelegatedmaxsize';
const SOLID_ACCOUNT = 'walletsolidity/getaccount';
const RESOURCES = 'wallet/getaccountresource';

/** A node that has failed once rests for so long. */
const REST_MS = 1_000;

type Lie = (call: NodeCall, answer: string) => string;
const saying =
  (routes: readonly string[], said: string): Lie =>
  ({ route }, answer) =>
    routes.includes(route) ? said : answer;
/** The answer for a wallet; a receiver is there. */
const NOTHING = '{}';
const MORE_TRX: Lie = ({ route }, answer) =>
  route === SOLID_ACCOUNT ? answer.replace(/("balance":\s*)(\d+)/, '$19$2') : answer;
const MORE_BANDWIDTH: Lie = ({ route }, answer) =>
  route === RESOURCES ? answer.replaceAll(/("(?:freeNet|Net)Limit":\s*)(\d+)/g, '$19$2') : answer;
const THOUSANDFOLD: Lie = ({ route }, answer) =>
  route === MAXIMUM ? answer.replace(/("max_size":\s*)(\d+)/, '$1$2000') : answer;

describe.each([
  ['a single node', 1],
  ['the first of two nodes', 2],
])('what %s says that is left of a wallet', (_, count) => {
  let world: OrderWorld;
  let caller: Caller;
  const nodes: NodeProxy[] = [];
  const clock = new MovableClock();
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 500,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        nodes.splice(0);
        for (let at = 0; at < count; at++) nodes.push(new NodeProxy(url));
        return (await Promise.all(nodes.map((node) => node.open()))).join(',');
      },
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });
  afterEach(async () => {
    for (const node of nodes) node.after = (_call, answer) => answer;
    await readAgain();
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const place = async () => world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const code = ({ headers }: Answer) => headers.get('x-error-code') ?? 'success';
  /** By readings that begin now: what is under way may have asked before. */
  async function readAgain(): Promise<void> {
    await world.tryToReadWallets();
    const [{ now } = {}] = await world.query(`select clock_timestamp()::text as now`);
    await until('every wallet read', async () => {
      await world.tryToReadWallets();
      const unread = `select 1 from pool_wallets where observed_at is null or observed_at < $1::timestamptz`;
      return (await world.query(unread, [now])).length === 0;
    });
  }
  const left = async () =>
    (
      await world.query(`select delegable_sun, stake_sun, balance_sun, bandwidth from pool_wallets where name = 'pool'`)
    )[0]!;

  // Before orders have used it up.
  it('keeps its bandwidth where one of two shows none', async () => {
    await readAgain();
    const { bandwidth } = await left();
    expect(bandwidth).toBeGreaterThan(0n);
    nodes[0]!.after = saying([RESOURCES], NOTHING);
    await readAgain();
    if (count === 1) expect((await left())['bandwidth']).toBe(0n);
    else expect((await left())['bandwidth']).toBeGreaterThanOrEqual(bandwidth as bigint);
  });

  it.each([
    ['its maximum is nothing', saying([MAXIMUM], NOTHING)],
    ['its maximum is 1 TRX', saying([MAXIMUM], '{"max_size": 1000000}')],
    ['its account is empty', saying([SOLID_ACCOUNT], NOTHING)],
    ['its account and its maximum are empty', saying([SOLID_ACCOUNT, MAXIMUM], NOTHING)],
    ['all of it is empty', saying([SOLID_ACCOUNT, MAXIMUM, RESOURCES], NOTHING)],
  ])('has no order refused on one word of two: %s', async (_what, lie) => {
    await readAgain();
    const before = await left();
    nodes[0]!.after = lie;
    await readAgain();
    if (count === 1) expect((await left())['delegable_sun']).toBeLessThanOrEqual(1_000_000n);
    // Bandwidth comes back with every block.
    else expect({ ...(await left()), bandwidth: null }).toEqual({ ...before, bandwidth: null });
    expect(code(await place())).toBe(count === 1 ? 'INSUFFICIENT_ENERGY' : 'success');
  });

  it.each([
    ['has failed and rested', false],
    ['has failed, and another caller finds out whether it is back', true],
  ])('has no order refused on one word of two where the other one %s', async (_what, isTried) => {
    await readAgain();
    const configured = world.app.app.get(ConfiguredNodes);
    const pool = configured.pool('walletsolidity');
    for (const other of pool.nodes.slice(1)) configured.failed(pool, other, 'getaccount: away');
    clock.advance(REST_MS);
    if (isTried) await Promise.all(pool.nodes.slice(1).map((other) => pool.post(other, 'getblock', {}, 3_000)));
    nodes[0]!.after = saying([MAXIMUM], NOTHING);
    await readAgain();
    expect(code(await place())).toBe(count === 1 ? 'INSUFFICIENT_ENERGY' : 'success');
  });

  // The network takes a delegation whose reclaim the wallet cannot pay for.
  it.each([
    ['TRX', 'balance_sun', MORE_TRX],
    ['bandwidth', 'bandwidth', MORE_BANDWIDTH],
  ] as const)('pays for no more reclaims by one word of two: %s', async (_what, column, lie) => {
    await readAgain();
    const { [column]: before } = await left();
    for (const node of nodes) {
      nodes.forEach((one) => (one.after = one === node ? lie : (_call, answer) => answer));
      await readAgain();
      const { [column]: shown } = await left();
      // Bandwidth comes back with every block.
      if (count === 1) expect(shown).toBeGreaterThan(2n * (before as bigint));
      else expect(shown).toBeLessThan(2n * (before as bigint));
    }
  });

  it('is believed that it is nothing where all say so', async () => {
    for (const node of nodes) node.after = saying([MAXIMUM], NOTHING);
    await readAgain();
    expect(code(await place())).toBe('INSUFFICIENT_ENERGY');
  });

  it('is never more than the stake that is not lent', async () => {
    await readAgain();
    const { delegable_sun: before } = await left();
    nodes[0]!.after = THOUSANDFOLD;
    await readAgain();
    const { delegable_sun: after } = await left();
    expect(after).toBeGreaterThanOrEqual(before as bigint);
    const address = TronWeb.address.toHex(world.chain.accounts.find(({ role }) => role === 'pool')!.address);
    const account = (await world.node(SOLID_ACCOUNT, { address })) as { frozenV2: { type?: string; amount: number }[] };
    const own = account.frozenV2.find(({ type }) => type === 'ENERGY')!.amount;
    expect(after).toBeLessThanOrEqual(BigInt(own));
    expect(code(await place())).toBe('success');
  });
});

describe('what a second node says that is left of a wallet', () => {
  const rich = { balanceSun: 5_000_000n, stakeSun: 50_000_000n, unlentSun: 50_000_000n };
  const wallet = { role: 'delegate', address: 'T', stake_sun: 0n, balance_sun: 0n } as WalletRow;
  const readAt = (solidBlockOfSecond: number) => {
    const reads = {
      delegableSun: async (_: string, url?: string) => (url === 'http://b' ? 40_000_000n : 0n),
      balances: async () => rich,
      solidHead: async () => ({ number: solidBlockOfSecond }),
    } as unknown as ChainReads;
    const nodes = { reachable: () => ['http://a', 'http://b'] } as unknown as ConfiguredNodes;
    return new WalletStake(reads, nodes, new Clock()).read(wallet, 'http://a', 10);
  };

  it('counts only in a solid view at least as new: an older one would still have what was lent since', async () => {
    expect((await readAt(9)).delegableSun).toBe(0n);
    expect((await readAt(10)).delegableSun).toBe(40_000_000n);
  });
});
