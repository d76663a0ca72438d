import { WholeCheckRepository } from '../../src/reconciliation/whole-check/whole-check.repository';
import { createTestApp, type TestApp } from '../support/test-app';

describe('a check of everything whose instance was stopped for longer than its claim lasts', () => {
  let service: TestApp;
  let store: WholeCheckRepository;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    store = service.app.get(WholeCheckRepository);
  });
  afterAll(() => service?.close());

  const lapse = () =>
    service.sql.execute({
      name: 'test_lapse',
      text: `update whole_check set claimed_until = now() - interval '1 second'`,
    });

  it('neither ends nor renews the one that another instance has begun since', async () => {
    const late = (await store.claim(null))!;
    expect(await store.claim(null)).toBeNull();
    await lapse();
    const next = (await store.claim(null))!;
    await store.end(late, 'failed', null);
    expect(await store.read()).toMatchObject({ under_way: true, outcome: null });
    await lapse();
    await store.renew(late);
    expect(await store.read()).toMatchObject({ under_way: false, outcome: null });
    await store.renew(next);
    expect(await store.read()).toMatchObject({ under_way: true, outcome: null });
    await store.end(next, 'done', { checked: {}, found: 0, corrected: 0, paused: [], resumed: [] });
    await store.end(next, 'failed', null);
    expect(await store.read()).toMatchObject({ under_way: false, outcome: 'done' });
  });
});
