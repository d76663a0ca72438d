import request from 'supertest';
import { createTestApp, type TestApp } from '../support/test-app';

describe('health', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp();
  });
  afterAll(() => service.close());

  it('live says that the process runs, whatever it depends on', async () => {
    await request(service.url).get('/health/live').expect(200, { status: 'ok' });
  });

  it('ready fails when a migration is missing', async () => {
    await request(service.url).get('/health/ready').expect(200);
    await service.orm.em.execute('delete from mikro_orm_migrations');
    const answer = await request(service.url).get('/health/ready').expect(503);
    expect(answer.body).toMatchObject({ status: 'unavailable', checks: { database: 'ok', migrations: 'failed' } });
  });
});
