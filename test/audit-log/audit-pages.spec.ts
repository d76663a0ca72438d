import { AuditLog } from '../../src/audit-log/audit-log';
import { auditCsv } from '../../src/panel/audit-log/audit-log.csv';
import { createTestApp, type TestApp } from '../support/test-app';

describe('the audit log after the clock was set back', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    for (const [at, times] of [
      ['2026-03-01 23:30:00+00', 10],
      ['2026-03-02 00:00:00+00', 5],
      ['2026-03-01 22:00:00+00', 20],
      ['2026-03-03 00:00:00+00', 3],
    ] as const) {
      const text = `insert into audit_log (at, address, action, subject, outcome)
                    select $1::timestamptz, 'here', 'act', 'subject', 'done' from generate_series(1, $2::integer)`;
      await service.sql.execute({ name: '', text }, [at, times] as never);
    }
  });
  afterAll(() => service?.close());

  const DAY = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-02T00:00:00Z') };
  const log = () => service.app.get(AuditLog);

  it('shows all entries of a range of times, newest first, on pages and in the file', async () => {
    const all = await log().list({ limit: 100 });
    expect(all).toHaveLength(38);
    const ofDay = all.filter(({ at }) => at < '2026-03-02');
    expect(ofDay).toHaveLength(30);
    for (const filter of [{}, { actorId: null }, { subject: 'subject' }]) {
      expect(await log().list({ ...filter, ...DAY, limit: 100 })).toEqual(ofDay);
      expect(await log().list({ ...filter, from: DAY.from, limit: 100 })).toEqual(all);
      expect(await log().list({ ...filter, to: DAY.to, limit: 100 })).toEqual(ofDay);
    }
    const pages: bigint[] = [];
    for (let before: bigint | undefined; ; before = pages.at(-1)) {
      const page = await log().list({ ...DAY, before, limit: 7 });
      if (page.length === 0) break;
      pages.push(...page.map(({ id }) => id));
    }
    expect(pages).toEqual(ofDay.map(({ id }) => id));
    let file = '';
    for await (const part of auditCsv(log(), DAY)) file += part;
    expect(file.trimEnd().split('\n')).toHaveLength(1 + ofDay.length);
  });

  it('shows what came from the command line without what parts of the service did', async () => {
    const [at, next] = [new Date('2026-03-05T00:00:00Z'), new Date('2026-03-06T00:00:00Z')];
    const text = `insert into audit_log (at, address, action, subject, outcome, service)
                  select $1::timestamptz, 'here', 'act', 'subject', 'done', service from unnest(array[null, 'reconciler']) service`;
    await service.sql.execute({ name: '', text }, [at] as never);
    const services = async (filter: object) =>
      (await log().list({ ...filter, from: at, to: next, limit: 9 })).map((entry) => entry.service);
    expect(await services({})).toEqual(['reconciler', null]);
    expect(await services({ actorId: null })).toEqual([null]);
    expect(await services({ service: 'reconciler' })).toEqual(['reconciler']);
  });
});
