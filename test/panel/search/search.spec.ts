import { LedgerService } from '../../../src/balance/ledger.service';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import type { OrderView } from '../../../src/delegation/lookup/order-lookup';
import { UserService } from '../../../src/users/user.service';
import { OrderWorld } from '../../support/order-world';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { until } from '../../support/until';

const TOKEN = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

describe('the search', () => {
  let world: OrderWorld;
  let ann: PanelUserLogin;
  let bobId: string;
  let clients: Record<'ann' | 'bob' | 'operator', PanelClient>;
  let order: OrderView;

  beforeAll(async () => {
    world = await OrderWorld.open();
    ann = await insertPanelUser(world.app, { email: 'ann@example.com', balance: 100 });
    await world.app.app.get(UserService).update(ann.email, { name: 'Ann 100% <Müller>' });
    const bob = await insertPanelUser(world.app, { email: 'bob@example.com' });
    bobId = bob.id;
    const operator = await insertPanelUser(world.app, { operator: true, email: 'olga@example.com' });
    const signedIn = async ({ email, password }: PanelUserLogin) => {
      const client = new PanelClient(world.app.url);
      await client.signIn(email, password);
      return client;
    };
    clients = { ann: await signedIn(ann), bob: await signedIn(bob), operator: await signedIn(operator) };
    const body = { receiver_address: await world.receiver(), amount: 1 };
    const answer = await world.delegate(await world.tokenOf(ann.id), body, { 'Idempotency-Key': 'invoice 7/b' });
    order = (await world.show(answer.headers.get('x-delegation-id')!))!;
  });
  afterAll(() => world?.close());

  const find = (who: keyof typeof clients, text: string) =>
    clients[who].get(`/panel/search?q=${encodeURIComponent(text)}`);

  const ways = (): [string, string][] => [
    ['txid', order.txid!],
    ['txid as explorers write it', `0x${order.txid!.toUpperCase()}`],
    ['receiver', order.receiver],
    ['id', order.id],
    ['id in capitals', order.id.toUpperCase()],
    ['URL of an explorer', `https://tronscan.org/#/transaction/${order.txid!}`],
    ['URL of an explorer with more behind', `https://nile.tronscan.org/#/transaction/${order.txid!}?lang=en#x`],
    ['URL of an address', `https://tronscan.org/#/address/${order.receiver}/transfers`],
    [
      'URL of an address with another one behind it',
      `https://tronscan.org/#/address/${order.receiver}/transfers?token=${TOKEN}`,
    ],
    ['URL of an explorer without its scheme', `tronscan.org/#/transaction/${order.txid!}`],
    ['URL of an address without its scheme', `nile.tronscan.org/#/address/${order.receiver}?token=${TOKEN}`],
    ['txid behind a word', `txid: ${order.txid!}`],
    ['txid before a comma', `${order.txid!},`],
    ['txid in brackets, with its receiver', `${order.receiver} (0x${order.txid!})`],
    ['receiver behind a word', `to: ${order.receiver}.`],
    ['id before a comma', `${order.id},`],
    ['URL of the panel itself', `${world.app.url}/panel/operator/orders/${order.id}`],
    ['beginning of a txid', order.txid!.slice(0, 8)],
    ['longer beginning of a txid', `0x${order.txid!.slice(0, 20).toUpperCase()}`],
    ['short form of a txid', `${order.txid!.slice(0, 6)}…${order.txid!.slice(-6)}`],
    ['short form with dots', `${order.txid!.slice(0, 6)}...${order.txid!.slice(-6)}`],
    ['beginning of a receiver', order.receiver.slice(0, 12)],
    ['short form of a receiver', `${order.receiver.slice(0, 8)}…${order.receiver.slice(-6)}`],
    ['beginning of an id', order.id.slice(0, 18)],
    ['short form of an id', `${order.id.slice(0, 13)}…${order.id.slice(-6)}`],
  ];

  it('leads to the one order that a txid, an address or an id means, with blanks around it too', async () => {
    for (const [way, text] of ways()) {
      const found = [(await find('ann', `  ${text}\n`)).location, (await find('operator', `\t${text} `)).location];
      expect([way, ...found]).toEqual([way, `/panel/orders/${order.id}`, `/panel/operator/orders/${order.id}`]);
    }
    for (const key of ['invoice 7/b', 'invoice 7/b, invoice 7/b']) {
      expect((await find('ann', key)).location).toBe(`/panel/orders/${order.id}`);
    }
    expect((await find('ann', ',')).text).toContain('No results for');
  });

  it('leads to the order of a key with an id of something else in it', async () => {
    for (const key of [`pay-${'7a'.repeat(32)}`, `shop.example/${bobId}?n=1`]) {
      const body = { receiver_address: await world.receiver(), amount: 1 };
      const placed = await world.delegate(await world.tokenOf(ann.id), body, { 'Idempotency-Key': key });
      expect((await find('ann', key)).location).toBe(`/panel/orders/${placed.headers.get('x-delegation-id')!}`);
    }
  });

  it('leads to the order that a request has placed, and a customer to no other one of the same id', async () => {
    const request = { 'x-request-id': 'shop-7.1' };
    const placed = await world.delegate(
      await world.tokenOf(ann.id),
      { receiver_address: await world.receiver(), amount: 1 },
      request,
    );
    const id = placed.headers.get('x-delegation-id')!;
    expect((await find('ann', 'shop-7.1')).location).toBe(`/panel/orders/${id}`);
    expect((await find('operator', ' shop-7.1 ')).location).toBe(`/panel/operator/orders/${id}`);
    expect((await find('bob', 'shop-7.1')).text).toContain('No results for');
    expect((await clients.ann.get(`/panel/orders/${id}`)).text).toContain('request_id: shop-7.1');
  });

  it("finds nothing of another customer's, and no users or wallets for a customer", async () => {
    const others = [...ways().map(([, text]) => text), 'invoice 7/b', 'ann', 'Müller', 'pool'];
    for (const text of others) {
      const { status, text: page } = await find('bob', text);
      expect([text, status, page.includes('No results for')]).toEqual([text, 200, true]);
      expect(page).not.toContain('ann@example.com');
    }
  });

  it('finds users by a part of address or name as it is written, and wallets by name and address', async () => {
    const path = `/panel/operator/users/${ann.id}`;
    for (const part of ['ann@', '100%', '<müller>', 'NN 1']) expect((await find('operator', part)).location).toBe(path);
    const several = await find('operator', 'example.com');
    for (const name of ['ann', 'bob', 'olga']) expect(several.text).toContain(`${name}@example.com`);
    expect((await find('operator', '%')).location).toBe(path);
    const wallet = (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'pool')!;
    expect((await find('operator', wallet.address)).location).toBe(`/panel/operator/wallets/${wallet.id}`);
  });

  it('shows the movement of a reference and a refused request, and a customer the own ones alone', async () => {
    await world.app.app.get(LedgerService).credit({
      userId: ann.id,
      amountSun: 5_000_000n,
      note: 'paid',
      reference: 'INV-17',
    });
    const token = await world.tokenOf(ann.id);
    const refused = await world.delegate(token, { receiver_address: await world.receiver(), amount: 9_000_000 });
    expect(refused.status).toBeGreaterThan(399);
    const request = refused.headers.get('x-request-id')!;
    const [attempts] = await until('the attempt is written', async () => {
      const found = await world.query('select 1 from refused_attempts where request_id = $1', [request]);
      return found.length > 0 ? [found] : null;
    });
    expect(attempts).toHaveLength(1);
    for (const [who, page] of [
      ['operator', `/panel/operator/users/${ann.id}/money`],
      ['ann', '/panel/balance'],
    ] as const) {
      const { status, text } = await find(who, 'INV-17');
      expect([status, text.includes('5.000000')]).toEqual([200, true]);
      // Its day: on the first page of the ledger there may be nothing but later ones.
      const href = /href="([^"]*#ledger)"/.exec(text)![1]!.replaceAll('&amp;', '&');
      const [day] = await world.query(
        `select to_char(at at time zone 'utc', 'YYYY-MM-DD') as day from ledger_entries where reference = 'INV-17'`,
      );
      expect(href).toBe(`${page}?from=${String(day!['day'])}&to=${String(day!['day'])}#ledger`);
      expect((await clients[who].get(href.replace('#ledger', ''))).text).toContain('INV-17');
      const attempt = await find(who, request);
      expect(attempt.status).toBe(200);
      for (const part of [refused.headers.get('x-error-code')!, '9000000']) expect(attempt.text).toContain(part);
    }
    expect((await find('operator', request)).text).toContain(`href="/panel/operator/users/${ann.id}"`);
    for (const text of ['INV-17', request]) expect((await find('bob', text)).text).toContain('No results for');
  });

  it('is not needed on the page of an order: user, wallet and receiver are links there, and its history has seconds', async () => {
    const { text } = await clients.operator.get(`/panel/operator/orders/${order.id}`);
    const receiver = `href="/panel/operator/orders?receiver=${order.receiver}"`;
    for (const href of [
      `href="/panel/operator/users/${ann.id}"`,
      `href="/panel/operator/wallets/${order.wallet_id}"`,
      receiver,
    ])
      expect(text).toContain(href);
    const [history] = /id="history".*?<\/table>/s.exec(text)!;
    const times = history.match(/<time [^>]*>/g)!;
    expect(times.length).toBeGreaterThan(1);
    for (const time of times) expect(time).toContain('data-form="exact"');
    const list = await clients.operator.get('/panel/operator/orders');
    expect(list.text).toContain(`href="/panel/operator/users/${ann.id}">${ann.email}</a>`);
    expect(list.text).toContain(receiver);
    const own = await clients.ann.get(`/panel/orders/${order.id}`);
    expect(own.text).not.toContain('/panel/operator');
  });

  it("finds a customer's own order behind any number of others' to the same receiver", async () => {
    const receiver = 'TBusyReceiver111111111111111111111';
    const busy = 1_001;
    await world.app.sql.transaction(async (tx) => {
      // Rows alone: no money belongs to them.
      await tx.execute({ name: '', text: 'set local session_replication_role = replica' });
      const text = `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
          paid_by, answer, answer_code, answered_at, delegation_block, delegated_at, reclaim_due_at, reclaimed_at, created_at)
        select md5('busy ' || n)::uuid, case when n > $4::integer then $2::uuid else $1::uuid end, $3, '1', 65000, 10, false, 'reclaimed', $5::uuid, 1, 1,
          'balance', 'success', 'included', now(), 0, now(), now(), now(), now()
          from generate_series(1, $4::integer + 1) n order by n`;
      await tx.execute({ name: 'test_busy_receiver', text }, [ann.id, bobId, receiver, busy, order.wallet_id]);
    });
    try {
      const [own] = await world.query(`select id from delegations where user_id = $1`, [bobId]);
      const id = String(own!['id']);
      for (const text of [receiver.slice(0, 12), `${receiver.slice(0, 8)}…${receiver.slice(-6)}`, id.slice(0, 13)])
        expect([text, (await find('bob', text)).location]).toEqual([text, `/panel/orders/${id}`]);
    } finally {
      await world.app.sql.transaction(async (tx) => {
        await tx.execute({ name: '', text: 'set local session_replication_role = replica' });
        const text = 'delete from delegations where receiver = $1';
        await tx.execute({ name: 'test_busy_receiver_gone', text }, [receiver]);
      });
    }
  });

  it('does not take the other end, or a part in the middle, for what was meant', async () => {
    const { txid, receiver } = order;
    const end = txid!.endsWith('00') ? '11' : '00';
    for (const text of [`${txid!.slice(0, 6)}…${end}`, txid!.slice(20, 40), `${receiver.slice(0, 8)}…zzzz`])
      expect([text, (await find('operator', text)).text.includes('No results for')]).toEqual([text, true]);
  });

  it('takes what is far too long without cutting it, and shows it in the box as it was typed', async () => {
    const long = 'x'.repeat(3_000);
    const { status, text } = await find('operator', long);
    expect([status, text.includes(`value="${long}"`)]).toEqual([200, true]);
    expect(text).not.toContain('maxlength');
    expect((await find('operator', '')).status).toBe(200);
    expect((await new PanelClient(world.app.url).get('/panel/search?q=x')).location).toContain('/panel/sign-in');
  });
});
