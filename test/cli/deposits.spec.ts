import { TronWeb } from 'tronweb';
import { addressAt, DepositWorld, TRX, XPUB } from '../deposits/deposit-world';
import { SharedCommandLine } from '../support/shared-command-line';

type Row = Record<string, unknown>;

describe('the commands of deposits', () => {
  let deposits: DepositWorld;
  let cli: SharedCommandLine;
  beforeAll(async () => {
    deposits = await DepositWorld.open();
    const { world } = deposits;
    cli = SharedCommandLine.on(world.database.url, { TRON_FULL_NODE_URLS: world.chain.url, DEPOSIT_XPUB: XPUB });
  });
  afterAll(() => Promise.all([cli.close(), deposits.close()]));

  const emailOf = async (id: string) =>
    String((await deposits.world.query('select email from users where id = $1', [id]))[0]!['email']);
  const acts = async () =>
    (await deposits.world.query(`select action, outcome from audit_log where action like 'deposit.%' order by id`)).map(
      ({ action, outcome }) => `${String(action)} ${String(outcome)}`,
    );

  it('refuse what is typed wrongly, and say what cannot be done', async () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    const wrong = [
      ['deposit:rate', '--trx-per-usdt', '0'],
      ['deposit:rate', '--trx-per-usdt', '3', '--off'],
      ['deposit:rate', '--off', '--credit-waiting'],
      ['deposit:credit', id],
      ['deposit:list', '--state', 'lost'],
      ['deposit:credit-unexplained', '--address', 'T1', '--asset', 'TRX', '--amount', '1', '--note', 'n'],
    ];
    for (const args of wrong) expect((await cli.run(...args)).exitCode).toBe(2);
    const missing = await cli.run('deposit:show', id);
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining(`unknown deposit ${id}`)]);
  });

  it('show a customer’s address and deposits', async () => {
    const caller = await deposits.world.caller({});
    const user = await emailOf(caller.id);
    const shown = await cli.json<Row>('deposit:address', '--user', user);
    expect(shown).toEqual({
      address: expect.stringMatching(/^T/),
      minimum: '1.000000',
      minimum_usdt: '10.000000',
      trx_per_usdt: null,
      assets: ['TRX', 'USDT'],
    });
    expect(await cli.json('deposit:address', '--user', user)).toEqual(shown);
    const txid = await deposits.payTrx(String(shown['address']), 3 * TRX);
    await deposits.settle();
    const [listed, ...others] = await cli.json<Row[]>('deposit:list', '--user', user);
    expect(others).toEqual([]);
    // The payment's block is the first of six, and the command has no follower.
    expect(listed!['confirmations']).toBe(6);
    expect(listed).toMatchObject({
      txid,
      index: 0,
      asset: 'TRX',
      amount: '3.000000',
      credited: '3.000000',
      state: 'credited',
    });
    expect(await cli.json('deposit:show', String(listed!['id']))).toEqual(listed);
    expect(await cli.json('deposit:list', '--user', user, '--state', 'waiting')).toEqual([]);
  });

  it('set a rate, and credit what has waited for one', async () => {
    expect(await cli.json('deposit:rate')).toEqual({ trx_per_usdt: null, since: null });
    const customer = await deposits.customer();
    await deposits.payUsdt(customer.address, 20 * TRX);
    await deposits.payUsdt(customer.address, 9 * TRX);
    await deposits.settle();
    const states = async () => (await deposits.list(customer)).map(({ state }) => state).toSorted();
    expect(await states()).toEqual(['too_small', 'waiting']);
    const small = (await deposits.list(customer, '?state=too_small'))[0]!.id;
    const refused = await cli.run('deposit:credit', small, '--note', 'as agreed');
    expect(refused.stderr).toContain('no rate is in force');
    const rate = await cli.json<Row>('deposit:rate', '--trx-per-usdt', '3.15', '--credit-waiting');
    expect(rate).toEqual({ trx_per_usdt: '3.150000', since: expect.stringMatching(/Z$/), credited: 1, failed: 0 });
    expect(await states()).toEqual(['credited', 'too_small']);
    expect(await deposits.balanceSun(customer)).toBe(63_000_000n);
    const credited = await cli.json<Row>('deposit:credit', small, '--note', 'as agreed');
    expect(credited).toMatchObject({ state: 'credited', credited: '28.350000', rate: '3.150000', note: 'as agreed' });
    const twice = await cli.run('deposit:credit', small, '--note', 'as agreed');
    expect([twice.exitCode, twice.stderr]).toEqual([
      1,
      expect.stringContaining('below the minimum can be credited by hand, and this one is credited'),
    ]);
    expect(await deposits.balanceSun(customer)).toBe(91_350_000n);
    expect(await cli.json('deposit:rate', '--off')).toMatchObject({ trx_per_usdt: null });
    expect(await acts()).toEqual([
      'deposit.credit refused',
      'deposit.rate done',
      'deposit.credit done',
      'deposit.credit done',
      'deposit.credit refused',
      'deposit.rate done',
    ]);
  });

  it('credit what has waited for a rate, although one of it cannot be credited, and exit with 1 then', async () => {
    const customers = [await deposits.customer(), await deposits.customer()];
    for (const { address } of customers) await deposits.payUsdt(address, 20 * TRX);
    await deposits.settle();
    // Worth less than a sun at half a TRX: its credit is refused.
    await deposits.world.query('update deposits set amount = 1 where user_id = $1 returning 1', [customers[0]!.id]);
    const { exitCode, stdout } = await cli.run('deposit:rate', '--trx-per-usdt', '0.5', '--credit-waiting', '--json');
    expect([exitCode, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ credited: 1, failed: 1 })]);
    expect((await deposits.list(customers[0]!)).map(({ state }) => state)).toEqual(['waiting']);
    expect(await deposits.balanceSun(customers[1]!)).toBe(10_000_000n);
  });

  it('credit what came to an address that was left out, to the customer who is named', async () => {
    const customer = await deposits.customer();
    const rows = `insert into deposit_addresses (address, hex, account, number) values ($1, $2, $3, 900) returning 1`;
    const [{ account }] = (await deposits.world.query('select account from deposit_addresses limit 1')) as [Row];
    const address = addressAt(900);
    await deposits.world.query(rows, [address, TronWeb.address.toHex(address).toLowerCase(), account]);
    const txid = await deposits.payTrx(address, 6 * TRX);
    await deposits.settle();
    const args = ['--address', address, '--asset', 'TRX', '--amount', '6', '--note', 'n'];
    const unnamed = await cli.run('deposit:credit-unexplained', ...args);
    expect([unnamed.exitCode, unnamed.stderr]).toEqual([1, expect.stringContaining('--user')]);
    const user = await emailOf(customer.id);
    const credited = await cli.json<Row>('deposit:credit-unexplained', ...args, '--user', user);
    expect(credited).toMatchObject({ user, txid: null, amount: '6.000000', credited: '6.000000', state: 'credited' });
    expect(await deposits.balanceSun(customer)).toBe(6_000_000n);
    expect(await deposits.world.query('select txid from left_out_payments')).toEqual([{ txid }]);
  });
});
