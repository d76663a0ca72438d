import { ReferenceBlocks } from '../../../src/chain/verified-chain/reference-blocks';
import { Clock } from '../../../src/common/clock';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { HeldLock } from '../../support/held-lock';
import { type NodeCall, NodeProxy } from '../../support/node-proxy';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';
import { SettableClock } from '../../support/movable-clock';

/** Longer than a request's claim with this answer time-out. */
const STOPPED_MS = 40_000;

class StoppableClock extends SettableClock {
  private stopMs = 0;

  /** As if the process were stopped during its next sleep. */
  stopInNextSleep(): void {
    this.stopMs = STOPPED_MS;
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await super.sleep(ms, signal);
    this.advance(this.stopMs);
    this.stopMs = 0;
  }
}

/** By then another instance may have taken the order over and answered its caller with a failure. */
describe('a request that was stopped for longer than its claim sends nothing any more', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let caller: Caller;
  /** The time of the instance that takes the orders; another one follows the chain. */
  let clock: StoppableClock;
  beforeAll(async () => {
    const clocks: StoppableClock[] = [];
    world = await OrderWorld.open({
      block: 'manual',
      backgroundWork: false,
      env: { ANSWER_TIMEOUT: '20s' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
      overrides: (builder) => {
        clocks.push(new StoppableClock());
        return builder.overrideProvider(Clock).useValue(clocks.at(-1)!);
      },
    });
    clock = clocks[0]!;
    await world.startInstance();
    await world.control('block', { count: 6 });
    caller = await world.caller({ balance: 100 });
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });
  beforeEach(async () => {
    // Goes on after it was stopped: it follows no chain, and refuses orders until it has seen a newer block.
    await world.app.app.get(ReferenceBlocks).refresh();
    proxy.calls.length = 0;
  });
  afterEach(async () => {
    [proxy.before, proxy.after] = [() => undefined, (_call, answer) => answer];
    // A transaction that was never sent is dead by block time, and costs no user anything.
    await world.control('clock', { ms: 61_000 });
    await world.control('block', { count: 6 });
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  const isDelegation = ({ route, body }: NodeCall) =>
    route === 'wallet/broadcasttransaction' && JSON.stringify(body).includes('DelegateResourceContract');
  const sendings = () => proxy.calls.filter(isDelegation).length;
  const order = (receiver: string) =>
    world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: true });

  function expectFailure({ headers }: Answer, code: string): void {
    expect(headers.get('x-error-code')).toBe(code);
    expect(headers.get('x-delegation-id')).not.toBeNull();
  }

  it('when it was stopped while its rows were written', async () => {
    const account = `select 1 from accounts where user_id = $1 for update`;
    const lock = await HeldLock.take(world.database.url, account, [caller.id]);
    const answer = order(await world.receiver());
    await lock.untilWaiting(1);
    clock.advance(STOPPED_MS);
    await lock.release();
    expectFailure(await answer, 'OUTCOME_UNKNOWN');
    expect(sendings()).toBe(0);
  });

  /** Sent, and held before what comes when the activation is in a block. */
  async function activating(): Promise<{ answer: Promise<Answer>; lock: HeldLock }> {
    const answer = order(await world.receiver(false));
    await world.untilPending();
    const text = `select 1 from delegations where state = 'activating' for no key update`;
    const lock = await HeldLock.take(world.database.url, text);
    await world.control('block');
    await lock.untilWaiting(1);
    return { answer, lock };
  }

  it('when it was stopped while the delegation behind its activation was written', async () => {
    const { answer, lock } = await activating();
    clock.advance(STOPPED_MS);
    await lock.release();
    expectFailure(await answer, 'OUTCOME_UNKNOWN');
    expect(sendings()).toBe(0);
  });

  it('when it was stopped before it sent again to a node that had not seen the activation yet', async () => {
    const { answer, lock } = await activating();
    const route = 'wallet/broadcasttransaction';
    await world.control('fault', { route, kind: 'TAPOS_ERROR', count: 1 });
    proxy.after = (call, reply) => {
      if (isDelegation(call)) clock.stopInNextSleep();
      return reply;
    };
    await lock.release();
    expectFailure(await answer, 'NODE_UNAVAILABLE');
    expect(sendings()).toBe(1);
  });

  it('when it was stopped while a node left it open whether it took the bytes', async () => {
    proxy.before = (call) => {
      if (!isDelegation(call)) return;
      clock.advance(STOPPED_MS);
      throw new Error('cut');
    };
    expectFailure(await order(await world.receiver()), 'OUTCOME_UNKNOWN');
    expect(sendings()).toBe(1);
  });
});
