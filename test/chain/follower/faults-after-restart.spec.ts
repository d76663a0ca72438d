import { OrderWorld } from '../../support/order-world';
import { until } from '../../support/until';

describe('a fault that a process has left behind', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open({ block: 200, backgroundWork: false });
  });
  afterAll(() => world.close());

  it.each(['branch_refused', 'block_unreadable'])('%s: is gone once the next one finds it over', async (kind) => {
    await world.query(`insert into chain_faults (kind, parameters) values ($1, '{}')`, [kind]);
    const next = await world.startInstance();
    await until('it gone', async () => (await world.query('select 1 from chain_faults')).length === 0);
    await world.stopInstance(next);
  });
});
