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
