import { TronWeb, utils } from 'tronweb';
import { Capacity } from '../../../../src/chain/pool/wallets/capacity';
import { TRANSACTIONS_DUE } from '../../../../src/chain/pool/wallets/pool-wallet.sql';
import { PoolWallets } from '../../../../src/chain/pool/wallets/pool-wallets';
import { walletDocument } from '../../../../src/cli/pool-capacity.commands';
import { PoolAlarms } from '../../../../src/reconciliation/alarms/pool.alarms';
import { MetricsEndpoint } from '../../../../src/telemetry/metrics/metrics.endpoint';
import { expectChainTruth, untilSettled } from '../../../support/chain-truth';
import { type Answer, type Caller, OrderWorld } from '../../../support/order-world';
import { until } from '../../../support/until';

const STAKED_FOR_BANDWIDTH = 170_000_000;
const DAY_MS = 86_400_000;

/**
 * Staked bandwidth that is too little for any transaction, the free 600 bytes for two, and TRX for one: together they look like
 * enough for two orders and their reclaims once the first is out, and pay for one.
 */
describe('a wallet whose bandwidth and TRX are each a little', () => {
  let world: OrderWorld;
  let caller: Caller;
  const { address, privateKey } = utils.accounts.generateAccount();
  const key = privateKey.toLowerCase();
  beforeAll(async () => {
    world = await OrderWorld.open({ env: { METRICS_PORT: '0' } });
    caller = await world.caller();
    const balance = STAKED_FOR_BANDWIDTH + 320_000;
    const account = { address: address.base58, type: 'Normal', balance_sun: balance };
    await world.control('account', { ...account, staked_energy_sun: 70_000_000_000 });
    await freezeForBandwidth(STAKED_FOR_BANDWIDTH);
    // What the staking took of the free bytes has recovered.
    await world.control('clock', { ms: DAY_MS + 60_000 });
    await world.control('block', { count: 6 });
    // Until the follower has seen that, orders are signed as expired.
    await until('an order of the other wallet', async () => (await order()).status === 200);
    await world.app.app.get(PoolWallets).setState('pool', 'paused');
    await world.addKey('thin', address.base58, 'delegate', key);
    // The first may be one that began before the wallet was added.
    await until('a reading', async () => {
      await world.tryToReadWallets();
      return (await world.query(`select 1 from pool_wallets where name = 'thin' and delegable_sun > 0`))[0];
    });
  });
  afterAll(() => world.close());

  async function freezeForBandwidth(sun: number): Promise<void> {
    const tronWeb = new TronWeb({ fullHost: world.chain.url });
    const unsigned = await tronWeb.transactionBuilder.freezeBalanceV2(sun, 'BANDWIDTH', address.base58);
    const sent = await tronWeb.trx.sendRawTransaction(await tronWeb.trx.sign(unsigned, key));
    if (!sent.result) throw new Error(`refused: ${JSON.stringify(sent)}`);
    await until('the stake in a block', async () => {
      await world.control('block');
      return (await world.node('wallet/gettransactioninfobyid', { value: unsigned.txID }))['id'];
    });
  }

  const order = async (): Promise<Answer> =>
    world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 });
  const thin = async () => (await world.app.app.get(PoolWallets).list()).find(({ name }) => name === 'thin')!;

  it('takes no order that it could not take back', async () => {
    const [wallet] = await world.query(`select bandwidth, free_bandwidth from pool_wallets where name = 'thin'`);
    expect(wallet).toEqual({ bandwidth: 871n, free_bandwidth: 600n });
    const first = await order();
    expect(first.status).toBe(200);
    await world.untilState(first.headers.get('x-delegation-id')!, 'delegated');
    await world.app.app.get(Capacity).refresh();
    const metrics = await (await fetch(world.app.app.get(MetricsEndpoint).url!)).text();
    expect(metrics).toMatch(/^energy_pool_orders_paid\{.*wallet="thin".*\} 0$/m);
    const second = await order();
    expect([second.status, second.headers.get('x-error-code')]).toEqual([501, 'INSUFFICIENT_ENERGY']);
  });

  it('is shown as one that no order can be had from, and as one that fees are short at', async () => {
    expect(
      walletDocument(await thin(), { rate: world.app.app.get(Capacity).rate, marginPpm: 0n, chainTimeMs: 0 }),
    ).toMatchObject({ largest_order: 0 });
    const alarms = await world.app.app.get(PoolAlarms).read();
    expect(alarms).toContainEqual(expect.objectContaining({ kind: 'low_bandwidth', subject: 'thin' }));
  });

  it('takes back all that it has lent at its time', async () => {
    await world.control('clock', { ms: 3_600_000 });
    await until('everything taken back', async () => {
      await world.control('block');
      const lent = await world.query(`select 1 from delegations where state in ('delegated', 'reclaiming')`);
      return lent.length === 0;
    });
    const refused = await world.query(
      `select detail from delegation_events where kind = 'reclaim sent' and detail ->> 'outcome' <> 'accepted'`,
    );
    expect(refused).toEqual([]);
    await untilSettled(world.app.sql);
    await expectChainTruth(world);
  });

  it('still owes what it has paid for in a block that its reading does not know', async () => {
    await world.app.app.get(Capacity).refresh();
    const due = async (block: number) => {
      const as = `select *, ${block} as observed_block from pool_wallets`.replace(
        '*',
        'id, name, observed_at, bandwidth, free_bandwidth',
      );
      const [row] = await world.query(`select ${TRANSACTIONS_DUE} as due from (${as}) w where w.name = 'thin'`);
      return row!['due'];
    };
    const { id } = await thin();
    const [blocks] = await world.query(
      `select d.delegation_block as lent, t.block_number as back from delegations d
         join chain_transactions t on t.subject_id = d.id and t.purpose = 'reclaim' where d.wallet_id = $1`,
      [id],
    );
    const [lent, back] = [Number(blocks!['lent']), Number(blocks!['back'])];
    // A reading before the reclaim, and one that knows it.
    expect(lent).toBeLessThan(back);
    expect(await due(back - 1)).toBe(1n);
    expect(await due(back)).toBe(0n);
  });
});
