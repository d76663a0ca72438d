import { IncidentRepository } from '../../../src/reporting/service-record/incident.repository';
import { OutageRepository } from '../../../src/reporting/service-record/outage.repository';
import { createTestApp, type TestApp } from '../../support/test-app';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

describe('the record of outages', () => {
  let service: TestApp;
  let outages: OutageRepository;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    outages = service.app.get(OutageRepository);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await run('truncate outages, service_beat');
    await outages.beat(null);
  });

  const run = (text: string, values: unknown[] = []) => service.sql.execute({ name: '', text }, values as never);
  /** As if all that is written had been written so much earlier. */
  const later = async (ms: number) => {
    const earlier = `- $1::float8 * interval '1 millisecond'`;
    await run(`update service_beat set seen_at = seen_at ${earlier}`, [ms]);
    await run(`update outages set begun_at = begun_at ${earlier}, seen_at = seen_at ${earlier}`, [ms]);
  };
  const beats = async (count: number, cause: Parameters<OutageRepository['beat']>[0]) => {
    for (let beat = 0; beat < count; beat += 1) {
      await later(MINUTE_MS);
      await outages.beat(cause);
    }
  };
  /** Cause, whole minutes, and whether it lasts. */
  const seen = async () => {
    const all = await service.app.get(IncidentRepository).since(new Date(0));
    return all.map(({ kind, cause, from, until }) => {
      const minutes = Math.round(((until ?? new Date()).getTime() - from.getTime()) / MINUTE_MS);
      return `${kind} ${cause} ${minutes} min ${until === null ? 'lasts' : 'over'}`;
    });
  };

  it('has one row of a cause that is seen each minute, which lasts until it is not seen for three', async () => {
    await beats(5, 'energy');
    expect(await seen()).toEqual(['outage energy 4 min lasts']);
    await beats(2, null);
    expect(await seen()).toEqual(['outage energy 6 min lasts']);
    await beats(2, null);
    expect(await seen()).toEqual(['outage energy 4 min over']);
    await beats(3, 'energy');
    expect(await seen()).toEqual(['outage energy 4 min over', 'outage energy 2 min lasts']);
  });

  it('tells causes apart, however soon one follows another', async () => {
    await beats(3, 'chain');
    await beats(3, 'energy');
    expect((await seen()).map((text) => text.slice(0, 16))).toEqual(['outage chain 2 m', 'outage energy 2 ']);
  });

  it('forgets a cause that a single look has met', async () => {
    await beats(1, 'chain');
    expect(await seen()).toEqual(['outage chain 0 min lasts']);
    await beats(4, null);
    expect(await seen()).toEqual([]);
  });

  it('counts the time without any instance as an outage, and a restart of two minutes not', async () => {
    await later(2 * MINUTE_MS);
    await outages.beat(null);
    expect(await seen()).toEqual([]);
    await later(90 * MINUTE_MS);
    await outages.beat(null);
    expect(await seen()).toEqual(['outage down 90 min over']);
    await beats(2, null);
    expect(await seen()).toEqual(['outage down 90 min over']);
  });

  it('counts no outage from a backup to the start of the database that was restored from it', async () => {
    await later(90 * MINUTE_MS);
    await outages.beat('restored');
    expect(await seen()).toEqual(['outage restored 0 min lasts']);
  });

  it('has one row of what many instances see at the same moment', async () => {
    await later(90 * MINUTE_MS);
    await Promise.all(Array.from({ length: 5 }, () => outages.beat('energy')));
    await later(MINUTE_MS);
    await Promise.all(Array.from({ length: 5 }, () => outages.beat('energy')));
    expect(await seen()).toEqual(['outage down 90 min over', 'outage energy 1 min lasts']);
  });

  it('forgets what was written while the clock of the database was a day ahead', async () => {
    await beats(2, 'energy');
    await later(-24 * 60 * MINUTE_MS);
    expect(await seen()).toEqual([]);
    await outages.beat('energy');
    await beats(1, 'energy');
    expect(await service.sql.rows({ name: '', text: 'select 1 from outages' }, [] as never)).toHaveLength(1);
    expect(await seen()).toEqual(['outage energy 1 min lasts']);
  });

  it('forgets after a hundred days', async () => {
    await beats(3, 'chain');
    await later(101 * 24 * 60 * MINUTE_MS);
    await outages.beat('restored');
    expect(await seen()).toEqual(['outage restored 0 min lasts']);
  });
});
