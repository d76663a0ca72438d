import { expectLedgerConsistent } from '../support/ledger-consistency';
import { OrderWorld } from '../support/order-world';

/** What PostgreSQL says of a write when its disk is full; nothing else about the server changes. */
const FULL = `
  create function disk_is_full() returns trigger language plpgsql as $$
  begin
    raise exception 'could not extend file "base/5/16397": No space left on device' using errcode = 'disk_full';
  end $$`;
const WRITTEN = ['delegations', 'holds', 'chain_transactions', 'delegation_events'];

describe('a full disk of the database', () => {
  let world: OrderWorld;
  beforeAll(async () => {
    world = await OrderWorld.open();
    await run(FULL);
  });
  afterAll(() => world.close());
  afterEach(() => expectLedgerConsistent(world.app.sql));

  const run = (sql: string) => world.app.orm.em.fork().execute(sql);
  const fill = (table: string) =>
    run(`create trigger full_disk before insert or update on ${table} for each row execute function disk_is_full()`);
  const free = (table: string) => run(`drop trigger full_disk on ${table}`);
  const sent = async () => {
    const state = (await (await fetch(`${world.chain.url}/control/state`)).json()) as { transactions: unknown[] };
    return state.transactions.length;
  };

  it.each(WRITTEN)('refuses an order before anything is sent or held, when %s cannot be written', async (table) => {
    const caller = await world.caller({ balance: 10 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const before = await sent();
    await fill(table);
    const refused = await world.delegate(caller, body);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([500, 'INTERNAL']);
    expect(refused.text).not.toContain('device');
    expect(await world.get(caller, '/api/user/balance')).toMatchObject({ body: { data: { balance: 10 } } });
    expect(await sent()).toBe(before);
    await free(table);
    expect((await world.delegate(caller, body)).status).toBe(200);
  });

  it('makes the instance unready with the first order that it refuses, until one can be written again', async () => {
    const ready = async () => {
      const response = await fetch(`${world.app.url}/health/ready`);
      return [response.status, ((await response.json()) as { checks: object }).checks];
    };
    const caller = await world.caller({ balance: 10 });
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const checks = { database: 'ok', migrations: 'ok', node: 'ok' };
    expect(await ready()).toEqual([200, checks]);
    await fill('delegations');
    expect((await world.delegate(caller, body)).status).toBe(500);
    expect(await ready()).toEqual([503, { ...checks, database: 'failed' }]);
    await free('delegations');
    expect((await world.delegate(caller, body)).status).toBe(200);
    expect(await ready()).toEqual([200, checks]);
  });

  it('that comes while an order is lent delays its charge and loses none', async () => {
    const caller = await world.caller({ balance: 10 });
    // Only a charge writes there.
    await fill('ledger_entries');
    const answer = await world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
    const id = answer.headers.get('x-delegation-id')!;
    await world.control('block', { count: 6 });
    expect((await world.show(id))!.state).toBe('included');
    await free('ledger_entries');
    await world.untilState(id, 'delegated');
    const charges = await world.query(`select amount_sun from ledger_entries where delegation_id = $1`, [id]);
    expect(charges).toEqual([{ amount_sun: -3_000_000n }]);
  });
});
