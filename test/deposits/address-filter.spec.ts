import { toHexAddress } from '../../src/chain/tron/addresses';
import { DepositAddresses } from '../../src/deposits/deposit-addresses';
import { AddressFilter } from '../../src/deposits/address-filter';
import { LEFT_OUT, LeftOutAddresses } from '../../src/deposits/left-out-addresses';
import { Sql } from '../../src/database/sql';
import { addressAt, DepositWorld, TRX } from './deposit-world';

const PAGE = 10_000;
/** As an instance with another account's key has given them. */
const GIVE = `insert into deposit_addresses (address, hex, account, number)
  select 'T' || $1 || n, '41' || lpad(to_hex(n * 7 + $2::integer), 40, '0'), $1, n from generate_series($3::integer, $4::integer) as n
  returning hex`;

describe('addresses that a block may pay', () => {
  let deposits: DepositWorld;
  beforeAll(async () => (deposits = await DepositWorld.open()));
  afterAll(() => deposits.close());
  const mayHave = (filter: AddressFilter, hex: string) => filter.mayHave(Buffer.from(hex.slice(2), 'hex'));

  it('are all that have a row, of each account and of each instance, and hardly any other', async () => {
    const sql = deposits.world.app.app.get(Sql);
    const filter = new AddressFilter();
    const all: string[] = [];
    const give = async (account: string, offset: number, from: number, to: number) => {
      const rows = await deposits.world.query(GIVE, [account, offset, from, to]);
      all.push(...rows.map(({ hex }) => String(hex)));
    };
    await give('b', 1, 0, 2 * PAGE);
    await give('d', 2, 0, 1);
    await filter.learn(sql);
    expect(all.filter((hex) => !mayHave(filter, hex))).toEqual([]);
    const { size } = filter;
    expect(size).toBeGreaterThanOrEqual(all.length);
    await give('a', 3, 0, 2);
    await give('b', 1, 2 * PAGE + 1, 2 * PAGE + 2);
    await give('d', 2, 2, 2);
    await filter.learn(sql);
    expect(all.filter((hex) => !mayHave(filter, hex))).toEqual([]);
    expect(filter.size).toBe(size + 6);
    expect(mayHave(filter, `41${(7 * 5 + 4).toString(16).padStart(40, '0')}`)).toBe(false);
  });

  it('are given in the order in which a filter learns them, also beside those that are left out', async () => {
    const { app } = deposits.world.app;
    const [sql, filter] = [app.get(Sql), new AddressFilter()];
    const caller = await deposits.world.caller({});
    let given: Promise<string> | undefined;
    await sql.transaction(async (tx) => {
      await app.get(LeftOutAddresses).leaveOutMany(deposits.world.app.configuration.deposits!, tx);
      given = app.get(DepositAddresses).of(caller.id);
      await deposits.world.untilRow(
        `select 1 from pg_stat_activity where wait_event = 'transactionid' and query like 'insert into deposit_addresses%'`,
      );
      await filter.learn(sql);
    });
    expect(await given).toBe(addressAt(LEFT_OUT));
    await filter.learn(sql);
    const numbers = Array.from({ length: LEFT_OUT + 1 }, (_, number) => number);
    expect(numbers.filter((number) => !mayHave(filter, toHexAddress(addressAt(number))))).toEqual([]);
  });

  it('count with what was paid there in a block that was looked through before they were known', async () => {
    const customer = await deposits.customer();
    await deposits.settle();
    const address = addressAt(5_000);
    const txid = await deposits.payTrx(address, 6 * TRX);
    const known = await deposits.payTrx(customer.address, 2 * TRX);
    await deposits.mine();
    await deposits.untilSeen(known);
    const { id } = await deposits.world.caller({});
    await deposits.world.query(
      `insert into deposit_addresses (address, hex, account, number, user_id) values ($1, $2, 'of no setting', 0, $3) returning 1`,
      [address, toHexAddress(address), id],
    );
    await deposits.settle();
    expect(await deposits.credits()).toEqual({ [`${txid}:0`]: 6_000_000n, [`${known}:0`]: 2_000_000n });
  });
});
