import { expectActivationTruth } from '../support/activation-truth';
import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { committedPurpose } from '../support/committed-bytes';
import { NodeProxy } from '../support/node-proxy';
import { type Caller, OrderWorld } from '../support/order-world';
import type { ServiceChild } from '../support/service-child';
import { until } from '../support/until';

const FULL = 100_000;
/** Each order has two: its delegation and its undelegation; one that activates has one more. */
const TXIDS = countOf(FULL, 100);
const AT_ONCE = 20;
/** What one burns once the pool has no bandwidth left; it begins with TRX for some 40,000. */
const MOST_FEE_SUN = 300_000;
/** Each tenth order has its receiver activated. */
const EACH_ACTIVATES = 10;
/** They take turns: of an account with several activations that came to nothing, more are refused. */
const ACTIVATORS = countOf(200, 5);
/** What one costs, fees and all. */
const ACTIVATION_SUN = 3_000_000;

describe('a node that refuses what is not committed', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  let instances: ServiceChild[];
  /** By txid. */
  const sent = new Map<string, string>();
  const uncommitted: string[] = [];
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 250,
      backgroundWork: false,
      env: { DELEGATION_ANSWER: 'accepted', RECLAIM_DELAY: '1s', RECLAIM_SWEEP: '250ms' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    const addressOf = (name: string) => world.chain.accounts.find(({ role }) => role === name)!.address;
    await world.control('account', { address: addressOf('pool'), balance_sun: TXIDS * MOST_FEE_SUN * 2 });
    await world.control('account', { address: addressOf('activate'), balance_sun: TXIDS * ACTIVATION_SUN });
    // Asked on a connection of the test's own: what an open transaction has written is not there.
    proxy.before = async ({ route, body }) => {
      if (route !== 'wallet/broadcasttransaction') return;
      const txId = String(body['txID']);
      const purpose = await committedPurpose((text, values) => world.query(text, values), body);
      sent.set(txId, purpose ?? 'none');
      if (purpose !== null) return;
      const [row] = await world.query(
        `select purpose, state, resend, raw_data is null as without_bytes, block_number from chain_transactions where tx_id = $1`,
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
      const activators = await Promise.all(Array.from({ length: ACTIVATORS }, () => world.caller({ balance: TXIDS })));
      let [taken, orders] = [Date.now(), 0];
      const order = async (caller: Caller, at: number) => {
        const receiver = await world.receiver();
        for (let count = 0; sent.size < TXIDS; count++) {
          const instance = instances[(at + count) % 2]!;
          orders += 1;
          const activates = orders % EACH_ACTIVATES === 0;
          const to = activates ? await world.receiver(false) : receiver;
          const payer = activates ? activators[(orders / EACH_ACTIVATES) % ACTIVATORS]! : caller;
          const body = { receiver_address: to, amount: 1, activate_address: activates };
          // One that finds no free stake waits for what is being taken back; a busy machine's node may be too slow for it.
          const { headers } = await world.delegate(payer, body, {}, instance);
          const code = headers.get('x-error-code') ?? 'none';
          if (code === 'none') taken = Date.now();
          if (Date.now() - taken > 60_000) throw new Error(`no order was taken for a minute: ${code}`);
          const isTold = ['none', 'INSUFFICIENT_ENERGY', 'NODE_UNAVAILABLE'].includes(code);
          // An activation is waited for, and its wallet read: on a busy machine either can be late.
          if (!isTold && !(activates && ['ACTIVATION_UNAVAILABLE', 'OUTCOME_UNKNOWN'].includes(code)))
            throw new Error(`${code}:\n${instance.stdout.slice(-5_000)}`);
        }
      };
      await Promise.all(callers.map(order));
      await until(
        'everything taken back',
        async () =>
          (await world.query(`select 1 from delegations where state not in ('reclaimed', 'failed')`)).length === 0,
      );
      await untilSettled(world.app.sql);
      expect(uncommitted).toEqual([]);
      const settled = await expectChainTruth(world);
      const activated = await expectActivationTruth(world);
      const purposes = [...sent.values()];
      const of = (purpose: string) => purposes.filter((one) => one === purpose).length;
      expect(activated).toBeGreaterThan(settled.length / EACH_ACTIVATES / 5);
      expect(of('activation')).toBeGreaterThanOrEqual(activated);
      const seen = `${uncommitted.length} not committed, of ${of('delegation')} delegations, ${of('reclaim')} undelegations and ${of('activation')} activations; ${settled.length} orders on two instances`;
      record(3, 'txids', sent.size, FULL, seen);
    },
    timeFor(TXIDS, 200),
  );
});
