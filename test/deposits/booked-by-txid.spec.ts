import { randomBytes } from 'node:crypto';
import { BigNumber } from 'bignumber.js';
import { DepositAdminService } from '../../src/admin/deposit-admin.service';
import { MoneyAdminService } from '../../src/admin/money-admin.service';
import type { Caller } from '../support/order-world';
import { DepositWorld, TRX } from './deposit-world';

const ANN = { id: null, address: 'test' };
const USED = { code: 'movement.reference-used' };

describe('a payment that an operator books by its txid', () => {
  let deposits: DepositWorld;
  beforeAll(async () => (deposits = await DepositWorld.open()));
  afterAll(() => deposits.close());

  const admin = () => deposits.world.app.app.get(DepositAdminService);
  const emailOf = async ({ id }: Caller) =>
    String((await deposits.world.query('select email from users where id = $1', [id]))[0]!['email']);
  const book = async (customer: Caller, reference: string, trx: number) =>
    deposits.world.app.app
      .get(MoneyAdminService)
      .move(ANN, await emailOf(customer), 'credit', { amountSun: BigInt(trx * TRX), note: 'by hand', reference });
  const give = async (customer: Caller, reference: string) => {
    const quota = { transactions: new BigNumber(3), days: 30, reference };
    return deposits.world.app.app.get(MoneyAdminService).addSubscription(ANN, await emailOf(customer), quota);
  };
  const rowOf = async (txid: string) =>
    (await deposits.world.query('select id, state, waits_for, note from deposits where txid = $1', [txid]))[0]!;
  async function paid(address: string, sun: number): Promise<string> {
    const txid = await deposits.payTrx(address, sun);
    await deposits.settle();
    return txid;
  }

  it('is not credited again with the deposits that have waited for a rate, and waits for an operator', async () => {
    const [customer, other] = [await deposits.customer(), await deposits.customer()];
    await deposits.rate(null);
    const txid = await deposits.payUsdt(customer.address, 20 * TRX);
    await deposits.payUsdt(other.address, 20 * TRX);
    await deposits.settle();
    await book(customer, txid, 60);
    await deposits.rate(3_000_000n);
    expect(await admin().creditWaiting(ANN)).toEqual({ credited: 1, failed: 1 });
    expect(await deposits.balanceSun(customer)).toBe(60_000_000n);
    expect(await deposits.balanceSun(other)).toBe(60_000_000n);
    const note = `reference "${txid}" was already used for a credit of 60.000000`;
    expect(await rowOf(txid)).toMatchObject({ state: 'waiting', waits_for: 'operator', note });
    expect(await admin().creditWaiting(ANN)).toEqual({ credited: 0, failed: 0 });
  });

  it('is not booked where it is a deposit that was credited, in capitals neither, nor as the payment of a quota', async () => {
    const customer = await deposits.customer();
    const txid = await paid(customer.address, 5 * TRX);
    for (const reference of [txid, txid.toUpperCase(), `${txid}:0`, ` ${txid.toUpperCase()}:0`])
      await expect(book(customer, reference, 5)).rejects.toMatchObject(USED);
    const price = { priceSun: 5_000_000n, paidBy: 'reference' } as const;
    const quota = { transactions: new BigNumber(3), days: 30, reference: txid, price };
    const selling = deposits.world.app.app.get(MoneyAdminService).addSubscription(ANN, await emailOf(customer), quota);
    await expect(selling).rejects.toMatchObject(USED);
    expect(await deposits.balanceSun(customer)).toBe(5_000_000n);
  });

  it('is booked once by its txid in small letters and in capitals', async () => {
    const customer = await deposits.customer();
    const txid = 'ab'.repeat(32);
    expect(await book(customer, txid.toUpperCase(), 4)).toMatchObject({ reference: txid, repeated: false });
    expect(await book(customer, txid, 4)).toMatchObject({ reference: txid, repeated: true });
    expect(await deposits.balanceSun(customer)).toBe(4_000_000n);
  });

  it('is not credited where quota was given for it, and waits for an operator, who credits another payment alone', async () => {
    const [customer, waiting] = [await deposits.customer(), await deposits.customer()];
    await deposits.rate(null);
    const late = await deposits.payUsdt(waiting.address, 20 * TRX);
    await deposits.settle();
    const txid = await deposits.payTrx(customer.address, 5 * TRX);
    for (const [payer, reference] of [[customer, txid.toUpperCase()] as const, [waiting, `${late}:0`] as const])
      expect(await give(payer, reference)).toMatchObject({ repeated: false });
    await deposits.settle();
    await deposits.rate(3_000_000n);
    expect(await admin().creditWaiting(ANN)).toEqual({ credited: 0, failed: 1 });
    for (const [payer, paidBy] of [[customer, txid] as const, [waiting, late] as const]) {
      expect(await rowOf(paidBy)).toMatchObject({ state: 'waiting', waits_for: 'operator' });
      await expect(book(payer, paidBy, 5)).rejects.toMatchObject({ code: 'movement.quota-given' });
      expect(await deposits.balanceSun(payer)).toBe(0n);
    }
    expect(await admin().creditWaiting(ANN)).toEqual({ credited: 0, failed: 0 });
    const [row] = await deposits.world.query('select id from deposits where txid = $1', [txid]);
    await admin().credit(ANN, String(row!['id']), 'she has paid twice in one transaction');
    expect(await deposits.balanceSun(customer)).toBe(5_000_000n);
    expect(await give(customer, txid)).toMatchObject({ repeated: true });
  });

  it('is given as quota under one of its two names alone', async () => {
    for (const [first, second] of [
      ['', ':0'],
      [':0', ''],
    ]) {
      const customer = await deposits.world.caller();
      const txid = randomBytes(32).toString('hex');
      await give(customer, `${txid}${first}`);
      const refused = { code: 'subscription.reference-used' };
      await expect(give(customer, `${txid}${second}`)).rejects.toMatchObject(refused);
      expect((await give(customer, `${txid}${first}`)).repeated).toBe(true);
    }
  });

  it('is not given as quota where it is a deposit that was credited, nor where an operator has booked it', async () => {
    const customer = await deposits.customer();
    const txid = await paid(customer.address, 5 * TRX);
    const booked = 'cd'.repeat(32);
    await book(customer, booked, 4);
    for (const reference of [txid, `${txid.toUpperCase()}:0`, booked, `${booked}:0`])
      await expect(give(customer, reference)).rejects.toMatchObject(USED);
    const quota = await deposits.world.query('select 1 from subscriptions where user_id = $1', [customer.id]);
    expect(quota).toEqual([]);
    // One invoice can name a movement and quota.
    await book(customer, 'inv-7', 1);
    expect(await give(customer, 'inv-7')).toMatchObject({ repeated: false });
  });

  it('is not booked where a contract has paid it, by the reference of a credit that a restore may have lost', async () => {
    const [before, after] = [await deposits.customer(), await deposits.customer()];
    const payments = [{ address: before.address, amount: 50 * TRX }];
    await deposits.world.control('payment', { asset: 'TRX', payments });
    await deposits.settle();
    const note = 'an exchange paid it';
    const asked = { address: before.address, asset: 'TRX', amount: 50_000_000n, note } as const;
    await admin().creditUnexplained(ANN, asked);
    const [row] = await deposits.world.query('select reference from ledger_entries where user_id = $1', [before.id]);
    const reference = String(row!['reference']);
    // The rows of this customer have no such movement, as those of a backup have none.
    const refused = { code: 'movement.reference-of-deposit' };
    for (const name of [reference, ` ${reference} `]) {
      await expect(book(after, name, 50)).rejects.toMatchObject(refused);
      await expect(give(after, name)).rejects.toMatchObject(refused);
    }
    expect(await deposits.balanceSun(after)).toBe(0n);
    expect(await book(after, 'deposit 7', 1)).toMatchObject({ repeated: false });
  });

  it("is booked with a warning where it is another customer's deposit", async () => {
    const [customer, other] = [await deposits.customer(), await deposits.customer()];
    const txid = await paid(other.address, 5 * TRX);
    expect(await book(customer, txid, 5)).toMatchObject({ otherWithReference: await emailOf(other) });
    expect(await give(await deposits.customer(), txid)).toMatchObject({ otherWithReference: expect.any(String) });
  });
});
