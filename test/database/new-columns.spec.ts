import { Client } from 'pg';
import { LedgerService } from '../../src/balance/ledger.service';
import { Queryable } from '../../src/database/sql';
import { statement } from '../../src/database/statement';
import { FindingRepository } from '../../src/findings/finding.repository';
import { Reconciler } from '../../src/reconciliation/reconciler';
import { MetricsRepository } from '../../src/telemetry/metrics/metrics.repository';
import { UserService } from '../../src/users/user.service';
import { type Caller, OrderWorld } from '../support/order-world';

/** `cached plan must not change result type`: a connection answers so for as long as it lives. */
const RESULT_CHANGED = '0A000';

describe('a column that is added while an instance runs', () => {
  let world: OrderWorld;
  const failures: unknown[] = [];
  beforeAll(async () => (world = await OrderWorld.open({ env: { RECLAIM_DELAY: '1s' } })));
  afterAll(() => world.close());
  // Background work tries again by itself, so that what it failed at would not show.
  beforeAll(() => {
    for (const method of ['rows', 'row', 'execute'] as const) {
      const real = Queryable.prototype[method] as (...given: unknown[]) => Promise<never>;
      jest.spyOn(Queryable.prototype, method).mockImplementation(async function (this: Queryable, ...given: unknown[]) {
        return real.apply(this, given).catch((error: { code?: string }) => {
          if (error.code === RESULT_CHANGED) failures.push(error);
          throw error;
        });
      });
    }
  });
  afterAll(() => jest.restoreAllMocks());

  /** All that callers, operators and background work do with their tables. */
  const life = async (caller: Caller, turn: string) => {
    const keep = (error: unknown) => void failures.push(error);
    const headers = { 'idempotency-key': turn };
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const answer = await world.delegate(caller, body, headers);
    const unknown = { receiver_address: await world.receiver(false), amount: 1, activate_address: true };
    const activated = await world.delegate(caller, unknown);
    const repeated = await world.delegate(caller, body, headers);
    const id = answer.headers.get('x-delegation-id')!;
    await world.untilState(id, 'reclaimed');
    await world.untilState(activated.headers.get('x-delegation-id')!, 'reclaimed');
    const paths = [
      `delegations/${id}`,
      'delegations',
      'delegations?state=reclaimed',
      `delegations?txid=${String(answer.body['txid'])}`,
      `delegations?idempotency_key=${turn}`,
    ];
    const looks = await Promise.all(paths.map((path) => world.get(caller, `/api/chain/${path}`)));
    const balance = await world.get(caller, '/api/user/balance');
    const { app } = world.app;
    await app.get(LedgerService).credit({ userId: caller.id, amountSun: 1n, note: 'more' }).catch(keep);
    await app.get(LedgerService).listEntries(caller.id).catch(keep);
    await app.get(UserService).create(`${turn}@example.com`, { name: turn }).catch(keep);
    await app.get(Reconciler).run('whole').catch(keep);
    await app.get(Reconciler).run('changed').catch(keep);
    await app.get(FindingRepository).now().catch(keep);
    await app.get(MetricsRepository).countOrders().catch(keep);
    for (const { status } of [answer, activated, repeated, ...looks, balance])
      expect([turn, status]).toEqual([turn, 200]);
    expect(repeated.body['txid']).toBe(answer.body['txid']);
    expect(await world.audit()).toMatchObject({ ok: true });
  };

  it('fails none of its requests, whichever table it is added to', async () => {
    const callers = await Promise.all(['a', 'b', 'c', 'd'].map(() => world.caller()));
    await life(callers[0]!, 'first');
    await life(callers[1]!, 'second');
    expect(failures).toEqual([]);
    const client = new Client(world.database.url);
    await client.connect();
    for (const { tableName } of world.app.orm.getMetadata().getAll().values()) {
      await client.query(`alter table ${tableName} add column added_later text`);
    }
    await client.end();
    await life(callers[2]!, 'third');
    await life(callers[3]!, 'fourth');
    expect(failures).toEqual([]);
  });

  it.each([
    'select * from delegations where id = $1',
    'select d.*, 1 as one from delegations d',
    'update delegations set epoch = 1 returning *',
    'with d as (select id, * from delegations) select id from d',
  ])('would change what this gives, so it is refused: %s', (text) => {
    expect(() => statement('test_all_columns', text)).toThrow('has to name its columns');
    expect(statement('test_counts', 'select count(*), 2 * 3, sum(a * b) from t').text).toBeDefined();
  });
});
