import { CONFIGURATION, type Configuration } from '../../config/configuration';
import { Sql } from '../../src/database/sql';
import { LeftOutAddresses } from '../../src/deposits/left-out-addresses';
import { Alarms } from '../../src/reconciliation/alarms/alarms';
import { UnexplainedHoldings } from '../../src/deposits/unexplained-holdings';
import { DepositAdminService } from '../../src/admin/deposit-admin.service';
import { MetricsRegistry } from '../../src/telemetry/metrics/metrics.registry';
import { type CommitEnd, DatabaseProxy } from '../support/database-proxy';
import { until } from '../support/until';
import { addressAt, type Customer, DepositWorld, TRX } from './deposit-world';

const ANN = { id: null, address: 'test' };

describe('what a contract pays to a deposit address', () => {
  let deposits: DepositWorld;
  let database: DatabaseProxy;
  let customers: Customer[];
  beforeAll(async () => {
    const databaseUrl = (url: string) => {
      database = new DatabaseProxy(url);
      return database.open();
    };
    deposits = await DepositWorld.open({ time: 'virtual', databaseUrl });
    await deposits.rate(3_000_000n);
    customers = [await deposits.customer(), await deposits.customer()];
  });
  afterAll(async () => {
    await deposits.close();
    await database.close();
  });

  const read = async () => {
    await deposits.settle();
    await deposits.world.app.app.get(UnexplainedHoldings).run(0);
  };
  const findings = async () =>
    (await deposits.world.app.app.get(Alarms).read())
      .filter(({ kind }) => kind === 'deposit_unexplained')
      .map(({ about, parameters }) => ({ about, parameters }));
  const credit = (address: string, asset: 'TRX' | 'USDT', amount: bigint) =>
    deposits.world.app.app
      .get(DepositAdminService)
      .creditUnexplained(ANN, { address, asset, amount, note: 'an exchange paid it' });

  /** The scanner stands a block behind, until it is let go on: it finds its last block on no branch. */
  async function holdScanner(): Promise<() => Promise<unknown>> {
    const [{ id }] = (await deposits.world.query(`select id from followed_blocks where subscriber = 'deposits'`)) as [
      { id: string },
    ];
    const place = `update followed_blocks set number = number + $1, id = $2 where subscriber = 'deposits' returning 1`;
    await deposits.world.query(place, [-1, 'ab'.repeat(32)]);
    return () => deposits.world.query(place, [1, id]);
  }

  it('is not credited by a reading of before, while deposits of the newest blocks are not known', async () => {
    const { address } = customers[1]!;
    await read();
    await deposits.world.query(
      'update deposit_addresses set unexplained_sun = 5000000, unexplained_since = now() where address = $1 returning 1',
      [address],
    );
    const letGo = await holdScanner();
    await expect(credit(address, 'TRX', 5_000_000n)).rejects.toMatchObject({ code: 'deposit.scanner-behind' });
    await letGo();
    await read();
    expect(await deposits.balanceSun(customers[1]!)).toBe(0n);
  });

  it('is credited without another command where the scanner is a block behind for a moment', async () => {
    const customer = await deposits.customer();
    const { address } = customer;
    await deposits.world.control('payment', { asset: 'TRX', payments: [{ address, amount: 6 * TRX }] });
    await deposits.mine();
    await deposits.settle();
    const letGo = await holdScanner();
    const looks = jest.spyOn(deposits.world.app.app.get(UnexplainedHoldings), 'read');
    const [view] = await Promise.all([
      credit(address, 'TRX', 6_000_000n),
      until('a look in vain', async () => (await looks.mock.results[0]?.value) === false).then(letGo),
    ]);
    expect(view).toMatchObject({ state: 'credited', credited_sun: 6_000_000n });
    looks.mockRestore();
    expect(await deposits.balanceSun(customer)).toBe(6_000_000n);
  });

  it('is looked for again where the last look was noted while the clock of the database was ahead', async () => {
    const noted = (time: string) =>
      deposits.world.query('update deposit_addresses set read_at = now() + $1::interval returning 1', [time]);
    const readAgain = async () => {
      await deposits.settle();
      await deposits.world.app.app.get(UnexplainedHoldings).run();
      return deposits.world.query('select 1 from deposit_addresses where read_at > now()');
    };
    await noted('1 day');
    expect(await readAgain()).toEqual([]);
    const before = await noted('-1 minute');
    await readAgain();
    const untouched = `select 1 from deposit_addresses where read_at < now() - interval '30 seconds'`;
    expect(await deposits.world.query(untouched)).toHaveLength(before.length);
  });

  it('is looked for at one of the addresses that were left out with each run, where more waits at others', async () => {
    const { app } = deposits.world.app;
    const settings = app.get<Configuration>(CONFIGURATION).deposits!;
    await app.get(Sql).transaction((tx) => app.get(LeftOutAddresses).leaveOutMany(settings, tx));
    await deposits.world.query('update deposit_addresses set read_at = null returning 1');
    await deposits.world.query(
      'update deposit_addresses set unexplained_since = now() where user_id is null and number < 40 returning 1',
    );
    await deposits.settle();
    await app.get(UnexplainedHoldings).run();
    const wasRead = 'select 1 from deposit_addresses where read_at is not null and user_id is null and number';
    expect(await deposits.world.query(`${wasRead} >= 40`)).toHaveLength(1);
    expect((await deposits.world.query(`${wasRead} < 40`)).length).toBeGreaterThanOrEqual(17);
    await deposits.world.query('delete from deposit_addresses where user_id is null returning 1');
  });

  it('is a finding with amounts, and what came by itself is none', async () => {
    for (const { address } of customers) await deposits.payTrx(address, 4 * TRX);
    await deposits.payUsdt(customers[0]!.address, 12 * TRX);
    await read();
    expect(await findings()).toEqual([]);
    const payments = customers.map(({ address }, at) => ({ address, amount: (at + 20) * TRX }));
    await deposits.world.control('payment', { asset: 'USDT', payments });
    await deposits.mine();
    await deposits.world.control('payment', { asset: 'TRX', payments: [{ ...payments[0]!, amount: 5 * TRX }] });
    await deposits.world.control('payment', { asset: 'other', payments });
    await deposits.mine();
    await read();
    expect(await findings()).toEqual([
      {
        about: { type: 'user', id: customers[0]!.id },
        parameters: expect.objectContaining({
          address: customers[0]!.address,
          unexplained_sun: '5000000',
          unexplained_usdt: '20.000000',
        }),
      },
      {
        about: { type: 'user', id: customers[1]!.id },
        parameters: expect.objectContaining({ unexplained_sun: '0', unexplained_usdt: '21.000000' }),
      },
    ]);
  });

  it('is counted by metrics, and so are the blocks that are still to be looked through', async () => {
    const text = await deposits.world.app.app.get(MetricsRegistry).metrics();
    const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? -1);
    expect([value('deposit_addresses_unexplained'), value('deposit_blocks_behind')]).toEqual([2, 0]);
  });

  it('is found although more addresses than a run reads have just been paid', async () => {
    const { address } = customers[1]!;
    const rows = Array.from({ length: 40 }, (_, at) => ({ address: addressAt(7_000 + at), number: 7_000 + at }));
    await deposits.world.query(
      `insert into deposit_addresses (address, hex, account, number)
       select r.address, 'of ' || r.address, 'none', r.number from json_to_recordset($1::json) as r (address text, number int) returning 1`,
      [JSON.stringify(rows)],
    );
    await deposits.settle();
    await deposits.world.query(
      `update deposit_addresses set unexplained_usdt = 0, unexplained_since = null,
              read_at = case account when 'none' then null else now() - interval '1 hour' end returning 1`,
    );
    await deposits.world.app.app.get(UnexplainedHoldings).run();
    expect(await findings()).toContainEqual(
      expect.objectContaining({ parameters: expect.objectContaining({ address, unexplained_usdt: '21.000000' }) }),
    );
    const unread = 'select 1 from deposit_addresses where read_at is null';
    expect((await deposits.world.query(unread)).length).toBeLessThan(40);
    await deposits.world.query(`delete from deposit_addresses where account = 'none' returning 1`);
  });

  it('is credited by an operator, once and never more than is there', async () => {
    const { address } = customers[0]!;
    const before = await deposits.balanceSun(customers[0]!);
    await expect(credit(address, 'USDT', 20_000_001n)).rejects.toThrow('only 20.000000 USDT');
    const view = await credit(address, 'USDT', 15_000_000n);
    expect(view).toMatchObject({ txid: null, index: null, state: 'credited', credited_sun: 45_000_000n });
    const again = await Promise.allSettled([credit(address, 'USDT', 5_000_000n), credit(address, 'USDT', 5_000_000n)]);
    expect(again.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await credit(address, 'TRX', 5_000_000n);
    expect((await deposits.balanceSun(customers[0]!)) - before).toBe(65_000_000n);
    // The next reading finds the same.
    await read();
    await expect(credit(address, 'TRX', 1n)).rejects.toThrow('only 0.000000 TRX');
    expect((await findings()).map(({ about }) => about)).toEqual([{ type: 'user', id: customers[1]!.id }]);
    const [shown] = await deposits.list(customers[0]!);
    expect(shown).toMatchObject({ txid: null, index: null, state: 'credited', asset: 'TRX', amount: 5 });
    await expect(credit('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TRX', 1n)).rejects.toThrow('no customer has');
  });

  it('is not credited by a reading that is older than what came since', async () => {
    const { address } = await deposits.customer();
    const stale = () =>
      deposits.world.query(
        `update deposit_addresses set read_at = clock_timestamp(), unexplained_sun = 9000000, unexplained_since = clock_timestamp()
          where address = $1 returning 1`,
        [address],
      );
    const left = async () =>
      (
        await deposits.world.query('select unexplained_sun, read_at from deposit_addresses where address = $1', [
          address,
        ])
      )[0];
    await stale();
    await expect(credit(address, 'TRX', 9_000_000n)).rejects.toThrow('only 0.000000 TRX');
    await stale();
    await deposits.payTrx(address, 9 * TRX);
    await deposits.settle();
    expect(await left()).toEqual({ unexplained_sun: 0n, read_at: null });
  });

  it('is found again after a commit that was not acknowledged, and free after one that was lost', async () => {
    const customer = await deposits.customer();
    const { address } = customer;
    const end = (how: CommitEnd) => {
      let left = 1;
      database.endOfCommit = (statements) => (statements.includes('ledger_move') && left-- > 0 ? how : 'passes');
    };
    await deposits.world.control('payment', { asset: 'TRX', payments: [{ address, amount: 7 * TRX }] });
    await deposits.mine();
    await read();
    end('is lost');
    await expect(credit(address, 'TRX', 7_000_000n)).rejects.toThrow('broke and nothing was done');
    expect(await deposits.balanceSun(customer)).toBe(0n);
    end('is not acknowledged');
    expect(await credit(address, 'TRX', 7_000_000n)).toMatchObject({ state: 'credited' });
    await expect(credit(address, 'TRX', 7_000_000n)).rejects.toThrow('only 0.000000 TRX');
    expect(await deposits.balanceSun(customer)).toBe(7_000_000n);
  });
});
