import { v7 as uuid } from 'uuid';
import { insertUser } from '../../support/factories';
import { breaksTheLedger } from '../../support/ledger-consistency';
import { PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { createTestApp, type TestApp } from '../../support/test-app';

// Orders for their figures alone, without holds.
breaksTheLedger();

const WALLET = uuid();

describe('the first page of a customer', () => {
  let service: TestApp;
  let user: PanelUserLogin;
  let panel: PanelClient;
  const run = (text: string, values: unknown[] = []) => service.sql.execute({ name: '', text }, values as never);
  const page = async () => (await panel.get('/panel/home')).text.replaceAll('\u202f', ' ');
  const tile = (text: string, name: string) =>
    new RegExp(`${name}</span><strong>([^<]*)</strong><small>([^<]*)</small>`).exec(text)!.slice(1);

  async function open(env: Record<string, string>): Promise<void> {
    service = await createTestApp({ backgroundWork: false, env });
    user = await insertPanelUser(service, { email: 'ann@example.com', balance: 250 });
    panel = new PanelClient(service.url);
    await panel.signIn(user.email, user.password);
    await run(
      `insert into pool_wallets (id, name, address, role, key_source) values ($1, 'w', 'w', 'delegate', 'env:NONE')`,
      [WALLET],
    );
  }
  afterEach(() => service.close());

  async function order(ago: string, state: string, answer: string, code: string | null = null, owner = user.id) {
    const id = uuid();
    await run(
      `insert into delegations (id, user_id, receiver, transactions, energy, rental_minutes, activate, state, wallet_id, stake_sun, cost_sun,
         paid_by, answer, answer_code, created_at)
       values ($1, $2, 'T', '1', 65000, 10, false, $3, $4, 1, 2250000, 'balance', $5, $6, now() - $7::interval)`,
      [id, owner, state, WALLET, answer, code, ago],
    );
    return id;
  }
  const refused = (ago: string, code: string, owner = user.id) =>
    run(
      `insert into refused_attempts (user_id, first_at, last_at, times, code)
       values ($1, now() - $2::interval, now() - $2::interval, 1, $3)`,
      [owner, ago, code],
    );

  it('is where a sign-in leads, and says what to do before there is an order', async () => {
    await open({ BILLING_VARIANT: 'A' });
    expect((await panel.get('/panel')).location).toBe('/panel/home');
    const text = await page();
    expect(text.match(/<li[^>]*>/g)!.length).toBeGreaterThan(3);
    // The token comes first, as a button.
    expect(text).toMatch(/aria-current="step".*?<form method="get" action="\/panel\/tokens\/new" class="compact">/s);
    expect(tile(text, 'Available balance, TRX')).toEqual(['250', 'plus 0 TRX reserved for orders in progress']);
    expect(tile(text, 'Your price, TRX')).toEqual(['3', 'per transaction (65 000 energy)']);
    expect(tile(text, 'Orders today')).toEqual(['0', '0 energy delivered, 0 TRX charged']);
    expect(tile(text, 'Success rate today')).toEqual(['–', '0 succeeded, 0 failed']);
    expect(text).toContain('No attempt was refused and no order failed in the last 7 days.');
  });

  it('has the balance, the customer’s own price, today’s orders and how to top up', async () => {
    await open({ BILLING_VARIANT: 'B', TOP_UP_TEXT: 'Send <TRX> to T1.' });
    await run('update accounts set unit_price_sun = 2250000, held_sun = 2250000 where user_id = $1', [user.id]);
    // Of this moment, so that none is of yesterday.
    await order('0 seconds', 'reclaimed', 'success');
    await order('0 seconds', 'reclaimed', 'success');
    await order('0 seconds', 'failed', 'failure', 'NODE_UNAVAILABLE');
    await order('25 hours', 'reclaimed', 'success');
    const other = await insertUser(service.orm, { email: 'bob@example.com', balance: 1 });
    await order('0 seconds', 'reclaimed', 'success', null, other);
    const text = await page();
    expect(tile(text, 'Available balance, TRX')).toEqual(['247.75', 'plus 2.25 TRX reserved for orders in progress']);
    expect(tile(text, 'Your price, TRX')[0]).toBe('2.25');
    expect(tile(text, 'Orders today')).toEqual(['3', '130 000 energy delivered, 4.5 TRX charged']);
    expect(tile(text, 'Success rate today')).toEqual(['66.6 %', '2 succeeded, 1 failed']);
    expect(text).toMatch(/<h2>How to top up<\/h2><div class="top-up"><p>Send &lt;TRX> to T1\.<\/p>/);
    expect(text).not.toContain('class="checklist"');
  });

  it('explains the newest five failures, those of orders and those of refused attempts, and none of another customer', async () => {
    await open({ BILLING_VARIANT: 'A' });
    await order('8 days', 'failed', 'failure', 'INTERNAL');
    const oldest = await order('5 hours', 'failed', 'failure', 'INSUFFICIENT_ENERGY');
    const landed = await order('4 hours', 'taken_back', 'failure', 'OUTCOME_UNKNOWN');
    await refused('3 hours', 'INSUFFICIENT_BALANCE');
    const lost = await order('2 hours', 'failed', 'success');
    await refused('1 hour', 'RECEIVER_NOT_ACTIVATED');
    await refused('30 minutes', 'TOKEN_LIMIT_REACHED');
    await order('10 minutes', 'reclaimed', 'success');
    const other = await insertUser(service.orm, { email: 'bob@example.com', balance: 1 });
    await order('1 minute', 'failed', 'failure', 'PAUSED', other);
    await refused('1 minute', 'VALIDATION_FAILED', other);
    const text = await page();
    const rows = text.match(/<tr role="row".*?<\/tr>/gs)!.slice(1);
    const ofRows = rows.map((row) => [
      /errors#([A-Z_]+)/.exec(row)?.[1] ?? null,
      /\/panel\/orders\/([0-9a-f-]{36})/.exec(row)?.[1] ?? null,
    ]);
    expect(ofRows).toEqual([
      ['TOKEN_LIMIT_REACHED', null],
      ['RECEIVER_NOT_ACTIVATED', null],
      [null, lost],
      ['INSUFFICIENT_BALANCE', null],
      ['OUTCOME_UNKNOWN', landed],
    ]);
    expect(rows[2]).toContain('The transaction never reached the chain.');
    expect(rows.every((row) => row.includes('You were not charged.'))).toBe(true);
    expect(text).not.toContain(oldest);
    // Nothing says how to pay.
    expect(text).toContain('Ask the operators of this service how to pay.');
  });
});
