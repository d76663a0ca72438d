import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Clock } from '../../../src/common/clock';
import type { ServicePool } from '../../../src/database/service-pool';
import { PG_POOL } from '../../../src/database/sql';
import { OrderWriter } from '../../../src/delegation/placing/order-writer';
import { expectChainTruth, untilSettled } from '../../support/chain-truth';
import { HeldLock } from '../../support/held-lock';
import { MovableClock } from '../../support/movable-clock';
import { openTransactions } from '../../support/open-transactions';
import { OrderWorld, type TokenCaller } from '../../support/order-world';
import { PipelinedClient } from '../../support/pipelined';
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

  it.each([
    ['an order', true],
    ['an order that activates its receiver', false],
  ])('is refused when its connection to the database comes too late: %s', async (_, isActive) => {
    const caller = await world.caller({ balance: 100 });
    const receiver = await world.receiver(isActive);
    const pool = world.app.app.get<ServicePool>(PG_POOL);
    const { end, ended } = await openTransactions(world.app.sql, pool.mostTransactions);
    const inTurn = jest.spyOn(OrderWriter.prototype, 'inTurn');
    const answer = world.delegate(caller, { receiver_address: receiver, amount: 1, activate_address: true });
    await until('it waits for a connection', async () => {
      return inTurn.mock.calls.length === 1 && world.app.sql.waitingTransactions > 0;
    });
    inTurn.mockRestore();
    clock.advance(10_001);
    end();
    await ended;
    expect((await answer).headers.get('x-error-code')).toBe('INTERNAL');
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
    expect(await world.query(`select 1 from delegations where receiver = $1`, [receiver])).toHaveLength(0);
  });

  it('is as old as its last byte: a caller that sends slowly waits for its order', async () => {
    const body = JSON.stringify({ receiver_address: await world.receiver(), amount: 1 });
    const connection = await sendHead(await world.caller({ balance: 100 }), body.length);
    clock.advance(10_001);
    connection.write(body);
    await connection.closed;
    expect(connection.text).toMatch(/^HTTP\/1\.1 200 /);
  });

  /** Until the service has it. */
  async function sendHead({ token }: TokenCaller, length: number): Promise<PipelinedClient> {
    const server = world.app.app.getHttpServer();
    const arrived = once(server, 'request');
    const connection = PipelinedClient.to((server.address() as AddressInfo).port);
    connection.write(
      `POST /api/chain/delegate-resource HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    await arrived;
    return connection;
  }
});
