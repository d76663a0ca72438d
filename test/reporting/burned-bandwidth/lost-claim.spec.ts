import { BurnedBandwidthRepository } from '../../../src/reporting/burned-bandwidth/burned-bandwidth.repository';
import { createTestApp, type TestApp } from '../../support/test-app';

const WALLET = '01890a5d-ac96-774b-bcce-b302099a8057';
const DAY = '2026-03-01';

describe('burned fees that an instance reads for longer than its claim lasts', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    await run(
      `insert into pool_wallets (id, name, address, role, key_source) values ('${WALLET}', 'main', 'a', 'delegate', 'env:NO_KEY')`,
    );
  });
  afterAll(() => service?.close());

  const run = (text: string) => service.sql.execute({ name: '', text });

  it('are counted once, by the instance that has claimed them since', async () => {
    const burned = service.app.get(BurnedBandwidthRepository);
    const sums = [{ day: DAY, wallet_id: WALLET, transactions: 2, burning: 1, burned_sun: 345_000n, unread: 0 }];
    const late = (await burned.claim())!;
    expect(await burned.claim()).toBeNull();
    await run(`update burned_mark set claimed_until = now() - interval '1 second'`);
    const mark = (await burned.claim())!;
    expect(await burned.add(mark, 2n, sums)).toBe(true);
    expect(await burned.add(late, 2n, sums)).toBe(false);
    // The later one goes on: what the other one gives back is not its claim.
    await burned.release(late);
    expect(await burned.claim()).toBeNull();
    const once = { transactions: 2n, burning: 1n, burnedSun: 345_000n, unread: 0n };
    expect(await burned.sum({ from: DAY, to: '2026-03-02' })).toEqual(once);
    await burned.release(2n);
    expect(await burned.claim()).toBe(2n);
  });
});
