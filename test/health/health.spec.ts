import { Client } from 'pg';
import request from 'supertest';
import { createTestApp, type TestApp } from '../support/test-app';
import { createTestDatabase } from '../support/test-database';

describe('health', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp();
  });
  afterAll(() => service.close());

  it('live says that the process runs, whatever it depends on', async () => {
    await request(service.url).get('/health/live').expect(200, { status: 'ok' });
  });

  it('ready names what is missing: a node, a migration', async () => {
    const before = await request(service.url).get('/health/ready').expect(503);
    expect(before.body).toEqual({
      status: 'unavailable',
      checks: { database: 'ok', migrations: 'ok', node: 'failed' },
      reason: expect.stringContaining('witnesses'),
    });
    await service.orm.em.execute('delete from mikro_orm_migrations');
    const after = await request(service.url).get('/health/ready').expect(503);
    expect(after.body.checks).toEqual({ database: 'ok', migrations: 'failed', node: 'failed' });
  });
});

describe('a database that answers what it is asked', () => {
  it('and has no room for a file is found before an order meets it', async () => {
    const database = await createTestDatabase();
    const checks = async () => {
      const service = await createTestApp({ databaseUrl: database.url, backgroundWork: false });
      try {
        return (await request(service.url).get('/health/ready')).body.checks;
      } finally {
        await service.close();
      }
    };
    expect(await checks()).toMatchObject({ database: 'ok' });
    const client = new Client(database.url);
    await client.connect();
    await client.query(`alter database ${new URL(database.url).pathname.slice(1)} set temp_file_limit = 0`);
    await client.end();
    expect(await checks()).toMatchObject({ database: 'failed' });
    await database.drop();
  });
});

describe('Strict-Transport-Security', () => {
  it.each([
    ['binds this host alone', {}, 'max-age=31536000'],
    ['binds the hosts below it when asked to', { HSTS_SUBDOMAINS: 'on' }, 'max-age=31536000; includeSubDomains'],
  ])('%s', async (_, env, header) => {
    const service = await createTestApp({ env, backgroundWork: false });
    try {
      const { headers } = await fetch(`${service.url}/health/live`);
      expect(headers.get('strict-transport-security')).toBe(header);
    } finally {
      await service.close();
    }
  });
});
