import { CloseOrderDays } from '../../../src/reporting/reports/close-order-days';
import { OrderReport } from '../../../src/reporting/reports/order-report';
import { addDays, dayOf } from '../../../src/panel/dates/date-range';
import { OrderWorld } from '../../support/order-world';

describe('an order whose day is closed already, because the clock was set back', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200 });
  });
  afterAll(() => world.close());

  it('counts from the beginning, and in its day once it is settled', async () => {
    const caller = await world.caller();
    // A clock that was a day ahead has closed all days up to tomorrow.
    const tomorrow = addDays(dayOf(new Date()), 1);
    await world.query('insert into closed_order_days (day) values ($1) returning 1', [tomorrow]);
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    expect(answer.status).toBe(200);
    const id = answer.headers.get('x-delegation-id')!;
    const [order] = await world.query(`select created_at from delegations where id = $1`, [id]);
    const day = dayOf(order!['created_at'] as Date);
    const numbers = async () =>
      (await world.app.app.get(OrderReport).read({ from: new Date(day), to: new Date(addDays(day, 1)) }, false)).total;
    expect((await numbers()).orders).toBe(1n);
    await world.untilState(id, 'delegated');
    const settled = await numbers();
    expect(settled).toMatchObject({ orders: 1n, succeeded: 1n, charged_sun: 3_000_000n, landed: 1n });
    await world.app.app.get(CloseOrderDays).run(Date.now());
    expect(await world.query('select 1 from late_orders')).toEqual([]);
    expect(await world.query('select day::text, orders from order_days')).toEqual([{ day, orders: 1n }]);
    expect(await numbers()).toEqual(settled);
  });
});
