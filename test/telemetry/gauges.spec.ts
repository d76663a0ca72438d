import { registerGauges, type Sample } from '../../src/telemetry/metrics/gauge.table';
import { MetricsRegistry } from '../../src/telemetry/metrics/metrics.registry';

const GAUGES = [
  { name: 'test_orders', help: 'Orders.' },
  { name: 'test_wallets', help: 'Wallets.', labels: ['state'] },
] as const;
type Name = (typeof GAUGES)[number]['name'];

describe('gauges that are read together', () => {
  /** A registry whose reading gives the number of readings so far, or fails. */
  function gauges(freshMs: number) {
    const registry = new MetricsRegistry();
    const reading = { times: 0, fails: false };
    const read = async () => {
      reading.times += 1;
      if (reading.fails) throw new Error('the database is away');
      const value = reading.times;
      return new Map<Name, Sample[]>([
        ['test_orders', [{ value }]],
        ['test_wallets', [{ value, labels: { state: 'active' } }]],
      ]);
    };
    registerGauges<Name>(registry, GAUGES, read, freshMs);
    const samples = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('test_'));
    return { reading, samples };
  }

  it('are read once for a scrape, and once for all scrapes while the reading is fresh', async () => {
    const each = gauges(0);
    expect(await each.samples()).toEqual(['test_orders 1', 'test_wallets{state="active"} 1']);
    expect(await each.samples()).toEqual(['test_orders 2', 'test_wallets{state="active"} 2']);
    const fresh = gauges(600_000);
    for (let scrape = 0; scrape < 3; scrape++)
      expect(await fresh.samples()).toEqual(['test_orders 1', 'test_wallets{state="active"} 1']);
  });

  it('show nothing, and no zero, when they could not be read: an old number would look like a new one', async () => {
    const { reading, samples } = gauges(0);
    await samples();
    reading.fails = true;
    expect(await samples()).toEqual([]);
    reading.fails = false;
    expect(await samples()).toEqual(['test_orders 3', 'test_wallets{state="active"} 3']);
  });
});
