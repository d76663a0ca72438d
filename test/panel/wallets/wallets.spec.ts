import { PoolAdminService } from '../../../src/admin/pool-admin.service';
import { PoolWallets } from '../../../src/chain/pool/wallets/pool-wallets';
import type { WalletRow } from '../../../src/chain/pool/wallets/wallet-row';
import { OrderWorld } from '../../support/order-world';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';

const LIST = '/panel/operator/wallets';
const NEW = `${LIST}/new`;

describe("an operator's wallets", () => {
  let world: OrderWorld;
  let client: PanelClient;

  beforeAll(async () => {
    world = await OrderWorld.open();
    const operator = await insertPanelUser(world.app, { operator: true });
    client = new PanelClient(world.app.url);
    await client.signIn(operator.email, operator.password);
  });
  afterAll(() => world?.close());

  async function wallet(name: string): Promise<WalletRow | undefined> {
    return (await world.app.app.get(PoolWallets).list()).find((one) => one.name === name);
  }
  const add = (fields: Record<string, string>) =>
    client.submit(NEW, NEW, { role: 'delegate', key_kind: 'env', ...fields });
  const text = async (path: string) => (await client.get(path)).text;

  it('adds a wallet paused, shows what the doctor finds, and lets it take orders only when it is resumed', async () => {
    const address = await world.receiver();
    const added = await add({ name: 'second', address: `  ${address}\n`, key: 'NO_SUCH_KEY', permission_id: '2' });
    expect(added.status).toBe(303);
    const row = (await wallet('second'))!;
    expect(row).toMatchObject({ address, state: 'paused', key_source: 'env:NO_SUCH_KEY', permission_id: 2 });
    expect(added.location).toBe(`${LIST}/${row.id}?check=yes`);
    const page = await text(added.location!);
    expect(page).toContain('Wallet check');
    expect(page).toContain('NO_SUCH_KEY');
    expect(page).toContain('Added paused.');
    expect(page).not.toContain('not read yet');
    const question = `${LIST}/resume?name=second&from=${row.id}`;
    expect((await client.get(`${LIST}/${row.id}`)).text).toContain(`<form method="get" action="${LIST}/resume"`);
    const resumed = await client.fillIn(question, `${LIST}/resume`, { reason: 'its key comes later' });
    expect(resumed.location).toBe(`${LIST}/${row.id}`);
    expect(await wallet('second')).toMatchObject({ state: 'active' });
  });

  it('refuses a mistyped address, a taken name, and what looks like the key itself', async () => {
    const address = await world.receiver();
    const wrong = `${address.slice(0, -1)}${address.endsWith('1') ? '2' : '1'}`;
    const refusals = [
      [{ name: 'third', address: wrong, key: 'KEY' }, 'field-address'],
      [{ name: 'second', address, key: 'KEY' }, 'field-name'],
      [{ name: 'thi\u202erd', address, key: 'KEY' }, 'field-name'],
      [{ name: 'second\u200b', address, key: 'KEY' }, 'field-name'],
      [{ name: 'third', address, key: 'ab'.repeat(32) }, 'field-key'],
      [{ name: 'third', address, key_kind: 'file', key: `/${'ab'.repeat(32)}` }, 'field-key'],
      [{ name: 'third', address, key_kind: 'file', key: 'relative' }, 'field-key'],
      [{ name: 'third', address, key_kind: 'signer', key: 'two words' }, 'field-key'],
      [{ name: 'third', address, key_kind: 'signer', key: 'ab'.repeat(32) }, 'field-key'],
      [{ name: 'third', address, key: 'KEY', permission_id: '12' }, 'field-permission_id'],
    ] as const;
    for (const [fields, field] of refusals) {
      const answer = await add(fields);
      expect([answer.status, answer.text.includes(`href="#${field}"`)]).toEqual([422, true]);
      expect(answer.text).not.toContain('ab'.repeat(32));
    }
    expect(await wallet('third')).toBeUndefined();
  });

  it('changes only what is given of the key, and says nothing of where it is in the audit log', async () => {
    const { id } = (await wallet('second'))!;
    const change = (fields: Record<string, string>) => client.submit(`${LIST}/${id}`, `${LIST}/${id}`, fields);
    expect((await change({})).status).toBe(422);
    expect((await change({ permission_id: '3' })).status).toBe(303);
    expect(await wallet('second')).toMatchObject({ permission_id: 3, key_source: 'env:NO_SUCH_KEY' });
    expect((await change({ key_kind: 'file', key: '/secret/place' })).status).toBe(303);
    expect(await wallet('second')).toMatchObject({ permission_id: 3, key_source: 'file:/secret/place' });
    expect(await text(`${LIST}/${id}`)).toContain('a file that the service can read');
    expect((await change({ key_kind: 'signer', key: 'second' })).status).toBe(303);
    expect(await wallet('second')).toMatchObject({ permission_id: 3, key_source: 'signer:second' });
    expect(await text(`${LIST}/${id}`)).toContain('<dd>the signer, a separate process</dd>');
    await change({ key_kind: 'file', key: '/secret/place' });
    expect(await text('/panel/operator/audit-log?subject=wallet+second')).not.toContain('/secret/place');
  });

  it('tells why a wallet is paused or quarantined, by whom, and offers what resolves it', async () => {
    const admin = world.app.app.get(PoolAdminService);
    const { id } = (await wallet('second'))!;
    await admin.setWalletState({ id: null, service: 'reconciler', address: 'here' }, 'second', 'paused');
    await world.query(
      `insert into findings (kind, subject, reason, next_step, wallet_id) values ('delegation_foreign', 'x', 'Somebody lent.', 'Find out who.', $1)`,
      [id],
    );
    const page = await text(`${LIST}/${id}`);
    for (const part of [
      'Set to paused by reconciler',
      'Somebody lent.',
      'Find out who.',
      'It resumes by itself once this is resolved',
    ])
      expect(page).toContain(part);
    expect(page).toContain('action="/panel/operator/findings"');
    expect(page).toContain(`<form method="get" action="${LIST}/resume"`);
  });

  it('shows what can be sold now, as energy and as transactions, and the coming day as a curve and as a table', async () => {
    const { id } = (await wallet('pool'))!;
    for (const path of ['/panel/operator', `${LIST}/${id}`]) {
      const page = await text(path);
      const [, transactions] = /Available now: [^<]+ energy = ([\d\u202f]+) transactions/.exec(page)!;
      expect(Number(transactions!.replaceAll('\u202f', ''))).toBeGreaterThan(0);
      expect(page).toContain('class="wide" role="img" aria-label="Energy available over the next 24 hours');
      const [table] = /<caption[^>]*>Available in the next 24 hours<\/caption>.*?<\/table>/s.exec(page)!;
      expect(table.match(/<tr /g)).toHaveLength(26);
    }
  });

  it('removes a wallet after a question, and none that still has energy with somebody', async () => {
    const { id } = (await wallet('second'))!;
    expect(await text(`${LIST}/${id}/remove`)).toContain('Remove this wallet?');
    // Something is found of it.
    await client.submit(`${LIST}/${id}/remove`, `${LIST}/${id}/remove`);
    expect(await wallet('second')).toBeDefined();
    await world.query('update findings set resolved_at = now() where resolved_at is null returning id');
    expect((await client.submit(`${LIST}/${id}/remove`, `${LIST}/${id}/remove`)).status).toBe(303);
    expect(await wallet('second')).toBeUndefined();
    const pool = (await wallet('pool'))!;
    const order = await world.delegate(await world.caller(), { receiver_address: await world.receiver(), amount: 1 });
    expect(order.status).toBe(200);
    expect((await client.submit(`${LIST}/${pool.id}/remove`, `${LIST}/${pool.id}/remove`)).location).toBe(LIST);
    expect(await text(LIST)).toContain('notice refused');
    expect(await wallet('pool')).toBeDefined();
    expect((await client.get(`${LIST}/${id}`)).status).toBe(404);
  });
});
