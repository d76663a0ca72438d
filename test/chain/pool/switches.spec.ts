import { staysOn } from '../../../src/chain/pool/switches/switch.sql';
import { Switches } from '../../../src/chain/pool/switches/switches';
import { statement } from '../../../src/database/statement';
import { createTestApp, type TestApp } from '../../support/test-app';
import { until } from '../../support/until';

describe('the switch for reclaims', () => {
  let service: TestApp;
  beforeAll(async () => (service = await createTestApp({ backgroundWork: false })));
  afterAll(() => service.close());
  const isOn = statement<[], { on: boolean }>('test_switch_is_on', `select ${staysOn('reclaims')} as on`);
  const waiting = statement<[], object>(
    'test_waiting',
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );

  it('waits, to be off, for what has begun while it was on, and nothing begins behind it', async () => {
    const switches = service.app.get(Switches);
    let paused: Promise<unknown> = Promise.resolve();
    await service.sql.transaction(async (tx) => {
      expect(await tx.row(isOn)).toEqual({ on: true });
      paused = switches.pause('reclaims', null);
      await until('the pause to wait', async () => (await service.sql.row(waiting)) !== null);
      expect(await switches.read('reclaims')).toMatchObject({ paused: false });
    });
    expect(await paused).toMatchObject({ paused: true });
    expect(await service.sql.row(isOn)).toEqual({ on: false });
    expect(await switches.resume('reclaims')).toMatchObject({ paused: false });
    expect(await service.sql.row(isOn)).toEqual({ on: true });
  });
});
