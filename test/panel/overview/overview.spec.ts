import { v7 as uuid } from 'uuid';
import { addressOfKey } from '../../../src/chain/tron/addresses';
import { ConfiguredNodes, type NodeStandingView } from '../../../src/chain/tron/node/configured-nodes';
import type { NodeKind } from '../../../src/chain/tron/node/node-pool';
import { liftPromises } from '../../support/lifted-promises';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const WALLET = uuid();
const KEY = '1'.repeat(64);

describe("an operator's overview", () => {
  let service: TestApp;
  let client: PanelClient;
  let user: PanelUserLogin;
  let standings: jest.SpiedFunction<ConfiguredNodes['standings']>;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    // There is none to ask here.
    standings = jest.spyOn(service.app.get(ConfiguredNodes), 'standings').mockReturnValue([]);
    await liftPromises((text) => service.sql.execute({ name: '', text }));
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

  /** Reading, stake and key as of a wallet that lends. */
  async function lendingWallet(): Promise<void> {
    process.env['OVERVIEW_KEY'] = KEY;
    await wallet(`address = '${addressOfKey(KEY)}', role = 'delegate', state = 'active', key_source = 'env:OVERVIEW_KEY',
      delegable_sun = 20000000000000, reserved_sun = 0, balance_sun = 100000000, bandwidth = 5000, observed_at = now()`);
  }

  interface Row {
    state?: string;
    /** Minutes from now. */
    due?: number;
    error?: string;
    /** Minutes before now. */
    age?: number;
    answer?: 'none' | 'success' | 'failure';
    /** Seconds from the order to its block. */
    inBlockAfter?: number;
  }

  async function insertOrder({
    state = 'delegated',
    due,
    error,
    age = 0,
    answer = 'success',
    inBlockAfter,
  }: Row): Promise<string> {
    const id = uuid();
    await service.sql.execute(
      {
        name: '',
        text: `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id,
                 stake_sun, cost_sun, paid_by, answer, reclaim_due_at, last_error, created_at, delegated_at)
               values ($1::uuid, $2, 'T' || $1::text, '1', 65000, 10, false, $3, $4, 1, 1, 'balance', $8,
                 now() + $5::integer * interval '1 minute', $6, now() - $7::integer * interval '1 minute',
                 now() - $7::integer * interval '1 minute' + $9::integer * interval '1 second')`,
      },
      [id, user.id, state, WALLET, due ?? null, error ?? null, age, answer, inBlockAfter ?? null],
    );
    return id;
  }

  /** What needs attention, and the orders that its link lists. */
  async function troubleAndOrders(messages: string): Promise<string[]> {
    const { text } = await client.get('/panel/operator');
    const link = [...text.matchAll(/<a href="([^"]+)">([^<]+)<\/a>/g)].find(([, , label]) => label!.includes(messages));
    expect(link?.[2]).toBe(messages);
    return ordersIn((await client.get(link![1]!)).text);
  }
  const messages = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  /** What the banner says, and how loudly. */
  async function banner(): Promise<{ level: string; text: string }> {
    const { text } = await client.get('/panel/operator');
    const [, level, rest] = /<(?:section|p) class="notice ?(\w*)"[^>]*>(.*?)<\/(?:section|p)>/s.exec(text)!;
    return { level: level!, text: messages(rest!) };
  }
  const wallet = (set: string) => service.sql.execute({ name: '', text: `update pool_wallets set ${set}` });
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
    expect(await troubleAndOrders('1 order has a failed reclaim that is being retried')).toEqual([failing]);
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
          text: `insert into chain_transactions (tx_id, purpose, subject_kind, subject_id, wallet_id, receiver, amount_sun, raw_data,
                   expiration_ms, ref_block_number, state)
                 values ($1::text, 'delegation', 'order', $1::text::uuid, $2, 'T', 1, '', $3, 0, 'sent')`,
        },
        [order, WALLET, Date.now() - minutes * 60_000],
      );
    }
    expect(await troubleAndOrders('1 expired transaction is not settled yet')).toEqual([stuck]);
    // A user has no such filter.
    const own = new PanelClient(service.url);
    await own.signIn(user.email, user.password);
    const { text } = await own.get('/panel/orders?stuck=undecided');
    expect(text).toContain(stuck);
    expect(text).toContain(other);
  });

  it('counts no order as lent, nor its time, before a block has it', async () => {
    for (const seconds of [4, 6, 8]) await insertOrder({ inBlockAfter: seconds });
    for (let count = 0; count < 5; count += 1) await insertOrder({ state: 'failed', answer: 'failure' });
    await insertOrder({ state: 'sent' });
    const shown = messages((await client.get('/panel/operator')).text);
    expect(shown).toContain('Time to inclusion 6.0 s 95 % within 7.8 s');
    expect(shown).toContain('Energy delegated 195 000');
    await service.sql.execute({ name: '', text: 'delete from delegations where delegated_at is not null' });
    const without = messages((await client.get('/panel/operator')).text);
    expect(without).toContain('Time to inclusion – no order settled yet');
    expect(without).toContain('Energy delegated 0 ');
  });

  it.each([
    {
      succeeded: 1,
      failed: 20,
      level: 'refused',
      says: '20 of 21 orders in the last hour were answered with a failure',
    },
    { succeeded: 0, failed: 3, level: 'refused', says: '3 of 3 orders' },
    { succeeded: 4, failed: 4, level: 'attention', says: '4 of 8 orders' },
    {
      succeeded: 18,
      failed: 1,
      level: 'attention',
      says: '1 of 19 orders in the last hour was answered with a failure',
    },
    { succeeded: 19, failed: 1, level: '', says: 'All good: orders are being accepted' },
    { succeeded: 0, failed: 2, level: '', says: 'All good: orders are being accepted' },
  ])(
    'is $level with $failed of its answers failures and $succeeded not',
    async ({ succeeded, failed, level, says }) => {
      await lendingWallet();
      for (let count = 0; count < succeeded; count += 1) await insertOrder({ inBlockAfter: 1 });
      const ids = [];
      for (let count = 0; count < failed; count += 1)
        ids.push(await insertOrder({ state: 'failed', answer: 'failure' }));
      // Long ago, and not answered yet: neither counts.
      await insertOrder({ state: 'failed', answer: 'failure', age: 61 });
      await insertOrder({ state: 'pending', answer: 'none' });
      const shown = await banner();
      expect(shown).toMatchObject({ level, text: expect.stringContaining(says) as string });
      expect(ordersIn((await client.get('/panel/operator/orders?stuck=refused')).text).toSorted()).toEqual(
        ids.toSorted(),
      );
    },
  );

  it.each([
    [`state = 'paused'`, '501 PAUSED: every wallet that delegates is paused or draining'],
    [`state = 'draining'`, '501 PAUSED: every wallet that delegates is paused or draining'],
    [`delegable_sun = 999999`, '501 INSUFFICIENT_ENERGY: no active wallet has enough energy for one transaction'],
    [`balance_sun = 0, bandwidth = 0`, '501 INSUFFICIENT_ENERGY: no wallet with stake has enough bandwidth or TRX'],
    [
      `observed_at = null, delegable_sun = 0`,
      '500 NODE_UNAVAILABLE: wallets that may have enough stake cannot be read',
    ],
    [`key_source = 'env:NO_SUCH_KEY'`, '500 INTERNAL: the key of the wallet cannot be read here'],
    [`observed_at = now() - interval '8 minutes'`, '500 NODE_UNAVAILABLE: the chain could not be read'],
    [`role = 'activate'`, '501 INSUFFICIENT_ENERGY: the pool has no wallet that delegates'],
  ])('is in trouble while no wallet takes orders: %s', async (set, says) => {
    await lendingWallet();
    expect((await banner()).level).toBe('');
    await wallet(set);
    const shown = await banner();
    expect(shown).toMatchObject({ level: 'refused', text: expect.stringContaining(says) as string });
    const page = messages((await client.get('/panel/operator/wallets')).text);
    expect(page).not.toContain('New orders are being accepted.');
  });

  it('counts what is reserved once more before it says that none is left, as an order does', async () => {
    await lendingWallet();
    await wallet('reserved_sun = 50000000000000');
    expect(await banner()).toMatchObject({ level: '' });
  });

  it.each([
    [`key_source = 'env:NO_SUCH_KEY'`, 'key', '1 active wallet has no usable key'],
    [`observed_at = null`, 'unread', '1 active wallet cannot be read from the chain'],
    [
      `refusals = 1, resting_until = now() + interval '10 minutes'`,
      'rests',
      '1 active wallet rests because the network refused transactions',
    ],
    [`delegable_sun = 999999`, 'stake', '1 active wallet is out of energy'],
    [`balance_sun = 0, bandwidth = 0`, 'fees', '1 active wallet is out of bandwidth and TRX for another order'],
    [`state = 'paused'`, 'paused', '1 wallet is paused'],
    [`state = 'draining'`, 'draining', '1 wallet is draining'],
  ])('names the one cause for which a wallet lends nothing, and leads to it: %s', async (set, cause, says) => {
    await lendingWallet();
    // Without one there would be a checklist.
    await insertOrder({ state: 'reclaimed', age: 100 });
    await wallet(set);
    const others = (await client.get('/panel/operator')).text.match(/<a href="[^"]*wallets\/[^"]*">[^<]*<\/a>/g)!;
    expect(others).toContain(`<a href="/panel/operator/wallets/${WALLET}">${says}</a>`);
    expect(others).toHaveLength(1);
    const list = messages((await client.get(`/panel/operator/wallets?why=${cause}`)).text);
    expect(list).toContain(says);
    expect(list).toContain('All wallets');
    const healthy = cause === 'stake' ? 'fees' : 'stake';
    expect(messages((await client.get(`/panel/operator/wallets?why=${healthy}`)).text)).toContain(
      'No wallet is in this',
    );
    await wallet(`refusals = 0, resting_until = null, state = 'active'`);
  });

  it('says what needs an operator above the figures of the first page too', async () => {
    await lendingWallet();
    await insertOrder({ due: -20 });
    const { text } = await client.get('/panel/operator/today');
    const trouble = text.indexOf('1 reclaim is overdue by more than 15 minutes');
    expect(trouble).toBeGreaterThan(0);
    expect(trouble).toBeLessThan(text.indexOf('class="tiles'));
  });

  it('says which node is behind by how much, since when, and on how many the service runs', async () => {
    await lendingWallet();
    await insertOrder({ inBlockAfter: 1 });
    const shown = {
      behindBlocks: 400,
      behindSince: new Date('2026-03-01T18:57:00Z'),
      slow: false,
      resting: false,
      lastFault: null,
    };
    const node = { kind: 'wallet', url: 'http://one.example/key', failing: false, ...shown } as const;
    const other = { ...node, url: 'http://two.example/key', behind: false, behindBlocks: null, behindSince: null };
    standings.mockReturnValue([{ ...node, behind: true }, other]);
    try {
      for (const page of ['/panel/operator', '/panel/operator/today']) {
        const { text } = await client.get(page);
        expect(messages(text)).toContain(
          'The node one.example is 400 blocks behind and is not used. The service runs on 1 of 2 nodes. since',
        );
        expect(text).toContain('<time datetime="2026-03-01T18:57:00.000Z"');
      }
      standings.mockReturnValue([{ ...node, behind: true }]);
      expect(await banner()).toMatchObject({
        level: 'refused',
        text: expect.stringContaining('No other node works.') as string,
      });
    } finally {
      standings.mockReturnValue([]);
    }
  });

  it('says of a node that fails whether another one of its kind works', async () => {
    await lendingWallet();
    await insertOrder({ inBlockAfter: 1 });
    const healthy = {
      behind: false,
      behindBlocks: null,
      behindSince: null,
      slow: false,
      lastFault: null,
      resting: false,
      failing: false,
    };
    const node = (kind: NodeKind, host: string, failing = false) => ({
      ...healthy,
      kind,
      url: `http://${host}`,
      failing,
    });
    const said = async (...nodes: NodeStandingView[]) => {
      standings.mockReturnValue(nodes);
      return messages((await client.get('/panel/operator')).text);
    };
    try {
      const others = [node('wallet', 'two.example'), node('walletsolidity', 'three.example')];
      expect(await said(node('wallet', 'one.example'), ...others)).not.toContain('The node');
      expect(await said(node('wallet', 'one.example', true), ...others)).toContain(
        'The node one.example fails and is not used for now. The service runs on 1 of 2 nodes.',
      );
      // Of two hosts each is the last of its kind.
      expect(await said(node('wallet', 'one.example', true), node('walletsolidity', 'three.example'))).toContain(
        'The node one.example fails and is not used for now. No other node works.',
      );
    } finally {
      standings.mockReturnValue([]);
    }
  });
});
