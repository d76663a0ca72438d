import { countOf, record, timeFor } from '../support/bar';
import { expectChainTruth, untilSettled } from '../support/chain-truth';
import { NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';

const FULL = 50;
/** At each fault. */
const ORDERS = countOf(FULL, 1);
const AT_ONCE = Math.min(ORDERS, 10);
const ROUNDS = Math.ceil(ORDERS / AT_ONCE);
const BROADCAST = 'wallet/broadcasttransaction';

/** Every code of a broadcast, and every way in which an answer can be missing or none. */
const CODES = `
  SIGERROR CONTRACT_VALIDATE_ERROR CONTRACT_EXE_ERROR BANDWITH_ERROR DUP_TRANSACTION_ERROR TAPOS_ERROR
  TOO_BIG_TRANSACTION_ERROR TRANSACTION_EXPIRATION_ERROR SERVER_BUSY NO_CONNECTION BLOCK_UNSOLIDIFIED
  NOT_ENOUGH_EFFECTIVE_CONNECTION OTHER_ERROR`
  .trim()
  .split(/\s+/);
/** With every change those that leave the node in use; the others set it aside for a while, as specs of their own have it (test/chain/node). */
const LINES = ORDERS > 1 ? ['timeout', 'reset', 'cut', 'html', '500', '503', '429', 'rate-limited'] : ['reset', 'html'];
/** With `pool-then-` the node takes the transaction first. The last two keep it away for 30 s. */
const FAULTS = [
  ...[...CODES, 'dup', ...LINES].flatMap((kind) => [kind, `pool-then-${kind}`]),
  'p2p-failed',
  'accept-then-drop',
  ...(ORDERS > 1 ? ['403', 'pool-then-403'] : []),
];

describe('a node that answers a broadcast in any wrong way, whether it has taken the transaction or not', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  /** By txid: the fault that its first broadcast met. */
  const met = new Map<string, string>();
  let fault = 'none';
  beforeAll(async () => {
    world = await OrderWorld.open({
      block: 150,
      backgroundWork: false,
      env: { ANSWER_TIMEOUT: '500ms', RECONCILE_EVERY: '24h' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    proxy.before = ({ route, body }) => {
      if (route !== BROADCAST || met.has(String(body['txID']))) return;
      met.set(String(body['txID']), fault);
    };
  }, 120_000);
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  it(
    'leaves rows that say what the chain shows, one signature for each order, and no charge for nothing',
    async () => {
      const instance = await world.startProcess();
      const place = async () => {
        const caller = await world.caller({ balance: 3 });
        return world.delegate(caller, { receiver_address: await world.receiver(), amount: 1 }, {}, instance);
      };
      /** A wallet that was refused for what may be its own fault rests; here it goes on. */
      const wake = () => world.query(`update pool_wallets set refusals = 0, resting_until = null returning 1`);
      const countMet = () => [...met.values()].filter((one) => one === fault).length;
      for (let round = 1; round <= ROUNDS; round++) {
        for (const kind of FAULTS) {
          // A node that was away is left alone for a while; one that answered is not.
          if (!fault.endsWith('ERROR')) {
            fault = 'none';
            await until('an order goes through', async () => (await wake(), (await place()).status === 200), 120_000);
          }
          fault = kind;
          await world.control('fault', { route: BROADCAST, kind, count: 100_000 });
          const enough = async () => {
            const missing = Math.min(ORDERS, round * AT_ONCE) - countMet();
            await wake();
            await Promise.all(Array.from({ length: Math.max(0, missing) }, place));
            return countMet() >= Math.min(ORDERS, round * AT_ONCE);
          };
          // As many times 30 s as there are orders, when the node is left alone after each.
          await until(`enough orders at ${kind}`, enough, 60_000 * AT_ONCE);
          await world.control('fault', { route: BROADCAST, kind: 'none' });
        }
        await wake();
        await world.control('clock', { ms: 61_000 });
        await untilSettled(world.app.sql, 300_000);
        const orders = await expectChainTruth(world);
        const twice = `select delegation_id from chain_transactions where purpose = 'delegation' group by 1 having count(*) > 1`;
        expect(await world.query(twice)).toEqual([]);
        if (round < ROUNDS) continue;
        for (const kind of FAULTS) {
          const of = orders.filter(({ tx_id: txId }) => met.get(txId ?? '') === kind);
          const charged = of.filter(({ hold }) => hold === 'taken').length;
          expect([kind, of.length >= ORDERS]).toEqual([kind, true]);
          const seen = `${kind}: ${charged} landed and charged, ${of.length - charged} not charged, none signed twice`;
          record(5, 'orders at each fault', of.length, FULL, seen);
        }
      }
    },
    timeFor(FAULTS.length * ROUNDS, 20_000),
  );
});
