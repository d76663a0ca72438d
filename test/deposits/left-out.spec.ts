import { BigNumber } from 'bignumber.js';
import { DepositAdminService } from '../../src/admin/deposit-admin.service';
import { MoneyAdminService } from '../../src/admin/money-admin.service';
import { RestoreAdminService } from '../../src/admin/restore-admin.service';
import { LedgerService } from '../../src/balance/ledger.service';
import { Alarms } from '../../src/reconciliation/alarms/alarms';
import { DatabaseBackup } from '../support/database-backup';
import type { Caller } from '../support/order-world';
import { until } from '../support/until';
import { ANN, SweepWorld } from './sweeps/sweep-world';
import { addressAt, type DepositWorld, TRX } from './deposit-world';

describe('an address that a customer got after the backup that was put back', () => {
  let sweeps: SweepWorld;
  let deposits: DepositWorld;
  let backup: DatabaseBackup;
  let first: Caller;
  let second: Caller;
  let third: Caller;
  let swept: Caller;
  const paid: Record<string, string> = {};

  const findings = async () =>
    (await deposits.world.app.app.get(Alarms).read())
      .filter(({ kind }) => kind.startsWith('deposit'))
      .map(({ kind, about, parameters }) => ({ kind, about, parameters }));
  const leftOut = (number: number, sun: number, usdt: string, txids?: readonly string[]) => ({
    kind: 'deposit_left_out',
    about: { type: 'deposit_address', id: addressAt(number) },
    parameters: expect.objectContaining({
      address: addressAt(number),
      number: String(number),
      unexplained_sun: String(sun),
      unexplained_usdt: usdt,
      txids: txids?.join(', ') ?? expect.any(String),
    }),
  });
  const emailOf = async ({ id }: Caller) =>
    String((await deposits.world.query('select email from users where id = $1', [id]))[0]!['email']);
  const credit = async (number: number, amount: bigint, user?: Caller, asset: 'TRX' | 'USDT' = 'TRX') => {
    const whose = user && { id: user.id, email: await emailOf(user) };
    const asked = { address: addressAt(number), asset, amount, note: 'she has shown the transaction', user: whose };
    return deposits.world.app.app.get(DepositAdminService).creditUnexplained(ANN, asked);
  };

  beforeAll(async () => {
    sweeps = await SweepWorld.open();
    ({ deposits } = sweeps);
    const { world } = deposits;
    await deposits.rate(3_000_000n);
    first = await deposits.customer();
    [second, third, swept] = [await world.caller({}), await world.caller({}), await world.caller({})];
    backup = await DatabaseBackup.of(world.database.url);
    for (const caller of [second, third, swept]) await world.get(caller, '/api/user/deposit-address');
    expect(await world.query('select number from deposit_addresses order by number')).toHaveLength(4);
    paid['swept'] = await deposits.payTrx(addressAt(3), 7 * TRX);
    await sweeps.settle();
    expect(await sweeps.sweepAll()).toMatchObject({ sweeps: 1, sun: 7_000_000n });
    await sweeps.settle();
    await sweeps.untilState(addressAt(3), 'final');
    await world.stopInstance(world.app);
    await backup.replace();
  });
  afterAll(async () => {
    await sweeps.close();
    await backup.drop();
  });

  it('is known by its payment beyond the last address of the rows, which is a finding and no credit', async () => {
    paid['trx'] = await deposits.payTrx(addressAt(2), 5 * TRX);
    paid['usdt'] = await deposits.payUsdt(addressAt(2), 20 * TRX);
    paid['first'] = await deposits.payTrx(addressAt(0), 2 * TRX);
    // Dust is none of an operator's business, nor is an address that is too far beyond.
    await deposits.payTrx(addressAt(1), TRX - 1);
    await deposits.payTrx(addressAt(1_500), 9 * TRX);
    await deposits.mine();
    await deposits.world.startInstance();
    await deposits.settle();
    const [of, finding, ...others] = await findings();
    expect([of, others]).toEqual([leftOut(3, 7 * TRX, '0.000000', [paid['swept']!]), []]);
    const txids = String(finding!.parameters['txids']).split(', ');
    expect(new Set(txids)).toEqual(new Set([paid['trx'], paid['usdt']]));
    expect(finding).toEqual(leftOut(2, 5 * TRX, '20.000000', txids));
    expect(await deposits.credits()).toEqual({ [`${paid['first']}:0`]: 2_000_000n });
  });

  it('is credited once although it was swept, and the sweep lost too, and its finding ends', async () => {
    expect(await sweeps.sunOf(addressAt(3))).toBe(0n);
    await expect(credit(3, 7_000_001n, swept)).rejects.toThrow('only 7.000000 TRX');
    await expect(credit(3, 1n, swept, 'USDT')).rejects.toThrow('only 0.000000 USDT');
    const both = await Promise.allSettled([credit(3, 7_000_000n, swept), credit(3, 7_000_000n, swept)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await sweeps.readHoldings([addressAt(3)]);
    await expect(credit(3, 1n, swept)).rejects.toThrow('only 0.000000 TRX');
    expect(await deposits.balanceSun(swept)).toBe(7_000_000n);
    expect((await findings()).map(({ parameters }) => parameters['address'])).toEqual([addressAt(2)]);
  });

  it("becomes no other customer's, nor does one before it", async () => {
    await deposits.world.app.app.get(RestoreAdminService).confirm(ANN, { revokeTokens: false });
    await deposits.untilCompared();
    await deposits.rate(3_000_000n);
    const { address } = await deposits.customer();
    expect(address).toBe(addressAt(1_004));
  });

  it('is found by a payment after restore:confirm, by a contract as well', async () => {
    paid['later'] = await deposits.payTrx(addressAt(700), 3 * TRX);
    await deposits.world.control('payment', { asset: 'TRX', payments: [{ address: addressAt(2), amount: 4 * TRX }] });
    await deposits.settle();
    await sweeps.readHoldings([addressAt(2), addressAt(700)]);
    expect(await findings()).toEqual([
      leftOut(2, 9 * TRX, '20.000000'),
      leftOut(700, 3 * TRX, '0.000000', [paid['later']]),
    ]);
  });

  it('makes no finding and cannot be credited, where an operator has booked the payment by its txid, as it was booked before, or as quota', async () => {
    const { app } = deposits.world.app;
    const payments = [701, 702].map((number) => deposits.payTrx(addressAt(number), 4 * TRX));
    const [txid, other] = [await payments[0]!, await payments[1]!];
    const given = await deposits.payTrx(addressAt(701), TRX);
    await deposits.settle();
    expect(await findings()).toHaveLength(4);
    for (const reference of [txid, `${other}:0`])
      await app.get(LedgerService).credit({ userId: third.id, amountSun: 4_000_000n, note: 'as booked', reference });
    expect(await findings()).toHaveLength(3);
    const quota = { transactions: new BigNumber(3), days: 30, reference: given };
    await app.get(MoneyAdminService).addSubscription(ANN, await emailOf(third), quota);
    expect(await findings()).toHaveLength(2);
    await expect(credit(701, 1n, third)).rejects.toThrow('only 0.000000 TRX');
    await expect(credit(702, 1n, third)).rejects.toThrow('only 0.000000 TRX');
    await sweeps.readHoldings([addressAt(701), addressAt(702)]);
    expect(await findings()).toHaveLength(2);
    await expect(credit(702, 1n, third)).rejects.toThrow('only 0.000000 TRX');
  });

  it('is credited to the customer whom an operator names, never more than came in, and its finding ends', async () => {
    const before = await deposits.balanceSun(second);
    await expect(credit(2, 9_000_000n)).rejects.toThrow('name the user with --user');
    await expect(credit(0, 1n, second)).rejects.toThrow('leave --user out');
    await expect(credit(2, 9_000_001n, second)).rejects.toThrow('only 9.000000 TRX');
    expect(await credit(2, 9_000_000n, second)).toMatchObject({ address: addressAt(2), credited_sun: 9_000_000n });
    await expect(credit(2, 1n, second)).rejects.toThrow('only 0.000000 TRX');
    await credit(2, 20_000_000n, second, 'USDT');
    expect((await deposits.balanceSun(second)) - before).toBe(69_000_000n);
    expect((await findings()).map(({ parameters }) => parameters['address'])).toEqual([addressAt(700)]);
    await sweeps.readHoldings([addressAt(2)]);
    expect((await findings()).map(({ parameters }) => parameters['address'])).toEqual([addressAt(700)]);
    expect((await deposits.world.audit()).findings.filter(({ kind }) => kind.startsWith('deposit_'))).toEqual([]);
  });

  it('is swept, credited or not, and what was swept can still be credited', async () => {
    const plan = await sweeps.plan();
    // TRX of the addresses 0, 2 and 700 to 702, USDT of 2: dust is left where it is.
    expect(plan).toMatchObject({ sweeps: 6, sun: 23_000_000n, units: 20_000_000n, tooSmall: 1 });
    await sweeps.take(await sweeps.sign(plan.file));
    await sweeps.send();
    await sweeps.settle();
    const trx = async () => (await sweeps.list()).filter(({ asset }) => asset === 'TRX').map(({ state }) => state);
    await until('all TRX swept', async () => (await trx()).join() === 'final,final,final,final,final');
    const before = await deposits.balanceSun(third);
    await credit(700, 3_000_000n, third);
    expect((await deposits.balanceSun(third)) - before).toBe(3_000_000n);
    expect(await findings()).toEqual([]);
    expect(await deposits.balanceSun(first)).toBe(2_000_000n);
  });

  it('is known beyond the first thousand, once customers have been given some of those and 200 blocks are past', async () => {
    const { world } = deposits;
    const before = await world.query('select 1 from left_out_payments where address = $1', [addressAt(1_500)]);
    expect(before).toEqual([]);
    await deposits.mine(200);
    const txid = await deposits.payTrx(addressAt(1_500), 2 * TRX);
    await deposits.settle();
    const recorded = await world.query('select txid from left_out_payments where address = $1', [addressAt(1_500)]);
    expect(recorded).toEqual([{ txid }]);
  });
});
