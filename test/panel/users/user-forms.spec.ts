import { v7 as uuid } from 'uuid';
import { BillingService } from '../../../src/billing/billing.service';
import { statement } from '../../../src/database/statement';
import { heldIn, PanelClient } from '../../support/panel-client';
import { insertPanelUser, type PanelUserLogin } from '../../support/panel-user';
import { Orders } from '../../support/payers';
import { createTestApp, type TestApp } from '../../support/test-app';

describe("the forms on a user's page", () => {
  let service: TestApp;
  let client: PanelClient;
  let colleague: PanelClient;
  let user: PanelUserLogin;
  let path: string;

  beforeAll(async () => {
    service = await createTestApp({ backgroundWork: false, env: { BILLING_VARIANT: 'B' } });
    [client, colleague] = (await Promise.all(
      ['olga@example.com', 'otto@example.com'].map(async (email) => {
        const operator = await insertPanelUser(service, { operator: true, email });
        const visitor = new PanelClient(service.url);
        await visitor.signIn(operator.email, operator.password);
        return visitor;
      }),
    )) as [PanelClient, PanelClient];
  });
  beforeEach(async () => {
    user = await insertPanelUser(service, { balance: 10 });
    path = `/panel/operator/users/${user.id}`;
  });
  afterAll(() => service.close());

  const messages = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const held = async (visitor = client) => heldIn((await visitor.get(`${path}/access`)).text, path)!;
  const entries = async () =>
    (await service.sql.row<{ count: number }>({ name: '', text: 'select count(*)::integer as count from audit_log' }))!
      .count;
  const balance = async () =>
    (await service.sql.row(
      statement<[userId: string], { balance_sun: bigint }>(
        'test_balance',
        'select balance_sun from accounts where user_id = $1',
      ),
      [user.id],
    ))!.balance_sun;

  it('has no unit price where it would do nothing, takes none, and keeps the one that a switch of variants needs', async () => {
    await colleague.fillIn(`${path}/access`, path, { unit_price: '2.2' });
    const env = { BILLING_VARIANT: 'A' };
    const instance = await createTestApp({ backgroundWork: false, env, databaseUrl: service.databaseUrl });
    try {
      const there = new PanelClient(instance.url);
      const { email } = await insertPanelUser(instance, { operator: true });
      await there.signIn(email, `the password of ${email}`);
      for (const page of [path, '/panel/operator/users/new']) {
        const { text } = await there.get(page === path ? `${path}/access` : page);
        expect(text).not.toMatch(/unit_price|Unit price/);
        const fields = { ...heldIn(text, page)!, email: `a${uuid()}@example.com`, name: 'A' };
        const refused = await there.post(page, { ...fields, unit_price: '2.3' });
        expect(refused.status).toBe(422);
        expect(messages(refused.text)).toContain('This variant has one price for all accounts.');
        expect(await there.post(page, fields)).toMatchObject({ status: 303 });
      }
    } finally {
      await instance.close();
    }
    expect(await held()).toMatchObject({ unit_price: '2.2', name: 'A' });
  });

  it('asks before it moves money: whose, how much, why, and what it leaves', async () => {
    const typed = { kind: 'debit', amount: '2.5', note: 'wrong <invoice>', reference: '', form_key: uuid() };
    const confirmation = await client.submit(path, `${path}/movements`, typed);
    expect(confirmation.status).toBe(200);
    expect(messages(confirmation.text)).toMatch(
      new RegExp(
        `Debit this user\\? E-mail ${user.email} .* \u22122\\.500000 Reason wrong &lt;invoice> .* 10\\.000000 .* 7\\.500000`,
      ),
    );
    expect(await balance()).toBe(10_000_000n);
    const asked = heldIn(confirmation.text, `${path}/movements`)!;
    expect(asked['form_key']).toBe(typed.form_key);
    const changed = await client.post(`${path}/movements`, { ...asked, note: typed.note, change: 'yes' });
    expect(changed.status).toBe(200);
    expect(heldIn(changed.text, `${path}/movements`)).toMatchObject({ kind: 'debit', amount: '2.5' });
    expect(await balance()).toBe(10_000_000n);
    const booked = await client.post(`${path}/movements`, { ...asked, note: typed.note, step: 'book' });
    expect(booked).toMatchObject({ status: 303, location: `${path}/money` });
    expect(await balance()).toBe(7_500_000n);
  });

  it('takes neither credit nor debit for granted, and never asks for more than can be spent', async () => {
    const typed = { amount: '8', note: 'x', form_key: uuid() };
    const send = (fields: Record<string, string>) => client.submit(path, `${path}/movements`, fields);
    const without = await send(typed);
    expect(without.status).toBe(422);
    expect(messages(without.text)).toContain('Choose credit or debit.');
    expect(without.text).toContain('value="8"');
    expect((await client.get(`${path}/money`)).text).toMatch(
      /type="radio"[^>]* name="kind" value="credit" required\/>/,
    );
    const orders = new Orders(service.sql, service.app.get(BillingService));
    const { id } = await orders.place(user.id, '1');
    const tooMuch = await send({ ...typed, kind: 'debit' });
    expect(tooMuch.status).toBe(422);
    expect(messages(tooMuch.text)).toContain('Insufficient balance: it is 10 TRX, of which 2.5 is held for orders.');
    await orders.fail(id);
    const nothingHeld = await send({ ...typed, amount: '10.5', kind: 'debit' });
    expect(messages(nothingHeld.text)).toContain('Insufficient balance: it is 10 TRX.');
  });

  it('keeps a subscription that was refused as it was typed', async () => {
    const fields = { transactions: '100', days: '0', form_key: uuid() };
    const { status, text } = await client.submit(path, `${path}/subscriptions`, fields);
    expect(status).toBe(422);
    expect(heldIn(text, `${path}/subscriptions`)).toMatchObject(fields);
    // Of this form alone, and on a page whose other forms and links work.
    expect(text.match(/aria-invalid/g)).toHaveLength(1);
    expect(text).toContain(`href="${path}/access"`);
  });

  it.each([
    [{ price: '5' }, 'Choose how the price is paid.'],
    [{ price: '0', paid_by: 'balance' }, 'Enter a positive number'],
    [{ paid_by: 'balance' }, 'Enter a positive number'],
    [{ price: '-1', paid_by: 'balance' }, 'Enter a positive number'],
    [{ price: '5', paid_by: 'reference' }, 'needs the reference of its payment'],
  ])('sells no subscription with %j, and keeps it as it was typed', async (more, reason) => {
    const fields = { transactions: '100', days: '5', form_key: uuid(), ...more };
    const { status, text } = await client.submit(path, `${path}/subscriptions`, fields);
    expect(status).toBe(422);
    expect(messages(text)).toContain(reason);
    expect(heldIn(text, `${path}/subscriptions`)).toMatchObject(fields);
    expect(text).toContain('aria-invalid');
    expect(await balance()).toBe(10_000_000n);
  });

  it('writes only what was changed: what a colleague has set meanwhile stays', async () => {
    const opened = await held();
    await colleague.fillIn(`${path}/access`, path, { unit_price: '2.2' });
    expect((await client.post(path, { ...opened, rate_limit: '9' })).status).toBe(303);
    expect(await held()).toMatchObject({ unit_price: '2.2', rate_limit: '9', name: user.email });
  });

  it('writes nothing over what a colleague has changed since the form was opened', async () => {
    const opened = await held();
    await colleague.fillIn(`${path}/access`, path, { unit_price: '2.2', name: 'Ann', operator: 'yes' });
    const stale = await client.post(path, { ...opened, unit_price: '2.4', rate_limit: '9' });
    expect(stale.status).toBe(422);
    expect(messages(stale.text)).toContain('The unit price has meanwhile been changed to 2.200000');
    // What was typed is there still, around it what is true by now.
    const again = heldIn(stale.text, path)!;
    expect(again).toMatchObject({ unit_price: '2.4', rate_limit: '9', name: 'Ann', operator: 'yes' });
    expect(await held()).toMatchObject({ unit_price: '2.2', rate_limit: '' });
    expect((await client.post(path, again)).status).toBe(303);
    expect(await held()).toMatchObject({ unit_price: '2.4', rate_limit: '9', name: 'Ann', operator: 'yes' });
  });

  it('is no form of ours without what it showed', async () => {
    const before = await entries();
    expect((await client.submit(path, path, { name: 'Ann', rate_limit: '9' })).status).toBe(400);
    expect(await entries()).toBe(before);
  });
});
