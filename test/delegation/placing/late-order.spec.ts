import { Clock } from '../../../src/common/clock';
import { OrderWriter } from '../../../src/delegation/placing/order-writer';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { HeldLock } from '../../support/held-lock';
import { MovableClock } from '../../support/movable-clock';
import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

describe('an order whose turn to be written comes too late', () => {
  const clock = new MovableClock();
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      overrides: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
  });
  afterAll(() => world.close());

  it.each([
    ['in time', 9_000, 200],
    ['too late', 10_001, 500],
  ])('is written, or refused with nothing held and nothing sent: %s', async (_, waitedMs, status) => {
    const caller = await world.caller({ balance: 100 });
    const receivers = [await world.receiver(), await world.receiver()];
    const place = (receiver: string) => world.delegate(caller, { receiver_address: receiver, amount: 1 });
    const lock = await HeldLock.take(world.database.url, `select 1 from accounts where user_id = $1 for update`, [
      caller.id,
    ]);
    const first = place(receivers[0]!);
    await lock.untilWaiting(1);
    const inTurn = jest.spyOn(OrderWriter.prototype, 'inTurn');
    const second = place(receivers[1]!);
    await until('the second waits for its turn', async () => inTurn.mock.calls.length === 1);
    inTurn.mockRestore();
    clock.advance(waitedMs);
    await lock.release();
    expect((await second).status).toBe(status);
    await first;
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
    const written = await world.query(`select 1 from delegations where receiver = $1`, [receivers[1]]);
    expect(written).toHaveLength(status === 200 ? 1 : 0);
  });
});
