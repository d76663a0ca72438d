import { ensureBuild } from '../support/build';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { NodeProxy } from '../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';
import { HeldCalls } from './held-calls';

const BROADCAST = 'wallet/broadcasttransaction';
/** Requests at each of two instances. */
const IN_FLIGHT = 5;
const BALANCE = 100_000;
const COST = 3;
/** The node is waited for so long. An order that is refused sooner for want of a node was refused because its instance ends. */
const NODE_TIMEOUT_MS = 3_000;

/** What a caller met with one order, who tries once more, with the same key at another instance, when there was no answer. */
interface Met {
  readonly attempts: number;
  readonly status: number | null;
  readonly code: string | null;
  /** The instance that gave no answer had written the order: it had read the request. */
  readonly wasRead: boolean;
}
const answered = { status: 200, code: null, wasRead: false };

describe('one of two instances that is asked to end amid orders', () => {
  let proxy: NodeProxy;
  let world: OrderWorld;
  let caller: Caller;
  let keys = 0;
  beforeAll(() => ensureBuild());
  beforeEach(async () => {
    world = await OrderWorld.open({
      // On a busy machine an instance reads ten blocks a second too late: the node's final block is above its own, and it refuses.
      block: 500,
      backgroundWork: false,
      env: { ANSWER_TIMEOUT: '20s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    caller = await world.caller({ balance: BALANCE });
  });
  afterEach(async () => {
    proxy.before = () => undefined;
    await world.close();
    await proxy.close();
  });

  /** As a balancer does, callers leave an instance alone until it is ready. */
  async function startReady(): Promise<ServiceChild> {
    const instance = await world.startProcess();
    await until('an instance is ready', async () => (await fetch(`${instance.url}/health/ready`)).ok);
    return instance;
  }

  async function order(at: ServiceChild, instead: () => ServiceChild): Promise<Met> {
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const key = { 'idempotency-key': `key ${keys++}` };
    const met = (answer: Answer | null, attempts: number, wasRead: boolean): Met => ({
      attempts,
      status: answer?.status ?? null,
      code: answer?.headers.get('x-error-code') ?? null,
      wasRead,
    });
    const ask = async (instance: ServiceChild): Promise<Answer | null> => {
      const askedMs = performance.now();
      const answer = await world.delegate(caller, body, key, instance).catch(() => null);
      const isUnavailable = answer?.headers.get('x-error-code') === 'NODE_UNAVAILABLE';
      // A machine that stood still for as long as the node is waited for: nothing was written, and the caller asks again.
      return isUnavailable && performance.now() - askedMs >= NODE_TIMEOUT_MS ? ask(instance) : answer;
    };
    const first = await ask(at);
    if (first) return met(first, 1, false);
    const written = await world.query(`select 1 from delegations where idempotency_key = $1`, [key['idempotency-key']]);
    return met(await ask(instead()), 2, written.length > 0);
  }

  /** As many as were asked for, each lent and charged once. */
  async function expectChargedOnce(orders: number): Promise<void> {
    await untilSettled(world.app.sql);
    expect((await expectChainTruth(world)).map(({ hold }) => hold)).toEqual(Array(orders).fill('taken'));
    const { data } = (await world.get(caller, '/api/user/balance')).body as { data: { balance: number } };
    expect(data.balance).toBe(BALANCE - COST * orders);
  }

  it('answers every request that it has read, on SIGTERM, and what it no longer takes another instance does', async () => {
    const [ending, staying] = [await startReady(), await startReady()];
    const held = new HeldCalls(proxy, ({ route, body }) => (route === BROADCAST ? String(body['txID']) : undefined));
    const place = (at: ServiceChild, count: number) => Array.from({ length: count }, () => order(at, () => staying));
    const inFlight = [...place(ending, IN_FLIGHT), ...place(staying, IN_FLIGHT)];
    await held.until(2 * IN_FLIGHT);
    ending.process.kill('SIGTERM');
    await until('no connection is taken', () =>
      fetch(`${ending.url}/health/live`).then(
        () => false,
        () => true,
      ),
    );
    const late = place(ending, IN_FLIGHT);
    await held.until(3 * IN_FLIGHT);
    held.release();
    expect(await Promise.all(inFlight)).toEqual(inFlight.map(() => ({ ...answered, attempts: 1 })));
    expect(await Promise.all(late)).toEqual(late.map(() => ({ ...answered, attempts: 2 })));
    expect(await ending.ended).toMatchObject({ code: 0 });
    await expectChargedOnce(3 * IN_FLIGHT);
  });

  it('is replaced under load, one instance after the other, with no error to a caller who tries once more', async () => {
    const instances = [await startReady(), await startReady()];
    const met: Met[] = [];
    let isRolling = true;
    const callers = Array.from({ length: 2 * IN_FLIGHT }, async (_, at) => {
      for (let turn = at; isRolling; turn++)
        met.push(await order(instances[turn % 2]!, () => instances[(turn + 1) % 2]!));
    });
    for (const at of [0, 1]) {
      const before = met.length;
      await until('orders at both', async () => met.length >= before + 4 * IN_FLIGHT);
      expect(await instances[at]!.stop('SIGTERM')).toMatchObject({ code: 0 });
      instances[at] = await startReady();
    }
    const before = met.length;
    await until('orders at both new ones', async () => met.length >= before + 4 * IN_FLIGHT);
    isRolling = false;
    await Promise.all(callers);
    expect(met.filter(({ status, wasRead }) => status !== 200 || wasRead)).toEqual([]);
    // Some came to an instance that was no longer there.
    expect(met.filter(({ attempts }) => attempts === 2)).not.toEqual([]);
    await expectChargedOnce(met.length);
  });
});
