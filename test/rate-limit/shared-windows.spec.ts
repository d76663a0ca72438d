import { RateLimitWindowRepository } from '../../src/rate-limit/rate-limit-window.repository';
import { SharedRateLimits } from '../../src/rate-limit/shared-rate-limits';
import { createTestApp, type TestApp } from '../support/test-app';

const MINUTE_MS = 60_000;

describe('windows in the database', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
  });
  afterAll(() => service?.close());

  it('are swept once they have ended, and no sooner', async () => {
    const limits = service.app.get(SharedRateLimits);
    const take = (key: string) => limits.increment(key, MINUTE_MS, 2, 0, 'swept');
    for (const key of ['open', 'open', 'ended', 'ended']) await take(key);
    const run = (text: string) => service.sql.execute({ name: '', text });
    await run(`update rate_limit_windows set ends_at = now() - interval '2 minutes' where key = 'swept:ended'`);
    await service.app.get(RateLimitWindowRepository).deleteEnded();
    const left = await service.sql.rows({
      name: '',
      text: `select key from rate_limit_windows where key like 'swept:%'`,
    });
    expect(left).toEqual([{ key: 'swept:open' }]);
    expect(await take('open')).toMatchObject({ isBlocked: true });
  });

  it('keep a call that comes between the giving back of the last one and the removal of the empty window', async () => {
    const counter = service.app.get(RateLimitWindowRepository).counterOf('emptied');
    await counter.add('caller', MINUTE_MS);
    const remove = service.sql.execute.bind(service.sql) as (...asked: unknown[]) => Promise<number>;
    const removal = jest.spyOn(service.sql, 'execute').mockImplementationOnce(async (...asked: unknown[]) => {
      await counter.add('caller', MINUTE_MS);
      return remove(...asked);
    });
    await counter.takeBack('caller', MINUTE_MS);
    expect(removal).toHaveBeenCalledTimes(1);
    removal.mockRestore();
    expect(await counter.add('caller', MINUTE_MS)).toMatchObject({ calls: 2 });
  });
});
