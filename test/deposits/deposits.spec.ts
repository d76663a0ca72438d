import { Logger } from '@nestjs/common';
import { DepositAdminService } from '../../src/admin/deposit-admin.service';
import { LedgerService } from '../../src/balance/ledger.service';
import { BlockReads } from '../../src/chain/tron/node/block-reads';
import { addressAt, type Customer, DepositWorld, TRX } from './deposit-world';

describe('what customers pay in', () => {
  let deposits: DepositWorld;
  beforeAll(async () => (deposits = await DepositWorld.open()));
  afterAll(() => deposits.close());

  const ledgerOf = ({ id }: Customer) =>
    deposits.world.query(
      'select kind, amount_sun, reference, note from ledger_entries where user_id = $1 order by id',
      [id],
    );

  it('gives each customer an address of the account, the same ever after', async () => {
    const [first, second] = [await deposits.customer(), await deposits.customer()];
    expect([first.address, second.address]).toEqual([addressAt(0), addressAt(1)]);
    const { body } = await deposits.world.get(first, '/api/user/deposit-address');
    expect(body).toEqual({
      success: true,
      data: { address: first.address, minimum: 1, minimum_usdt: 10, trx_per_usdt: null, assets: ['TRX', 'USDT'] },
    });
  });

  it('shows a payment in a young block, and credits it once it is final', async () => {
    const customer = await deposits.customer();
    const txid = await deposits.payTrx(customer.address, 12_345_678);
    await deposits.mine();
    await deposits.world.untilRow(`select 1 from deposits where txid = $1`, [txid]);
    const [seen] = await deposits.list(customer);
    expect(seen).toMatchObject({
      txid,
      index: 0,
      address: customer.address,
      asset: 'TRX',
      amount: 12.345678,
      credited: null,
      rate: null,
      state: 'seen',
      credited_at: null,
    });
    expect(seen!.confirmations).toBe(1);
    expect(await deposits.balanceSun(customer)).toBe(0n);
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ id: seen!.id, state: 'credited', credited: 12.345678 }]);
    expect(await deposits.balanceSun(customer)).toBe(12_345_678n);
    expect(await ledgerOf(customer)).toEqual([
      { kind: 'deposit', amount_sun: 12_345_678n, reference: `${txid}:0`, note: '12.345678 TRX' },
    ]);
  });

  it('records less than the minimum, and credits none of it', async () => {
    const customer = await deposits.customer();
    await deposits.payTrx(customer.address, TRX - 1);
    await deposits.settle();
    expect(await deposits.list(customer)).toMatchObject([{ state: 'too_small', credited: null }]);
    expect(await deposits.balanceSun(customer)).toBe(0n);
  });

  it('waits where an operator has credited the same payment by its txid, and is credited if the operator says so', async () => {
    const customer = await deposits.customer();
    const txid = await deposits.payTrx(customer.address, 6 * TRX);
    const { app } = deposits.world.app;
    await app
      .get(LedgerService)
      .credit({ userId: customer.id, amountSun: 6_000_000n, note: 'did not arrive', reference: txid });
    await deposits.settle();
    const [waiting] = await deposits.list(customer);
    expect([waiting, await deposits.balanceSun(customer)]).toMatchObject([{ txid, state: 'waiting' }, 6_000_000n]);
    await app.get(DepositAdminService).credit({ id: null, address: 'test' }, waiting!.id, 'another payment');
    expect(await deposits.balanceSun(customer)).toBe(12_000_000n);
  });

  it('lists by state and page, and refuses what it does not know', async () => {
    const customer = await deposits.customer();
    for (const amount of [1, 2, 3]) await deposits.payTrx(customer.address, amount * TRX);
    await deposits.settle();
    const all = await deposits.list(customer);
    expect(all.map(({ amount }) => amount).toSorted((one, other) => one - other)).toEqual([1, 2, 3]);
    expect(await deposits.list(customer, '?limit=2')).toEqual(all.slice(0, 2));
    expect(await deposits.list(customer, `?before=${all[1]!.id}`)).toEqual(all.slice(2));
    expect(await deposits.list(customer, '?state=waiting')).toEqual([]);
    const { status, body } = await deposits.world.get(customer, '/api/user/deposits?limit=101');
    expect([status, body['details']]).toEqual([400, { limit: ['The limit must be between 1 and 100.'] }]);
  });

  it('costs no call for a final block that was read as a head', async () => {
    const customer = await deposits.customer();
    await deposits.settle();
    const raw = jest.spyOn(deposits.world.app.app.get(BlockReads), 'raw');
    for (let at = 0; at < 10; at++) {
      const txid = await deposits.payTrx(customer.address, TRX);
      await deposits.mine();
      await deposits.untilSeen(txid);
    }
    await deposits.mine(4);
    await deposits.untilFollowed();
    await deposits.untilCredited();
    expect([await deposits.balanceSun(customer), raw.mock.calls]).toEqual([10_000_000n, []]);
    raw.mockRestore();
  });

  it('says in its readiness whether blocks are still to be read, and orders do not wait for that', async () => {
    const ready = async () => {
      const response = await fetch(`${deposits.world.app.url}/health/ready`);
      const { checks } = (await response.json()) as { checks: { deposits?: string } };
      return [response.status, checks.deposits];
    };
    await deposits.settle();
    expect(await ready()).toEqual([200, 'ok']);
    const [{ number, id }] = (await deposits.world.query(
      `select number, id from followed_blocks where subscriber = 'deposits'`,
    )) as [{ number: bigint; id: string }];
    const put = (height: bigint, at: string) =>
      deposits.world.query(
        `update followed_blocks set number = $1, id = $2 where subscriber = 'deposits' returning number`,
        [height, at],
      );
    // On no branch: nothing is given from there.
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await put(number - 50n, '0'.repeat(64));
    expect(await ready()).toEqual([200, 'behind']);
    await put(number, id);
    expect(await ready()).toEqual([200, 'ok']);
    errors.mockRestore();
  });

  it('is not found while deposits are off', async () => {
    const off = await deposits.world.startInstance({ DEPOSIT_XPUB: '' }, false);
    const { token } = await deposits.world.caller({});
    for (const path of ['deposit-address', 'deposits']) {
      const response = await fetch(`${off.url}/api/user/${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect([response.status, response.headers.get('x-error-code')]).toEqual([404, 'NOT_FOUND']);
    }
    await deposits.world.stopInstance(off);
  });
});
