import { configurationWarnings } from '../../config/configuration-warnings';
import { loadConfiguration } from '../../config/load-configuration';
import { CommandLine } from '../support/command-line';
import { ServiceProcess } from '../support/service-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const PUBLIC_URL = 'https://energy.example';

describe('an https address without a trusted proxy', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is found by doctor, and not with one', async () => {
    const doctor = async (settings: Record<string, string>) =>
      (await CommandLine.on(database.url, settings).run('doctor', '--json')).stdout;
    const { findings } = JSON.parse(await doctor({ PUBLIC_URL })) as { findings: { kind: string; subject: string }[] };
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'proxy_not_trusted', subject: 'TRUST_PROXY' }));
    expect(await doctor({ PUBLIC_URL, TRUST_PROXY: 'loopback' })).not.toContain('proxy_not_trusted');
    expect(await doctor({ PUBLIC_URL: 'http://energy.example' })).not.toContain('proxy_not_trusted');
  });

  it('is so with 0 hops, which trust nobody either', () => {
    const found = (TRUST_PROXY: string) => {
      const nodes = { DATABASE_URL: database.url, TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' };
      return configurationWarnings(loadConfiguration({ ...nodes, PUBLIC_URL, TRUST_PROXY })).map(({ kind }) => kind);
    };
    expect([found('0'), found('false'), found('1')]).toEqual([['proxy_not_trusted'], ['proxy_not_trusted'], []]);
  });

  it('is said at each start', async () => {
    const settings = { DATABASE_URL: database.url, TRON_FULL_NODE_URLS: 'http://127.0.0.1:1', PUBLIC_URL };
    const service = new ServiceProcess(settings);
    await service.waitFor(/PUBLIC_URL is https, and TRUST_PROXY names no proxy/);
    await service.stop('SIGTERM');
  });
});

describe('a delay shorter than the shortest rental', () => {
  const found = (settings: Record<string, string>) => {
    const nodes = { DATABASE_URL: 'postgres://127.0.0.1:1/none', TRON_FULL_NODE_URLS: 'http://127.0.0.1:1' };
    return configurationWarnings(loadConfiguration({ ...nodes, ...settings })).map(({ kind, subject }) => [
      kind,
      subject,
    ]);
  };

  it('is a warning: 60s is soon written for 60m', () => {
    const warned = [['reclaim_before_rental_end', 'RECLAIM_DELAY']];
    expect([found({ RECLAIM_DELAY: '60s' }), found({ RECLAIM_DELAY: '599s' })]).toEqual([warned, warned]);
    expect([found({}), found({ RECLAIM_DELAY: '10m' })]).toEqual([[], []]);
  });

  it('is said at a start', async () => {
    const database = await createTestDatabase();
    const service = new ServiceProcess({
      DATABASE_URL: database.url,
      TRON_FULL_NODE_URLS: 'http://127.0.0.1:1',
      RECLAIM_DELAY: '60s',
    });
    await service.waitFor(/RECLAIM_DELAY is 60s: energy is taken back before the shortest rental/);
    await service.stop('SIGTERM');
    await database.drop();
  });
});
