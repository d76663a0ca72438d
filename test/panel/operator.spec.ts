import { v7 as uuid } from 'uuid';
import { AuditLog } from '../../src/audit-log/audit-log';
import { ApiTokenService } from '../../src/auth/tokens/api-token.service';
import { BillingService } from '../../src/billing/billing.service';
import { ReferenceBlocks } from '../../src/chain/verified-chain/reference-blocks';
import { Switches } from '../../src/chain/pool/switches/switches';
import { PoolWallets } from '../../src/chain/pool/wallets/pool-wallets';
import { CATALOGUES } from '../../src/panel/messages/catalogues';
import { FindingRepository } from '../../src/findings/finding.repository';
import { insertSubscription } from '../support/factories';
import { expectLedgerConsistent } from '../support/ledger-consistency';
import { heldIn, PanelClient } from '../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../support/panel-user';
import { Orders } from '../support/payers';
import { createTestApp, type TestApp } from '../support/test-app';

interface Entry {
  actor: string;
  action: string;
  subject: string;
  outcome: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

describe('an operator', () => {
  let service: TestApp;
  let orders: Orders;
  let operator: PanelUserLogin;
  let client: PanelClient;
  let user: PanelUserLogin;
  let path: string;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { BILLING_VARIANT: 'B' } });
    orders = new Orders(service.sql, service.app.get(BillingService));
    operator = await insertPanelUser(service, { operator: true, email: 'olga@example.com' });
    user = await insertPanelUser(service, { balance: 10 });
    path = `/panel/operator/users/${user.id}`;
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
  });
  afterEach(() => expectLedgerConsistent(service.sql));
  afterAll(() => service.close());

  /** `tab`: where the form stands, and where it leads to. */
  const act = async (tab: string, action: string, fields: Record<string, string> = {}) => {
    const answer = await client.submit(`${path}/${tab}`, `${path}${action}`, fields);
    expect(answer).toMatchObject({ status: 303, location: `${path}/${tab}` });
    return (await client.get(`${path}/${tab}`)).text;
  };

  const entryAt = async (back: number) =>
    (await service.sql.row<Entry & Record<string, unknown>>({
      name: `test_entry_${back}`,
      text: `select u.email as actor, action, subject, outcome, before, after
               from audit_log l join users u on u.id = l.actor_id order by l.id desc limit 1 offset ${back}`,
    }))!;
  const lastEntry = () => entryAt(0);
  const entryBefore = () => entryAt(1);

  it('finds every page of the operators, which for others are not there', async () => {
    const other = new PanelClient(service.url);
    await other.signIn(user.email, user.password);
    const paths = [
      '',
      '/business',
      '/business/orders.csv',
      '/business/refused.csv',
      '/wallets',
      '/users',
      '/users/new',
      '/orders',
      '/findings',
      '/audit-log',
    ];
    paths.push(`/users/${user.id}`, `/users/${user.id}/money`, `/users/${user.id}/access`, `/users/${user.id}/tokens`);
    for (const page of paths) {
      expect((await client.get(`/panel/operator${page}`)).status).toBe(200);
      expect((await other.get(`/panel/operator${page}`)).status).toBe(404);
    }
    expect((await other.submit('/panel/tokens/new', `${path}/movements`, { kind: 'credit' })).status).toBe(404);
    expect((await other.get('/panel/tokens')).text).not.toContain('/panel/operator');
  });

  it('creates a user, and hands on a link that is shown once', async () => {
    const form = '/panel/operator/users/new';
    const fields = { email: 'New@example.com', name: 'New', unit_price: '2.25', rate_limit: '120' };
    const { location } = await client.submit(form, form, fields);
    expect(location).toMatch(/^\/panel\/operator\/users\/[0-9a-f-]{36}\/invitation$/);
    expect(await entryBefore()).toMatchObject({
      actor: 'olga@example.com',
      action: 'user.create',
      subject: `user ${location!.split('/')[4]}`,
      after: { name: 'New', unit_price: '2.250000', rate_limit: 120, operator: false },
    });
    const { text } = await client.get(location!);
    expect(text).toContain('The user was created.');
    const link = /http:\/\/[\d.:]+(\/panel\/invitation\?key=[\w-]{43})/.exec(text)![1]!;
    expect((await new PanelClient(service.url).get(link)).text).toContain('new@example.com');
    expect(await lastEntry()).toMatchObject({ action: 'user.invite', subject: `user ${location!.split('/')[4]}` });
    expect(JSON.stringify(await lastEntry())).not.toContain(link.split('=').at(-1));
    expect((await client.submit(form, form, fields)).status).toBe(422);
    expect(await lastEntry()).toMatchObject({ action: 'user.create', outcome: 'refused' });
  });

  it.each(['1.999999', '2.500001', '3', '-2', '2,2'])('is refused a unit price of %s', async (price) => {
    const refused = await client.fillIn(`${path}/access`, path, { unit_price: price, rate_limit: '7' });
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('from 2 to 2.5') as string });
    await client.fillIn(`${path}/access`, path, { unit_price: '2.5', rate_limit: '7' });
    expect((await client.get(`${path}/access`)).text).toContain('The settings were saved.');
    expect(await lastEntry()).toMatchObject({
      action: 'user.settings',
      after: { unit_price: '2.500000', rate_limit: 7 },
    });
  });

  it('credits and debits with a reason, a form sent twice only once, and never into what is held', async () => {
    const { id } = await orders.place(user.id, '3');
    const form = { step: 'book', kind: 'credit', amount: '5.5', note: 'invoice 7', form_key: uuid() };
    expect(await act('money', '/movements', form)).toContain('The balance is now 15.500000 TRX.');
    expect(await act('money', '/movements', form)).toMatch(
      /class="notice refused"[^>]*>No money was moved: this reference was already booked at 2[\d-]+T[\d:.]+Z\. The balance is 15\.500000/,
    );
    expect(await lastEntry()).toMatchObject({
      action: 'balance.credit',
      subject: `user ${user.id}`,
      before: { balance: '15.500000' },
      after: { amount: '5.500000', note: 'invoice 7', balance: '15.500000', repeated: true },
    });
    const debit = { step: 'book', kind: 'debit', amount: '8.000001', note: 'too much', form_key: uuid() };
    const send = (fields: Record<string, string>) => client.submit(path, `${path}/movements`, fields);
    expect(await send(debit)).toMatchObject({
      status: 422,
      text: expect.stringContaining('insufficient balance') as string,
    });
    expect(await lastEntry()).toMatchObject({ action: 'balance.debit', outcome: 'refused' });
    expect((await send({ step: 'book', kind: 'credit', amount: '1', note: 'without a key' })).status).toBe(400);
    expect((await send({ ...form, form_key: uuid(), note: '' })).text).toContain('Enter a reason of at most');
    expect((await send({ ...form, form_key: uuid(), amount: '1e3' })).text).toContain('at most six decimals');
    await orders.fail(id);
  });

  it('gives no subscription and ends none while no node shows the time of the chain, and the log says so', async () => {
    const form = { transactions: '100', days: '30', form_key: uuid() };
    const { status, text } = await client.submit(`${path}/subscriptions`, `${path}/subscriptions`, form);
    expect([status, text]).toEqual([422, expect.stringContaining('No node shows the time of the chain')]);
    expect(await lastEntry()).toMatchObject({ action: 'subscription.create', outcome: 'refused' });
    const id = await insertSubscription(service.orm, user.id, 7);
    expect(await act('subscriptions', `/subscriptions/${id}/end`)).toContain('No node shows the time of the chain');
    expect(await lastEntry()).toMatchObject({ action: 'subscription.end', outcome: 'refused' });
  });

  it('gives a subscription and ends it', async () => {
    // There is no chain here.
    jest.spyOn(service.app.get(ReferenceBlocks), 'finalTimeMs').mockResolvedValue(Date.now());
    const form = { transactions: '100', days: '30', form_key: uuid() };
    expect(await act('subscriptions', '/subscriptions', form)).toContain('100 of 100 left');
    const again = await act('subscriptions', '/subscriptions', form);
    expect(again).toContain('This subscription was already added.');
    expect(again.match(/100 of 100 left<\/small>/g)).toHaveLength(1);
    expect((await client.submit(path, `${path}/subscriptions`, { transactions: '1', days: '1' })).status).toBe(400);
    const id = /subscriptions\/([0-9a-f-]{36})\/end/.exec((await client.get(`${path}/subscriptions`)).text)![1]!;
    expect(await act('subscriptions', `/subscriptions/${id}/end`)).toContain('The subscription was ended.');
    expect(await lastEntry()).toMatchObject({ action: 'subscription.end', before: { id } });
    expect((await client.submit(path, `${path}/subscriptions/${operator.id}/end`)).status).toBe(404);
  });

  it('sees the tokens of a user and revokes one after a confirmation, felt by the next request and written down', async () => {
    const tokens = service.app.get(ApiTokenService);
    const owner = await insertPanelUser(service);
    const page = `/panel/operator/users/${owner.id}/tokens`;
    const { token, row } = await tokens.create({ userId: owner.id, name: 'till <3', permissions: ['delegate'] });
    const call = () => fetch(`${service.url}/api/chain/delegations`, { headers: { Authorization: `Bearer ${token}` } });
    expect((await call()).status).toBe(200);
    const list = await client.get(page);
    expect(list.text).toContain('till &lt;3');
    expect(list.text).toContain(`action="${page}/${row.id}/revoke"`);
    expect(list.text).not.toContain(token);
    const confirmation = await client.get(`${page}/${row.id}/revoke`);
    expect(confirmation.text).toContain('Revoke this token?');
    expect(confirmation.text).toContain(owner.email);
    const foreign = `/panel/operator/users/${operator.id}/tokens/${row.id}/revoke`;
    expect((await client.get(foreign)).status).toBe(404);
    expect((await client.submit(path, foreign)).status).toBe(404);
    const other = new PanelClient(service.url);
    await other.signIn(user.email, user.password);
    expect((await other.submit('/panel/account', `${page}/${row.id}/revoke`)).status).toBe(404);
    expect((await call()).status).toBe(200);
    const answer = await client.submit(path, `${page}/${row.id}/revoke`);
    expect(answer).toMatchObject({ status: 303, location: page });
    expect((await call()).status).toBe(401);
    expect(await lastEntry()).toMatchObject({
      action: 'token.revoke',
      subject: `user ${owner.id}`,
      before: { name: 'till <3', revoked: false },
      after: { revoked: true },
    });
  });

  it('disables a user with all tokens and sessions together, but never the operator', async () => {
    const { token } = await service.app
      .get(ApiTokenService)
      .create({ userId: user.id, name: 'x', permissions: ['balance'] });
    const balance = () => fetch(`${service.url}/api/user/balance`, { headers: { Authorization: `Bearer ${token}` } });
    expect((await balance()).status).toBe(200);
    expect(await act('access', '/state', { state: 'disabled' })).toContain('The user was disabled.');
    expect((await balance()).status).toBe(401);
    expect(await lastEntry()).toMatchObject({ before: { disabled: false }, after: { disabled: true } });
    expect(await act('access', '/state', { state: 'enabled' })).toContain('The user was enabled.');
    const own = `/panel/operator/users/${operator.id}`;
    await client.submit(own, `${own}/state`, { state: 'disabled' });
    expect((await client.get(own)).text).toContain('You cannot disable your own account');
    const { _csrf, ...held } = heldIn((await client.get(`${own}/access`)).text, own)!;
    const { operator: _, ...unchecked } = held;
    expect((await client.submit(own, own, unchecked)).text).toContain('You cannot disable your own account');
    expect((await client.get('/panel/operator')).status).toBe(200);
  });

  it('pauses, drains and resumes a wallet', async () => {
    const pool = service.app.get(PoolWallets);
    const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
    const name = 'main <b>';
    await pool.add({ name, address, role: 'delegate', keySource: 'env:NO_KEY', permissionId: 0 });
    const wallets = '/panel/operator/wallets';
    const question = `${wallets}/resume?${new URLSearchParams({ name }).toString()}`;
    for (const [state, before] of [
      ['paused', 'active'],
      ['draining', 'paused'],
      ['active', 'draining'],
    ] as const) {
      if (state === 'active')
        await client.submit(question, `${wallets}/resume`, { name, reason: 'its key comes later' });
      else await client.submit(wallets, wallets, { name, state });
      expect((await pool.list()).find((wallet) => wallet.name === name)).toMatchObject({ state });
      expect(await lastEntry()).toMatchObject({
        action: 'wallet.state',
        subject: `wallet ${name}`,
        before: { state: before },
        after: { state },
      });
    }
    const { text } = await client.get(wallets);
    expect(text).toContain('main &lt;b>');
    expect((await client.submit(wallets, wallets, { name: 'none', state: 'paused' })).status).toBe(404);
  });

  it('stops all new orders with one switch, and lets them in again', async () => {
    const wallets = '/panel/operator/wallets';
    const set = (to: string, reason = '') => client.submit(wallets, `${wallets}/orders`, { orders: to, reason });
    await set('pause', 'node <upgrade>');
    expect(await service.app.get(Switches).read('orders')).toMatchObject({ paused: true, reason: 'node <upgrade>' });
    expect((await client.get(wallets)).text).toContain('node &lt;upgrade>');
    expect((await client.get('/panel/operator')).text).toContain('an operator has paused all new orders');
    expect(await lastEntry()).toMatchObject({ action: 'orders.pause', before: { paused: false } });
    await set('resume');
    expect(await service.app.get(Switches).read('orders')).toMatchObject({ paused: false });
    expect(await lastEntry()).toMatchObject({ action: 'orders.resume', before: { paused: true } });
  });

  it('reads what the reconciler found, with the next step, until it is gone', async () => {
    const findings = '/panel/operator/findings';
    const store = service.app.get(FindingRepository);
    // A newer version may write a reason that is not known here: then the sentences of its row are all that can be shown.
    await service.sql.execute({
      name: '',
      text: `insert into findings (kind, subject, subject_type, subject_id, reason, next_step)
             values ('shortage', 'user ${user.id}', 'user', '${user.id}', '<7 sun', 'Find out who.')`,
    });
    const { text } = await client.get(findings);
    for (const part of ['Less stake came back than was delegated', `href="${path}"`, '&lt;7 sun', 'Find out who.'])
      expect(text).toContain(part);
    expect((await client.get('/panel/operator')).text).toContain('1 finding may mean that a wallet’s key is stolen');
    await store.resolveOthers([]);
    expect((await client.get(findings)).text).not.toContain('Less stake came back');
    expect((await client.get(`${findings}?resolved=yes`)).text).toContain('Less stake came back');
    await client.submit(findings, findings);
    expect((await client.get(findings)).text).toContain('The node could not be reached');
  });

  it('reads when the last regular check was completed, and not when one began that failed', async () => {
    const run = (text: string) => service.sql.execute({ name: '', text });
    await run(`insert into reconcile_mark (id, events_up_to, entries_up_to, whole_at, succeeded_at) values (1, 0, 0, now(), '2026-01-02 03:04:05Z')
               on conflict (id) do update set succeeded_at = excluded.succeeded_at`);
    await run(`insert into job_runs (name, ran_at) values ('reconcile', '2026-05-06 07:08:09Z')
               on conflict (name) do update set ran_at = excluded.ran_at`);
    const { text } = await client.get('/panel/operator/findings');
    expect(text).toMatch(/Last regular check[^<]*<time datetime="2026-01-02T03:04:05/i);
    expect(text).not.toContain('2026-05-06');
  });

  it('reads the log of all that, which nobody can change', async () => {
    const { text } = await client.get(`/panel/operator/audit-log?subject=${encodeURIComponent(`user ${user.email}`)}`);
    for (const action of ['balance.credit', 'subscription.create', 'user.disable']) expect(text).toContain(action);
    expect(text).not.toContain('wallet.state');
    const log = async (who: string) =>
      (await client.get(`/panel/operator/audit-log?who=${encodeURIComponent(who)}`)).text;
    expect(await log('Olga@example.com')).toContain('balance.credit');
    const other = await insertPanelUser(service);
    expect(await log(other.email)).toContain('No entry matches.');
    expect(await log('command line')).toContain('No entry matches.');
    expect(await log('nobody')).toContain('No user has this e-mail address.');
    for (const statement of [`update audit_log set action = 'x'`, 'delete from audit_log', 'truncate audit_log']) {
      await expect(service.sql.execute({ name: '', text: statement })).rejects.toThrow('append-only');
    }
  });

  it('reads in the log what the reconciler did of itself, in either language, and finds it by that', async () => {
    const facts = { before: { state: 'active' }, after: { state: 'paused', found: ['delegation_foreign a to b'] } };
    const entry = { action: 'wallet.state', subject: 'wallet paused by itself', outcome: 'done', ...facts } as const;
    const log = service.app.get(AuditLog);
    await log.append({ id: null, service: 'reconciler', address: 'server-1' }, entry);
    await log.append({ id: null, address: 'root@server-1' }, { ...entry, subject: 'wallet paused by hand' });
    const chinese = new PanelClient(service.url, { 'Accept-Language': 'zh' });
    await chinese.signIn(operator.email, operator.password);
    const shown = async (reader: PanelClient, who: string) =>
      (await reader.get(`/panel/operator/audit-log?who=${encodeURIComponent(who)}`)).text;
    for (const [reader, who] of [
      [client, 'reconciler'],
      [chinese, '核对任务'],
    ] as const) {
      const text = await shown(reader, who);
      for (const part of [`<em>${who}</em>`, 'server-1', 'by itself', 'delegation_foreign a to b'])
        expect(text).toContain(part);
      expect(text).not.toContain('by hand');
    }
    expect(await shown(client, 'command line')).toContain('by hand');
    expect(await shown(client, 'command line')).not.toContain('by itself');
  });

  it('finds in the log what each part of the service did of itself, by the name that the log shows', async () => {
    const log = service.app.get(AuditLog);
    for (const { operator: names } of Object.values(CATALOGUES))
      for (const [part, name] of Object.entries(names.services)) {
        const subject = `shown as ${name}`;
        const actor = { id: null, service: part as keyof typeof names.services, address: 'server-1' };
        await log.append(actor, { action: 'wallet.state', subject, outcome: 'done' });
        expect((await client.get(`/panel/operator/audit-log?who=${encodeURIComponent(name)}`)).text).toContain(subject);
      }
  });
});
