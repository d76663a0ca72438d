import { LaneFullError } from '../../src/common/concurrency/lane';
import type { SqlTransaction } from '../../src/database/sql';
import { statement } from '../../src/database/statement';
import { AccountLanes } from '../../src/balance/account-lanes';
import { insertUser } from '../support/factories';
import { HeldLock } from '../support/held-lock';
import { createTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const WIDTH = 4;
const LOCK = statement<[userId: string], { locked: number }>(
  'test_lock_account',
  'select 1 as locked from accounts where user_id = $1 for no key update',
);

describe('a lane of transactions that lock accounts', () => {
  let service: TestApp;
  let lanes: AccountLanes;
  let account: HeldLock;
  let lockAccount: (tx: SqlTransaction) => Promise<unknown>;
  let open: (() => void)[] = [];
  let running: Promise<unknown>[] = [];
  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    lanes = service.app.get(AccountLanes);
    const userId = await insertUser(service.orm);
    account = await HeldLock.take(service.databaseUrl, LOCK.text, [userId]);
    lockAccount = (tx) => tx.row(LOCK, [userId]);
  });
  afterAll(async () => {
    await account.release();
    await service.close();
  });
  afterEach(async () => {
    for (const end of open) end();
    await Promise.all(running);
    [open, running] = [[], []];
  });

  /** Until they are let go; behind a locked account it is the patient lane. */
  async function occupy(lane: 'brief' | 'patient'): Promise<void> {
    let entered = 0;
    for (let place = 0; place < WIDTH; place += 1) {
      const held = new Promise<void>((resolve) => open.push(resolve));
      let tries = 0;
      const work = async (tx: SqlTransaction) => {
        tries += 1;
        if (lane === 'patient' && tries === 1) await lockAccount(tx);
        entered += 1;
        await held;
      };
      running.push(lanes.transaction(work, 60_000));
    }
    await until('the lane is full', async () => entered === WIDTH);
  }
  const letOneGo = () => open.shift()!();

  it('that is full keeps none longer than its patience: one whose account is locked gets that as its answer', async () => {
    await occupy('patient');
    await expect(lanes.transaction(lockAccount, 100)).rejects.toMatchObject({ code: '55P03' });
  });

  it('that is full keeps none longer than its patience: one that had no turn was not begun', async () => {
    await occupy('brief');
    const work = jest.fn(async () => undefined);
    await expect(lanes.transaction(work, 100)).rejects.toBeInstanceOf(LaneFullError);
    letOneGo();
    await lanes.transaction(async () => undefined, 60_000);
    expect(work).not.toHaveBeenCalled();
  });

  it('is tried twice, and no third time, by what has no patience of its own and meets a lock', async () => {
    const work = jest.fn(lockAccount);
    await expect(lanes.transaction(work)).rejects.toMatchObject({ code: '55P03' });
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('is waited for without end by what has no patience of its own: money is given back', async () => {
    await occupy('brief');
    const released = lanes.transaction(async () => 'released');
    await expect(lanes.transaction(async () => undefined, 100)).rejects.toBeInstanceOf(LaneFullError);
    letOneGo();
    expect(await released).toBe('released');
  });
});
