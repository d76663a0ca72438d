import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { NodeProxy } from '../support/node-proxy';
import { type Caller, OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

const FULL = 100_000;
/** Each order has two: its delegation and its undelegation. */
const TXIDS = countOf(FULL, 100);
const AT_ONCE = 20;
/** What one burns once the pool has no bandwidth left; it begins with TRX for some 40,000. */
const MOST_FEE_SUN = 300_000;

describe('a node that refuses what is not committed', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let instances: ServiceChild[];
  const sent = new Set<string>();
  const uncommitted: string[] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      backgroundWork: false,
      env: { DELEGATION_ANSWER: 'accepted', RECLAIM_DELAY: '1s', RECLAIM_SWEEP: '250ms' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    const { address } = world.chain.accounts.find(({ role }) => role === 'pool')!;
    await world.control('account', { address, balance_sun: TXIDS * MOST_FEE_SUN * 2 });
    // Asked on a connection of the test's own: what an open transaction has written is not there. Of what is final the signature is not kept.
    proxy.before = async ({ route, body }) => {
      if (route !== 'wallet/broadcasttransaction') return;
      const txId = String(body['txID']);
      const rows = await world.query(
        `select 1 from chain_transactions
          where tx_id = $1 and raw_data_bytes = decode($2, 'hex') and (signature_bytes = decode($3, 'hex') or state = 'final')`,
        [txId, body['raw_data_hex'], (body['signature'] as string[])[0]],
      );
      sent.add(txId);
      if (rows.length > 0) return;
      const [row] = await world.query(
        `select purpose, state, resend, raw_data_bytes is null as without_bytes, block_number from chain_transactions where tx_id = $1`,
        [txId],
      );
      uncommitted.push(`${txId} ${row ? Object.values(row).join(' ') : 'no row'}`);
      throw new Error('not committed');
    };
    const env = { LOG_LEVEL: 'error' };
    instances = [await world.startProcess(env), await world.startProcess(env)];
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  it(
    'refuses nothing of two instances that order and take back at once',
    async () => {
      const callers = await Promise.all(Array.from({ length: AT_ONCE }, () => world.caller({ balance: TXIDS * 3 })));
      let taken = Date.now();
      const order = async (caller: Caller, at: number) => {
        const receiver = await world.receiver();
        for (let count = 0; sent.size < TXIDS; count++) {
          const instance = instances[(at + count) % 2]!;
          // One that finds no free stake waits for what is being taken back; a busy machine's node may be too slow for it.
          const { headers } = await world.delegate(caller, { receiver_address: receiver, amount: 1 }, {}, instance);
          const code = headers.get('x-error-code') ?? 'none';
          if (code === 'none') taken = Date.now();
          if (Date.now() - taken > 60_000) throw new Error(`no order was taken for a minute: ${code}`);
          if (!['none', 'INSUFFICIENT_ENERGY', 'NODE_UNAVAILABLE'].includes(code))
            throw new Error(`${code}:\n${instance.stdout.slice(-5_000)}`);
        }
      };
      await Promise.all(callers.map(order));
      await until(
        'everything taken back',
        async () =>
          (await world.query(`select 1 from delegations where state not in ('reclaimed', 'failed')`)).length === 0,
        120_000,
      );
      await untilSettled(world.app.sql, 120_000);
      expect(uncommitted).toEqual([]);
      const orders = await expectChainTruth(world);
      record(
        3,
        'txids',
        sent.size,
        FULL,
        `${uncommitted.length} not committed; ${orders.length} orders on two instances`,
      );
    },
    timeFor(TXIDS, 200),
  );
});
