import type { ChainReads } from '../../../../src/chain/tron/node/chain-reads';
import type { ConfiguredNodes } from '../../../../src/chain/tron/node/configured-nodes';
import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { NetworkRate } from '../../../../src/chain/pool/wallets/network-rate';
import { PoolWalletRepository } from '../../../../src/chain/pool/wallets/pool-wallet.repository';
import { Clock } from '../../../../src/common/clock';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { MovableClock } from '../../../support/movable-clock';
import { type NodeCall, NodeProxy } from '../../../support/node-proxy';
import { type Caller, OrderWorld } from '../../../support/order-world';
import type { TestApp } from '../../../support/test-app';
import { until } from '../../../support/until';

const ENERGY = 65_000;
const RESOURCES = 'wallet/getaccountresource';
type Lie = (limit: bigint, weight: bigint) => { limit: bigint; weight: bigint };

const THOUSANDFOLD_LIMIT: Lie = (limit, weight) => ({ limit: limit * 1_000n, weight });
const TINY_WEIGHT: Lie = (limit) => ({ limit, weight: 1n });
const HALF_THE_LIMIT: Lie = (limit, weight) => ({ limit: limit / 2n, weight });

function lieBy(lie: Lie): (call: NodeCall, answer: string) => string {
  return ({ route }, answer) => {
    if (route !== RESOURCES || !answer.includes('TotalEnergyWeight')) return answer;
    const amount = (field: string) => BigInt(new RegExp(`"${field}":\\s*(\\d+)`).exec(answer)![1]!);
    const { limit, weight } = lie(amount('TotalEnergyLimit'), amount('TotalEnergyWeight'));
    return answer
      .replace(/("TotalEnergyLimit":\s*)\d+/, `$1${limit}`)
      .replace(/("TotalEnergyWeight":\s*)\d+/, `$1${weight}`);
  };
}

describe('the energy rate, of which no block proves anything', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  let caller: Caller;
  let nodes: [NodeProxy, NodeProxy];
  let firstUrl: string;
  /** One that has just started; it asks when an order comes. */
  let fresh: TestApp;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      // While a node hangs, thirty blocks must not pass: the chain would be read from its head down again, of every node.
      block: 300,
      env: { DELEGATION_ANSWER: 'accepted' },
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
      nodeUrl: async (url) => {
        nodes = [new NodeProxy(url), new NodeProxy(url)];
        firstUrl = await nodes[0].open();
        return `${firstUrl},${await nodes[1].open()}`;
      },
    });
    caller = await world.caller({ balance: 10_000 });
    await world.untilRow(`select 1 from pool_wallets having bool_and(observed_at is not null)`);
  });
  afterAll(async () => {
    await world.close();
    await Promise.all(nodes.map((node) => node.close()));
  });
  const start = async (env = {}) => void (fresh = await world.startInstance(env, false));
  afterEach(async () => {
    await world.stopInstance(fresh);
    for (const node of nodes) {
      node.before = () => undefined;
      node.after = (_call, answer) => answer;
      node.status = () => undefined;
    }
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  /** What the receiver of one transaction's energy really gets. */
  async function energyOfAnOrder(): Promise<number> {
    const receiver = await world.receiver();
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 }, {}, fresh);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([200, null]);
    return until('the energy is there', () => world.energyOf(receiver));
  }
  /** Its stake is what the chain's own rate asks for, and not much more. */
  async function expectRightStake(): Promise<void> {
    const energy = await energyOfAnOrder();
    expect(energy).toBeGreaterThanOrEqual(ENERGY);
    expect(energy).toBeLessThan(ENERGY * 1.05);
  }
  const refresh = () => fresh.app.get(Capacity).refresh();

  it.each([
    ['the first of two shows a thousandfold limit', 0, THOUSANDFOLD_LIMIT],
    ['the second of two shows a thousandfold limit', 1, THOUSANDFOLD_LIMIT],
    ['the first of two shows next to no weight', 0, TINY_WEIGHT],
  ] as const)('gives the receiver its energy when %s', async (_, liar, lie) => {
    nodes[liar].after = lieBy(lie);
    await start();
    await expectRightStake();
    clock.advance(130_000);
    await expectRightStake();
  });

  it('gives the receiver its energy when the first of two begins to lie, between two comparisons and after', async () => {
    await start();
    await expectRightStake();
    nodes[0].after = lieBy(THOUSANDFOLD_LIMIT);
    // The wallets are read again, the rate is not asked for.
    await refresh();
    await expectRightStake();
    clock.advance(130_000);
    await expectRightStake();
  });

  it('is compared before the first order also where a wallet came after the start', async () => {
    await start();
    jest.spyOn(fresh.app.get(PoolWalletRepository), 'findReadable').mockResolvedValueOnce([]);
    await refresh();
    nodes[0].after = lieBy(THOUSANDFOLD_LIMIT);
    // By the first node, with the next solid block.
    fresh.app.get(NetworkRate).wasRead({ limit: 180_000_000_000_000n, weight: 19_000_000_000n });
    await expectRightStake();
  });

  it('is the lowest that is shown: a node that makes it too low takes nothing from receivers', async () => {
    nodes[1].after = lieBy(HALF_THE_LIMIT);
    await start();
    expect(await energyOfAnOrder()).toBeGreaterThanOrEqual(2 * ENERGY);
  });

  it('is taken from the first node where the second one hangs from the beginning', async () => {
    nodes[1].before = NodeProxy.HANG;
    await start();
    await expectRightStake();
  });

  it('counts for ten minutes when its node has gone silent', async () => {
    nodes[1].after = lieBy(HALF_THE_LIMIT);
    await start();
    await refresh();
    nodes[1].status = ({ route }) => (route === RESOURCES ? 500 : undefined);
    for (const ms of [130_000, 590_000]) {
      clock.advance(ms);
      await refresh();
    }
    expect(await energyOfAnOrder()).toBeGreaterThanOrEqual(2 * ENERGY);
    clock.advance(130_000);
    await expectRightStake();
  });

  it('costs the second node one question a minute beside the readings of wallets, and only while orders come', async () => {
    await start();
    nodes[1].calls.length = 0;
    const asked = () => nodes[1].count(RESOURCES) - nodes[1].count('walletsolidity/getaccount');
    await Promise.all([energyOfAnOrder(), energyOfAnOrder(), energyOfAnOrder()]);
    expect(asked()).toBe(1);
    await refresh();
    await energyOfAnOrder();
    expect(asked()).toBe(1);
    clock.advance(61_000);
    await Promise.all([energyOfAnOrder(), energyOfAnOrder()]);
    await until('it is asked again', async () => asked() > 1);
    await refresh();
    expect(asked()).toBe(2);
  });

  it('costs a single node nothing beside the readings of wallets', async () => {
    await start({ TRON_FULL_NODE_URLS: firstUrl });
    clock.advance(130_000);
    nodes[0].calls.length = 0;
    await energyOfAnOrder();
    expect(nodes[0].count(RESOURCES)).toBeGreaterThan(0);
    expect(nodes[0].count(RESOURCES)).toBe(nodes[0].count('walletsolidity/getaccount'));
  });
});

describe('the comparison of energy rates', () => {
  const rate = { limit: 180n, weight: 19n };
  const lie = { limit: 180_000n, weight: 19n };
  const never = new Promise<never>(() => undefined);
  /** Half a second passes at once. */
  const clock = Object.assign(new Clock(), { sleep: async () => undefined });
  const nodesOf = (behind: boolean) =>
    ({
      allUrls: () => ['http://a', 'http://b'],
      isBehind: (_: unknown, url: string) => behind && url === 'http://b',
    }) as unknown as ConfiguredNodes;

  it('is not waited for longer than half a second, and what comes later counts', async () => {
    let answer!: (found: unknown) => void;
    const late = new Promise((resolve) => (answer = resolve));
    const reads = { resourcesAt: async (url: string) => (url === 'http://a' ? never : late) };
    const network = new NetworkRate(reads as unknown as ChainReads, nodesOf(false), clock);
    network.wasRead(lie);
    await network.compare(['T']);
    expect(network.believed).toEqual(lie);
    answer({ rate });
    await until('it counts', async () => network.believed === rate);
  });

  it('asks about the next account where a node does not know the first, and no node that is behind', async () => {
    const asked: string[] = [];
    const resourcesAt = async (url: string, address: string) => {
      asked.push(`${url} ${address}`);
      return address === 'T1' ? null : { rate };
    };
    const network = new NetworkRate({ resourcesAt } as unknown as ChainReads, nodesOf(true), clock);
    network.wasRead(lie);
    await network.compare(['T1', 'T2', 'T3']);
    await until('it counts', async () => network.believed === rate);
    expect(asked).toEqual(['http://a T1', 'http://a T2']);
  });
});
