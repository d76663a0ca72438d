import { v7 as uuid } from 'uuid';
import { PanelClient } from '../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { createTestApp, type TestApp } from '../support/test-app';

const WALLET = uuid();

describe("an operator's overview", () => {
  let service: TestApp;
  let client: PanelClient;
  let user: PanelUserLogin;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const operator = await insertPanelUser(service, { operator: true });
    user = await insertPanelUser(service);
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
    await service.sql.execute({
      name: '',
      text: `insert into pool_wallets (id, name, address, role, key_source) values ('${WALLET}', 'w', 'w', 'delegate', 'env:NONE')`,
    });
  });
  afterEach(async () => {
    await service.sql.execute({ name: '', text: 'delete from chain_transactions' });
    await service.sql.execute({ name: '', text: 'delete from delegations' });
  });
  afterAll(() => service.close());

  interface Row {
    state?: string;
    /** Minutes from now. */
    due?: number;
    error?: string;
    /** Minutes before now. */
    age?: number;
  }

  async function insertOrder({ state = 'delegated', due, error, age = 0 }: Row): Promise<string> {
    const id = uuid();
    await service.sql.execute(
      {
        name: '',
        text: `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id,
                 stake_sun, cost_sun, paid_by, answer, reclaim_due_at, last_error, created_at)
               values ($1::uuid, $2, 'T' || $1::text, '1', 65000, 10, false, $3, $4, 1, 1, 'balance', 'success',
                 now() + $5::integer * interval '1 minute', $6, now() - $7::integer * interval '1 minute')`,
      },
      [id, user.id, state, WALLET, due ?? null, error ?? null, age],
    );
    return id;
  }

  /** What needs attention, and the orders that its link lists. */
  async function troubleAndOrders(words: string): Promise<string[]> {
    const { text } = await client.get('/panel/operator');
    const link = [...text.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)].find(([, , told]) => told!.includes(words));
    expect(link?.[2]).toBe(words);
    return ordersIn((await client.get(link![1]!)).text);
  }
  const ordersIn = (page: string) =>
    [...page.matchAll(/href="\/panel\/operator\/orders\/([\w-]{36})"/g)].map(([, id]) => id!);

  it('leads to the very orders whose reclaim is overdue, whatever their state', async () => {
    const stuck = [await insertOrder({ state: 'taking_back', due: -20 }), await insertOrder({ due: -16 })];
    await insertOrder({ due: -14 });
    await insertOrder({ state: 'reclaimed', due: -20 });
    expect(await troubleAndOrders('2 reclaims are overdue by more than 15 minutes')).toEqual(
      expect.arrayContaining(stuck),
    );
    expect(ordersIn((await client.get('/panel/operator/orders?stuck=overdue')).text)).toHaveLength(2);
  });

  it('leads to the orders whose reclaim failed, and to those that stay open', async () => {
    const failing = await insertOrder({ state: 'delegated', due: 5, error: 'no node' });
    const abandoned = await insertOrder({ state: 'included', age: 11 });
    await insertOrder({ state: 'pending', age: 9 });
    await insertOrder({ state: 'failed', error: 'no node', age: 20 });
    expect(await troubleAndOrders('1 order has a reclaim that failed and is tried again')).toEqual([failing]);
    expect(await troubleAndOrders('1 order has been open for more than 10 minutes')).toEqual([abandoned]);
  });

  it('leads to the order of a transaction that expired without being settled', async () => {
    const [stuck, other] = [await insertOrder({ state: 'sent' }), await insertOrder({ state: 'sent' })];
    for (const [order, minutes] of [
      [stuck, 11],
      [other, 9],
    ] as const) {
      await service.sql.execute(
        {
          name: '',
          text: `insert into chain_transactions (tx_id, purpose, delegation_id, wallet_id, receiver, amount_sun, raw_data,
                   raw_data_hex, signature, expiration_ms, ref_block_number, ref_block_id, state)
                 values ($1::text, 'delegation', $1::text::uuid, $2, 'T', 1, '{}', '', '', $3, 0, '', 'sent')`,
        },
        [order, WALLET, Date.now() - minutes * 60_000],
      );
    }
    expect(await troubleAndOrders('1 transaction has expired and is still not settled')).toEqual([stuck]);
    // A user has no such filter.
    const own = new PanelClient(service.url);
    await own.signIn(user.email, user.password);
    const { text } = await own.get('/panel/orders?stuck=undecided');
    expect(text).toContain(stuck);
    expect(text).toContain(other);
  });

  it('counts all that is due back, long overdue and far ahead too', async () => {
    for (let hours = -40; hours < 0; hours += 1) await insertOrder({ due: hours * 60 - 60 });
    for (let hours = 1; hours <= 30; hours += 1) await insertOrder({ due: hours * 60 });
    const { text } = await client.get('/panel/operator');
    const table = /<caption[^>]*>Energy due back<\/caption>.*?<\/table>/s.exec(text)![0];
    const rows = [...table.matchAll(/<th scope="row"[^>]*>(.*?)<\/th><td[^>]*>(\d+)<\/td>/g)];
    expect(rows[0]!.slice(1)).toEqual(['before this hour', '40']);
    expect(rows.at(-1)![1]).toBe('more than 24 hours from now');
    expect(rows.reduce((sum, [, , orders]) => sum + Number(orders), 0)).toBe(70);
  });
});
