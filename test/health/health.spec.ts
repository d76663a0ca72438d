import { isDeepStrictEqual } from 'node:util';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { Client } from 'pg';
import request from 'supertest';
import { Clock } from '../../src/common/clock';
import { DatabaseIdentity } from '../../src/database/identity/database-identity';
import { runOnServer } from '../support/database-server';
import { SettableClock } from '../support/movable-clock';
import { inSchemas } from '../support/standing-clock';
import { createTestApp, type TestApp } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { until } from '../support/until';

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
    await until('the missing migration is named', async () => {
      const after = await request(service.url).get('/health/ready').expect(503);
      return isDeepStrictEqual(after.body.checks, { database: 'ok', migrations: 'failed', node: 'failed' });
    });
  });
});

describe('a database that answers what it is asked', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const run = (text: string) => runOnServer(database.url, text);
  const checks = async (databaseUrl = database.url) => {
    const service = await createTestApp({ databaseUrl, backgroundWork: false });
    try {
      return (await request(service.url).get('/health/ready')).body.checks;
    } finally {
      await service.close();
    }
  };

  it('and has no room for a file is found before an order meets it', async () => {
    // What the question for room meets: what writes its file stands before the server's own function.
    await run(`create schema no_room`);
    await run(`create function no_room.generate_series(integer, integer) returns setof integer language plpgsql as $$
      begin
        raise exception 'could not write to file "base/pgsql_tmp/1": No space left on device' using errcode = 'disk_full';
      end $$`);
    expect(await checks(inSchemas(database.url, 'no_room,public,pg_catalog'))).toMatchObject({ database: 'failed' });
  });

  it('is asked to write a file', async () => {
    expect(await checks()).toMatchObject({ database: 'ok' });
    const client = new Client(database.url);
    await client.connect();
    await until('a file was written', async () => {
      const text = `select 1 from pg_stat_database where datname = current_database() and temp_files > 0`;
      return (await client.query(text)).rows.length > 0;
    });
    await client.end();
  });

  it('and allows its role no temporary files takes orders all the same', async () => {
    await run(`alter database ${new URL(database.url).pathname.slice(1)} set temp_file_limit = 0`);
    expect(await checks()).toMatchObject({ database: 'ok' });
  });
});

describe('readiness, which anybody may ask for', () => {
  it('asks the database once a second, however many ask for it', async () => {
    const clock = new SettableClock();
    const overrides = (builder: TestingModuleBuilder) => builder.overrideProvider(Clock).useValue(clock);
    const service = await createTestApp({ backgroundWork: false, overrides });
    try {
      const asked = jest.spyOn(service.app.get(DatabaseIdentity), 'findDifference');
      const askMany = () =>
        Promise.all(Array.from({ length: 30 }, () => request(service.url).get('/health/ready').expect(503)));
      await askMany();
      await askMany();
      clock.advance(999);
      await askMany();
      expect(asked).toHaveBeenCalledTimes(1);
      clock.advance(1);
      await askMany();
      expect(asked).toHaveBeenCalledTimes(2);
    } finally {
      await service.close();
    }
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
