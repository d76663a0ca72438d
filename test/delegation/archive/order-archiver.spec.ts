import { SchedulerRegistry } from '@nestjs/schedule';
import { ARCHIVED_TABLES } from '../../../src/database/archive-tables';
import { SqlTransaction } from '../../../src/database/sql';
import { OrderArchiver } from '../../../src/delegation/archive/order-archiver';
import { OrderLookup } from '../../../src/delegation/lookup/order-lookup';
import { Reconciler } from '../../../src/reconciliation/reconciler';
import { type Answer, type Caller, OrderWorld } from '../../support/order-world';

const idOf = (answer: Answer) => answer.headers.get('x-delegation-id')!;

describe('the archive', () => {
  let world: OrderWorld;
  let caller: Caller;
  beforeAll(async () => {
    world = await OrderWorld.open({ env: { RECLAIM_DELAY: '1s', RETAIN_ORDERS: '400d' }, backgroundWork: true });
    // By hand alone: what it took in between would be missing from a count.
    await world.app.app.get(SchedulerRegistry).getCronJob('archive-orders').stop();
    caller = await world.caller({ balance: 1000, subscription: 2 });
  });
  afterAll(() => world.close());
  afterEach(() => jest.restoreAllMocks());

  let keys = 0;
  const body = async (active = true) => ({
    receiver_address: await world.receiver(active),
    amount: 1,
    ...(!active && { activate_address: true }),
  });
  const place = async (given: object, key = `key-${++keys}`) =>
    world.delegate(caller, given, { 'idempotency-key': key });
  const age = (ids: readonly string[], days = 401) =>
    world.query(
      `update delegations set created_at = created_at - $2 * interval '1 day', answered_at = answered_at - $2 * interval '1 day',
         delegated_at = delegated_at - $2 * interval '1 day', reclaimed_at = reclaimed_at - $2 * interval '1 day'
        where id = any($1::uuid[])`,
      [ids, days],
    );
  const archive = () => world.app.app.get(OrderArchiver).run();
  const rowsOf = async (prefix: string, ids: readonly string[]) => {
    const rows: Record<string, unknown[]> = {};
    for (const table of ARCHIVED_TABLES) {
      const key = table === 'delegations' ? 'id' : 'delegation_id';
      const found = await world.query(
        `select to_jsonb(r) as row from ${prefix}${table} r where ${key} = any($1::uuid[]) order by to_jsonb(r)::text`,
        [ids],
      );
      rows[table] = found.map(({ row }) => row);
    }
    return rows;
  };
  const nothing = Object.fromEntries(ARCHIVED_TABLES.map((table) => [table, []]));

  /** Everything that a caller and an operator can see of these orders. */
  const seen = async (ids: readonly string[], answers: readonly Answer[]) => {
    const lookup = world.app.app.get(OrderLookup);
    const paths = [
      'delegations',
      'delegations?state=reclaimed',
      `delegations?limit=1&before=${ids.at(-1)}`,
      ...ids.map((id) => `delegations/${id}`),
      ...answers.map(({ body: { txid } }) => `delegations?txid=${String(txid)}`),
      ...Array.from({ length: keys }, (_, index) => `delegations?idempotency_key=key-${index + 1}`),
    ];
    return {
      api: await Promise.all(paths.map(async (path) => (await world.get(caller, `/api/chain/${path}`)).body)),
      histories: await lookup.histories(ids),
      all: await lookup.list({}),
    };
  };
  const settled = async (given: object) => {
    const answer = await place(given);
    await world.untilState(idOf(answer), 'reclaimed');
    return answer;
  };

  it('has every row of an old order as it was; look-up, history and audit see no difference', async () => {
    const answers = [await settled(await body()), await settled(await body(false)), await settled(await body())];
    const ids = answers.map(idOf);
    await age(ids);
    const [before, rows] = [await seen(ids, answers), await rowsOf('', ids)];
    const { checked } = await world.audit();
    expect(rows['chain_transactions']).toHaveLength(7);
    expect(await archive()).toBe(3);
    expect(await rowsOf('', ids)).toEqual(nothing);
    expect(await rowsOf('archived_', ids)).toEqual(rows);
    expect(await seen(ids, answers)).toEqual(before);
    expect(await world.audit()).toEqual({ ok: true, checked, findings: [] });
    expect(await world.app.app.get(Reconciler).run('whole')).toMatchObject({ ok: true });
  });

  it('keeps keys used and answers them as ever, and forgets no txid', async () => {
    const given = { ...(await body()), max_cost: 3 };
    const answer = await settled(given);
    const key = `key-${keys}`;
    await age([idOf(answer)]);
    expect(await archive()).toBe(1);
    const again = await place(given, key);
    expect([again.status, again.body, idOf(again)]).toEqual([200, answer.body, idOf(answer)]);
    for (const otherwise of [{ amount: 2 }, { max_cost: 4 }, { max_cost: null }]) {
      const other = await place({ ...given, ...otherwise }, key);
      expect([other.status, other.headers.get('x-error-code')]).toEqual([400, 'IDEMPOTENCY_KEY_REUSED']);
    }
    const stranger = await world.caller();
    const strangers = await world.delegate(stranger, given, { 'idempotency-key': key });
    expect(strangers.status).toBe(200);
    expect(idOf(strangers)).not.toBe(idOf(answer));
    const txIds = await world.query(
      `select count(*)::integer as kept from archived_chain_transactions t join order_keys k on k.key = decode(t.tx_id, 'hex')
        where t.delegation_id = $1 and k.delegation_id = t.delegation_id`,
      [idOf(answer)],
    );
    expect(txIds).toEqual([{ kept: 2 }]);
    const insert = `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, idempotency_key, state,
        wallet_id, stake_sun, cost_sun, paid_by)
      select gen_random_uuid(), user_id, receiver, transactions, energy, rental_minutes, activate, idempotency_key, 'failed', wallet_id,
        stake_sun, cost_sun, paid_by from archived_delegations where id = $1`;
    await expect(world.query(insert, [idOf(answer)])).rejects.toThrow('order_keys_pkey');
  });

  it('takes no order that was never answered: its key is still to be answered', async () => {
    const given = await body();
    const answer = await settled(given);
    const key = `key-${keys}`;
    await world.query(
      `update delegations set answer = 'none', answer_code = null, answered_at = null, claimed_until = null where id = $1`,
      [idOf(answer)],
    );
    await age([idOf(answer)]);
    expect(await archive()).toBe(0);
    const again = await place(given, key);
    expect([again.status, idOf(again)]).toEqual([200, idOf(answer)]);
    await world.query(`update delegations set answered_at = created_at where id = $1`, [idOf(answer)]);
    expect(await archive()).toBe(1);
  });

  it('takes no order that is younger, lent, open, or whose money is not settled', async () => {
    const young = await settled(await body());
    const unsettled = await settled(await body());
    const open = await settled(await body());
    const lent = await place(await body());
    await age([idOf(young)], 399);
    await age([idOf(lent)]);
    expect(await archive()).toBe(0);
    // Ordered long ago and taken back just now.
    await world.untilState(idOf(lent), 'reclaimed');
    expect(await archive()).toBe(0);
    await world.query(`update holds set state = 'held' where delegation_id = $1`, [idOf(unsettled)]);
    await world.query(
      `update chain_transactions set state = 'sent', expiration_ms = 9e15 where delegation_id = $1 and purpose = 'reclaim'`,
      [idOf(open)],
    );
    await age([idOf(unsettled), idOf(open)]);
    expect(await archive()).toBe(0);
    await world.query(`update holds set state = 'taken' where delegation_id = $1`, [idOf(unsettled)]);
    await world.query(
      `update chain_transactions set state = 'final' where delegation_id = $1 and purpose = 'reclaim'`,
      [idOf(open)],
    );
    expect(await archive()).toBe(2);
    expect(await world.audit()).toMatchObject({ ok: true });
  });

  it('has all rows of an order or none, wherever its move is broken off', async () => {
    const answer = await settled(await body());
    const id = idOf(answer);
    await age([id]);
    const rows = await rowsOf('', [id]);
    for (let step = 1; ; step++) {
      let ran = 0;
      const execute = jest.spyOn(SqlTransaction.prototype, 'execute').mockImplementation(async function (
        this: SqlTransaction,
        ...given: unknown[]
      ) {
        const { name } = given[0] as { name: string };
        const real = Reflect.get(Object.getPrototypeOf(SqlTransaction.prototype), 'execute') as (
          ...values: unknown[]
        ) => Promise<number>;
        const count = await real.apply(this, given);
        if (name.startsWith('archive_') && ++ran === step) throw new Error('broken off');
        return count;
      });
      const moved = await archive().catch(() => null);
      execute.mockRestore();
      if (moved !== null) {
        expect([step, moved]).toEqual([6, 1]);
        break;
      }
      expect(await rowsOf('', [id])).toEqual(rows);
      expect(await rowsOf('archived_', [id])).toEqual(nothing);
    }
    expect(await rowsOf('archived_', [id])).toEqual(rows);
  });

  it('gets each order once from instances that move at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, async () => settled(await body())));
    await age(answers.map(idOf));
    const other = await world.startInstance();
    const moved = await Promise.all([archive(), other.app.get(OrderArchiver).run(), archive()]);
    expect(moved.reduce((sum, count) => sum + count)).toBe(6);
    await world.stopInstance(other);
    expect((await rowsOf('archived_', answers.map(idOf)))['delegations']).toHaveLength(6);
    expect(await world.audit()).toMatchObject({ ok: true });
  });

  it('is where an event is before it goes, and nothing in it changes', async () => {
    const answer = await settled(await body());
    const gone = `delete from delegation_events where delegation_id = $1`;
    await expect(world.query(gone, [idOf(answer)])).rejects.toThrow('delegation_events is append-only');
    for (const table of [...ARCHIVED_TABLES.map((name) => `archived_${name}`), 'order_keys']) {
      for (const change of [`delete from ${table}`, `truncate ${table}`, `update ${table} set delegation_id = null`]) {
        const text = change.replace('archived_delegations set delegation_id', 'archived_delegations set id');
        await expect(world.query(text)).rejects.toThrow(`${table} is append-only`);
      }
    }
  });

  it.each(ARCHIVED_TABLES)('and its view with %s have all columns of the table', async (table) => {
    const columns = async (name: string) =>
      (
        await world.query(
          `select column_name || ' ' || data_type as column from information_schema.columns where table_name = $1 order by 1`,
          [name],
        )
      ).map(({ column }) => column);
    const own = await columns(table);
    expect(own.length).toBeGreaterThan(4);
    expect([await columns(`archived_${table}`), await columns(`all_${table}`)]).toEqual([own, own]);
  });
});
