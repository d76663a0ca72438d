import { v7 as uuid } from 'uuid';
import { finding } from '../../../src/findings/finding';
import { FindingRepository } from '../../../src/findings/finding.repository';
import { isAlarm, KEY_SUSPICIONS } from '../../../src/findings/key-suspicions';
import { LANGUAGES } from '../../../src/languages/languages';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

const FINDINGS = '/panel/operator/findings';
const RECEIVER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const TXID = 'ab'.repeat(32);

describe('a finding that may mean a stolen key', () => {
  let service: TestApp;
  let client: PanelClient;
  const walletId = uuid();
  const order = uuid();
  const about = { type: 'delegated_resource', walletId, wallet: 'main', receiver: RECEIVER } as const;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false });
    const operator = await insertPanelUser(service, { operator: true });
    client = new PanelClient(service.url);
    await client.signIn(operator.email, operator.password);
    await service.sql.execute({
      name: '',
      text: `insert into pool_wallets (id, name, address, role, key_source) values ('${walletId}', 'main', 'w', 'delegate', 'env:NONE')`,
    });
  });
  afterEach(() =>
    service.sql.execute({ name: '', text: 'update findings set resolved_at = now() where resolved_at is null' }),
  );
  afterAll(() => service.close());

  const store = () => service.app.get(FindingRepository);
  /** The row of the list, with what stands in it. */
  const rowOf = (page: string, mark: string) => page.match(/<tr [^>]*>.*?<\/tr>/gs)!.find((row) => row.includes(mark))!;

  it('stands in red, with its title, what to do, and its wallet and receiver as links', async () => {
    await store().seen(finding('delegation_foreign', { lent_sun: '50000000000', most_sun: '0' }, about));
    const row = rowOf((await client.get(FINDINGS)).text, 'Stake delegated outside the service');
    for (const part of [
      'class="alarm"',
      'class="badge bad"',
      'may mean a stolen key',
      'the key is stolen: give the permission to a new key now',
      `<a href="/panel/operator/wallets/${walletId}">main</a>`,
      `href="/panel/search?q=${RECEIVER}"`,
    ])
      expect(row).toContain(part);
    await client.get(`${FINDINGS}?lang=zh`);
    expect((await client.get(FINDINGS)).text).toContain('可能意味着密钥被盗');
    await client.get(`${FINDINGS}?lang=en`);
  });

  it('has the wallet that was used, and the transaction, as links', async () => {
    const used = { act: 'transfer', at: '2026-03-01T10:00:00.000Z', block: '7', receiver: RECEIVER, amount_sun: '5' };
    const subject = { type: 'wallet_transaction', id: TXID, walletId, wallet: 'main', receiver: RECEIVER } as const;
    await store().seen(finding('wallet_used', { ...used, tx_id: TXID, wallet: 'main' }, subject, 0n));
    const row = rowOf((await client.get(FINDINGS)).text, 'Wallet used outside the service');
    expect(row).toContain(`<a href="/panel/operator/wallets/${walletId}">main</a>`);
    expect(row).toContain(`href="/panel/search?q=${TXID}"`);
  });

  it('stands first on its wallet’s page, however many are newer', async () => {
    const subject = { type: 'wallet', walletId, wallet: 'main' } as const;
    const low = { bandwidth: '45', balance_sun: '1000000', orders_paid: '0' };
    await store().seen(finding('delegation_foreign', { lent_sun: '50000000000', most_sun: '0' }, about));
    await store().seen(finding('low_bandwidth', low, subject));
    const { text } = await client.get(`/panel/operator/wallets/${walletId}`);
    const [alarm, newer] = ['Stake delegated outside the service', 'Bandwidth and TRX are running out'];
    expect(text.indexOf(alarm)).toBeGreaterThan(-1);
    expect(text.indexOf(alarm)).toBeLessThan(text.indexOf(newer));
  });

  it('makes the overview red, and is led to from there', async () => {
    await store().seen(finding('delegation_foreign', { lent_sun: '50000000000', most_sun: '0' }, about));
    const { text } = await client.get('/panel/operator');
    expect(text).toContain('<section class="notice refused" aria-label="Urgent">');
    expect(text).toContain(`<a href="${FINDINGS}">1 finding may mean that a wallet’s key is stolen</a>`);
  });

  it('is none of those that lack something: they stand in amber', async () => {
    const low = { bandwidth: '45', balance_sun: '1000000', orders_paid: '0' };
    await store().seen(finding('low_bandwidth', low, { type: 'wallet', walletId, wallet: 'main' }));
    const row = rowOf((await client.get(FINDINGS)).text, 'Bandwidth and TRX are running out');
    expect(row).toContain('class="badge busy"');
    expect(row).not.toContain('stolen key');
    expect(row).not.toContain('alarm');
  });

  it('has txids, orders and moments of any kind as links and times of the reader', async () => {
    const stuck = { purpose: 'reclaim', tx_id: TXID, state: 'sent', expired_at: '2026-03-01T10:00:00.000Z' };
    await store().seen(finding('stuck_transaction', stuck, { type: 'delegation', id: order }));
    const row = rowOf((await client.get(FINDINGS)).text, 'Transaction is stuck');
    expect(row).toContain(`href="/panel/search?q=${TXID}"`);
    expect(row).toContain('<time datetime="2026-03-01T10:00:00.000Z"');
    expect(row).toContain(`href="/panel/operator/orders/${order}">`);
  });

  it('has a title in both languages, as every kind', () => {
    for (const kind of KEY_SUSPICIONS) {
      expect(isAlarm({ kind, resolved_at: null })).toBe(true);
      expect(isAlarm({ kind, resolved_at: new Date() })).toBe(false);
      expect(LANGUAGES.en.findings.kind(kind)).toMatch(/^[A-Z][a-z ]+$/);
      expect(LANGUAGES.zh.findings.kind(kind)).toMatch(/\p{Script=Han}/u);
    }
  });
});
