import { OrderOutlook } from '../../../src/reporting/outlooks/order-outlook';
import { MetricsRegistry } from '../../../src/telemetry/metrics/metrics.registry';
import { OrderWorld } from '../../support/order-world';

describe.each([
  ['ahead', 1],
  ['behind', -1],
])("an instance's own clock that is an hour %s", (_, hours) => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open();
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + hours * 3_600_000);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await world.close();
  });

  it('makes no wallet one that was not read, and no old reading a new one', async () => {
    const outlook = world.app.app.get(OrderOutlook);
    expect((await outlook.now()).refusal).toBeNull();
    const [, age] = /^energy_pool_observed_age_seconds\{.*wallet="pool".*\} (\S+)$/m.exec(
      await world.app.app.get(MetricsRegistry).metrics(),
    )!;
    expect(Math.abs(Number(age))).toBeLessThan(120);
    await world.query(`update pool_wallets set observed_at = now() - interval '8 minutes' returning 1`);
    expect((await outlook.now()).refusal).toMatchObject({ code: 'NODE_UNAVAILABLE' });
  });
});
