import { DepositTimeoutError, EnergyClient, EnergyError } from '../../clients/typescript/src/index.ts';
import { type Customer, DepositWorld, TRX } from '../deposits/deposit-world';
import { OrderWorld } from '../support/order-world';

/** Blocks come when a test asks for them. */
const EVERY = { everyMs: 100 };

describe('the TypeScript client and deposits', () => {
  let deposits: DepositWorld;
  let customer: Customer;
  let client: EnergyClient;
  beforeAll(async () => {
    deposits = await DepositWorld.open();
    await deposits.rate(3_000_000n);
    customer = await deposits.customer();
    client = new EnergyClient({ baseUrl: deposits.world.app.url, token: customer.token });
  });
  afterAll(() => deposits.close());

  it('knows where to pay, and what has come, by state and page', async () => {
    expect(await client.depositAddress()).toEqual({
      address: customer.address,
      minimum: 1,
      minimum_usdt: 10,
      trx_per_usdt: 3,
      assets: ['TRX', 'USDT'],
    });
    expect(await client.deposits()).toEqual([]);
    const [first, second] = [
      await deposits.payTrx(customer.address, 2 * TRX),
      await deposits.payUsdt(customer.address, 5),
    ];
    await deposits.settle();
    const [newest, ...others] = await client.deposits({ limit: 1 });
    expect(others).toEqual([]);
    const older = await client.deposits({ before: newest!.id });
    expect(new Set([newest, ...older].map((one) => one!.txid))).toEqual(new Set([first, second]));
    expect(await client.deposits({ state: 'too_small' })).toMatchObject([{ txid: second, asset: 'USDT' }]);
  });

  it('waits for a payment until it is credited, and says what else became of one', async () => {
    const txid = await deposits.payTrx(customer.address, 7 * TRX);
    const waiting = client.waitForDeposit(txid, EVERY);
    await deposits.mine();
    await deposits.untilSeen(txid);
    const late = await client.waitForDeposit(txid, { timeoutMs: 0 }).catch((error: unknown) => error);
    expect(late).toBeInstanceOf(DepositTimeoutError);
    expect((late as DepositTimeoutError).deposit).toMatchObject({ txid, state: 'seen', credited: null });
    await deposits.settle();
    expect(await waiting).toMatchObject({ txid, state: 'credited', credited: 7, amount: 7 });
    const small = await deposits.payTrx(customer.address, TRX - 1);
    await deposits.settle();
    expect(await client.waitForDeposit(small, EVERY)).toMatchObject({
      txid: small,
      state: 'too_small',
      credited: null,
    });
  });

  it('looks through all of them once, and at the newest alone for what has not come yet', async () => {
    const rows = `insert into deposits (id, user_id, address, asset, amount, txid, index, state)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, $2, 'TRX', 1, lpad(n::text, 64, '0'), 0, 'seen'
      from generate_series(1, 250) n returning 1`;
    const crowd = await deposits.customer();
    await deposits.world.query(rows, [crowd.id, crowd.address]);
    const asked: (string | null)[] = [];
    const enough = new AbortController();
    const counting = new EnergyClient({
      baseUrl: deposits.world.app.url,
      token: crowd.token,
      fetch: (url, init) => {
        if (asked.push(new URL(url as string).searchParams.get('before')) === 5) enough.abort();
        return fetch(url, init);
      },
    });
    await expect(counting.waitForDeposit('ff'.repeat(32), { everyMs: 0, signal: enough.signal })).rejects.toMatchObject(
      { name: 'NoAnswerError' },
    );
    expect(asked.map((before) => before === null)).toEqual([true, false, false, true, true]);
    const oldest = '1'.padStart(64, '0');
    const seen = await counting.waitForDeposit(oldest, { timeoutMs: 0 }).catch((error: unknown) => error);
    expect((seen as DepositTimeoutError).deposit).toMatchObject({ txid: oldest, state: 'seen' });
  });

  it('gives the refusal of a service without deposits', async () => {
    const world = await OrderWorld.open({ backgroundWork: false });
    try {
      const { token } = await world.caller();
      const without = new EnergyClient({ baseUrl: world.app.url, token });
      const refusal = await without.depositAddress().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(EnergyError);
      expect(refusal).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    } finally {
      await world.close();
    }
  });
});
