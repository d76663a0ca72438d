import { lendByHand, takeBackByHand } from '../../support/by-hand';
import { expectChainTruth } from '../../support/chain-truth';
import { NodeProxy, ofAnotherChain } from '../../support/node-proxy';
import { type Caller, OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

const LENT = 'walletsolidity/getdelegatedresourcev2';
const SOLID_HEAD = 'walletsolidity/getblock';

describe('a reclaim that was answered once that its stake is not there', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 250,
      solidLag: 3,
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller();
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  afterEach(() => (proxy.after = (_call, answer) => answer));

  async function lent(): Promise<{ id: string; receiver: string; stakeSun: bigint }> {
    const receiver = await world.receiver();
    const answer = await world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    const { stake_sun: stakeSun } = await world.untilState(id, 'delegated');
    return { id, receiver, stakeSun };
  }
  /** As after a node's refusal, with its hour over. */
  const makeDoubtful = (id: string) =>
    world.query(
      `update delegations set stake_missing = true, last_error = 'the delegation is not there in full', reclaim_due_at = now() - interval '1 day'
        where id = $1 returning id`,
      [id],
    );
  /** The next readings of what is lent come from a node that lies. */
  const lie = (times: number, change: (answer: string) => string) => {
    let replies = 0;
    proxy.after = ({ route }, answer) => (route === LENT && replies++ < times ? change(answer) : answer);
  };

  it('takes all of it back although a node that lags shows nothing, twice', async () => {
    const { id, receiver } = await lent();
    lie(2, () => '{}');
    await makeDoubtful(id);
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: 0n });
    expect(await world.energyOf(receiver)).toBe(0);
    await expectChainTruth(world);
  });

  it('takes all of it back although a node shows less of it, once', async () => {
    const { id, receiver } = await lent();
    lie(1, (answer) => answer.replace(/("frozen_balance_for_energy":\s*)\d+/, '$11000000'));
    await makeDoubtful(id);
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: 0n });
    expect(await world.energyOf(receiver)).toBe(0);
    await expectChainTruth(world);
  });

  it('takes all of it back when the amount is written as text', async () => {
    const { id, receiver } = await lent();
    lie(100, (answer) => answer.replace(/(:\s*)(\d+)/g, '$1"$2"'));
    await makeDoubtful(id);
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: 0n });
    expect(await world.energyOf(receiver)).toBe(0);
    await expectChainTruth(world);
  });

  it('waits, visible and with its error, while what is lent cannot be understood', async () => {
    const { id, receiver } = await lent();
    lie(1_000, (answer) => answer.replace(/(:\s*)(\d+)/g, '$1"some"'));
    await makeDoubtful(id);
    await world.untilRow(`select 1 from delegations where id = $1 and attempts > 0 and last_error is not null`, [id]);
    expect(await world.show(id)).toMatchObject({ state: 'delegated', shortage_sun: 0n });
    proxy.after = (_call, answer) => answer;
    await world.untilReclaimed(id);
    expect(await world.energyOf(receiver)).toBe(0);
    await expectChainTruth(world);
  });

  it('ends with no shortage by what another chain shows that answers at the URL from one moment to the next', async () => {
    const { id, receiver } = await lent();
    proxy.after = ({ route, body }, answer) => {
      if (route === LENT) return '{}';
      return body['num'] === 0 ? ofAnotherChain(answer) : answer;
    };
    await makeDoubtful(id);
    await world.untilRow(`select 1 from delegations where id = $1 and last_error like '%another chain%'`, [id]);
    expect(await world.show(id)).toMatchObject({ state: 'delegated', shortage_sun: 0n });
    proxy.after = (_call, answer) => answer;
    expect(await world.untilReclaimed(id)).toMatchObject({ shortage_sun: 0n });
    expect(await world.energyOf(receiver)).toBe(0);
    await expectChainTruth(world);
  });

  it('counts nothing that was read between two heads of which the second is older: a gateway has changed nodes', async () => {
    const older = JSON.stringify(await world.node(SOLID_HEAD, { detail: false }));
    const { id, receiver } = await lent();
    let isOlder = false;
    proxy.after = ({ route }, answer) => {
      const shown = route === SOLID_HEAD && isOlder ? older : answer;
      if (route === LENT || route === SOLID_HEAD) isOlder = route === LENT;
      return route === LENT ? '{}' : shown;
    };
    proxy.calls.length = 0;
    await makeDoubtful(id);
    await until('five readings', async () => {
      await world.query(`update delegations set next_attempt_at = null where id = $1 returning id`, [id]);
      return proxy.count(LENT) >= 5;
    });
    expect(await world.show(id)).toMatchObject({ state: 'delegated', shortage_sun: 0n });
    proxy.after = (_call, answer) => answer;
    expect(await world.untilReclaimed(id)).toMatchObject({ shortage_sun: 0n });
    expect(await world.energyOf(receiver)).toBe(0);
    await expectChainTruth(world);
  });

  it('ends with a shortage once several solid blocks in a row show that it is gone', async () => {
    const { id, receiver, stakeSun } = await lent();
    await takeBackByHand(world, receiver, stakeSun);
    proxy.calls.length = 0;
    await makeDoubtful(id);
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: stakeSun });
    expect(proxy.count(LENT)).toBeGreaterThanOrEqual(3);
  });

  /** Somebody with the key takes an order's stake and lends it again, locked for five minutes of chain time. */
  async function lentAndLocked() {
    const order = await lent();
    await takeBackByHand(world, order.receiver, order.stakeSun);
    await lendByHand(world, order.receiver, order.stakeSun, 100);
    return order;
  }

  it('ends with a shortage when what is there in its place is locked, for that cannot be taken', async () => {
    const { id, receiver, stakeSun } = await lentAndLocked();
    await makeDoubtful(id);
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: stakeSun });
    expect(await world.energyOf(receiver)).toBeGreaterThan(0);
  });

  it('takes all of it back when what is there in its place was locked and its time is past', async () => {
    const { id, receiver } = await lentAndLocked();
    await world.control('clock', { ms: 301_000 });
    await world.control('block', { count: 5 });
    await makeDoubtful(id);
    expect(await world.untilState(id, 'reclaimed')).toMatchObject({ shortage_sun: 0n });
    expect(await world.energyOf(receiver)).toBe(0);
  });
});
