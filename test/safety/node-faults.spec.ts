import { countOf, timeFor } from '../support/bar';
import { untilSettled } from '../support/chain-truth';
import { NodeProxy } from '../support/node-proxy';
import { OrderWorld } from '../support/order-world';
import { until } from '../support/until';
import { KeptAnswers } from './ended-orders';
import { DUE, expectDue } from './fault-outcomes';
import { expectStakeReserved } from './reserved-stake';
import { SentTransactions } from './sent-transactions';

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
/** With every change those that leave the node in use; the others set it aside for a while, as specs of their own have it (test/chain/tron/node). */
const LINES =
  ORDERS > 1
    ? ['timeout', 'reset', 'cut', 'html', 'html-429', '500', '503', '429', 'rate-limited']
    : ['reset', 'cut', 'html'];
/** A gateway's refusal: the instance that meets it asks for nothing for 30 s. */
const PAUSES = ORDERS > 1 ? ['403', 'html-403'].flatMap((kind) => [kind, `pool-then-${kind}`]) : [];
/** With `pool-then-` the node takes the transaction first. */
const FAULTS = [
  ...[...CODES, 'dup', ...LINES].flatMap((kind) => [kind, `pool-then-${kind}`]),
  'p2p-failed',
  'accept-then-drop',
  ...PAUSES,
];

/** The chain takes the transaction, whatever it answers. */
const isTaken = (kind: string) => kind.startsWith('pool-then-') || ['p2p-failed', 'accept-then-drop'].includes(kind);

interface ChainState {
  readonly pending: string[];
  readonly transactions: { readonly txID: string }[];
}

describe('a node that answers a broadcast in any wrong way, whether it has taken the transaction or not', () => {
  let world: OrderWorld;
  let proxy: NodeProxy;
  const answers = new KeptAnswers();
  const sentToNode = new SentTransactions();
  /** By txid: the fault that its first broadcast met. */
  const met = new Map<string, string>();
  /** By txid: the node has said that it took it. */
  const accepted = new Set<string>();
  let fault = 'none';
  /** Those of earlier rounds: what was not taken then may have landed since, when it was sent again. */
  let metBefore: ReadonlySet<string> = new Set();
  beforeAll(async () => {
    world = await OrderWorld.open({
      time: 'virtual',
      block: 150,
      // Left to find out what a node bears that refuses for the number of calls, it would ask less often than blocks come here.
      env: { ANSWER_TIMEOUT: '500ms', RECONCILE_EVERY: '24h', NODE_CALLS_PER_SECOND: '1000' },
      nodeUrl: (url) => (proxy = new NodeProxy(url)).open(),
    });
    proxy.before = (call) => {
      const sent = sentToNode.note(call);
      // Reclaims are sent meanwhile too.
      if (sent?.purpose === 'delegation' && !met.has(sent.txId)) met.set(sent.txId, fault);
    };
    proxy.after = ({ route, body }, answer) => {
      if (route === BROADCAST && answer.includes('"result":true')) accepted.add(String(body['txID']));
      return answer;
    };
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  async function chainState(): Promise<ChainState> {
    return (await (await fetch(`${world.chain.url}/control/state`)).json()) as ChainState;
  }

  /** But for those whose turn at the node did not come in time: once their caller was told of a failure, they are never sent. */
  async function allSent(): Promise<boolean> {
    const rows = await world.query(
      `select tx_id from chain_transactions t join delegations d on d.id = t.subject_id
        where purpose = 'delegation' and answer <> 'failure'`,
    );
    return rows.every((row) => met.has(String(row['tx_id'])));
  }

  /** The fault did what it is named for; otherwise half of the cases would show nothing. */
  async function expectTakenOrNot(): Promise<void> {
    const sent = [...met.keys()].filter((txId) => met.get(txId) === fault && !metBefore.has(txId));
    const taken = new Set<string>();
    if (fault === 'accept-then-drop') {
      // Dropped with the next block, perhaps before anybody looks.
      await until(`all taken at ${fault}`, () => Promise.resolve(sent.every((txId) => accepted.has(txId))));
      const { transactions } = await chainState();
      expect(transactions.filter(({ txID }) => sent.includes(txID))).toEqual([]);
      return;
    }
    const countTaken = async () => {
      const { pending, transactions } = await chainState();
      for (const txId of [...pending, ...transactions.map(({ txID }) => txID)]) taken.add(txId);
      return sent.filter((txId) => taken.has(txId)).length;
    };
    if (isTaken(fault)) await until(`all taken at ${fault}`, async () => (await countTaken()) === sent.length);
    else expect([fault, await countTaken()]).toEqual([fault, 0]);
  }

  it(
    'is answered as the rows say, and billed as answered and as the chain shows; each order is signed once, its stake reserved until then',
    async () => {
      const instances = [world.app];
      let placed = 0;
      const place = async () => {
        const caller = await world.caller({ balance: 3 });
        const instance = instances[placed++ % instances.length];
        const body = { receiver_address: await world.receiver(), amount: 1 };
        const answer = await world.delegate(caller, body, {}, instance);
        answers.keep(answer);
        return answer;
      };
      /** A wallet that was refused for what may be its own fault rests; here it goes on. */
      const wake = () => world.query(`update pool_wallets set refusals = 0, resting_until = null returning 1`);
      const countMet = () => [...met.values()].filter((one) => one === fault).length;
      for (let round = 1; round <= ROUNDS; round++) {
        for (const kind of FAULTS) {
          // A node that was away is left alone for a while; one that answered is not.
          if (!fault.endsWith('ERROR')) {
            const before = fault;
            fault = 'none';
            const goesThrough = async () => (await wake(), (await place()).status === 200);
            await until(`an order goes through after ${before}`, goesThrough);
          }
          // One instance would meet one order in 30 s.
          while (PAUSES.includes(kind) && instances.length < AT_ONCE) instances.push(await world.startInstance());
          // One that is late would count for the wrong fault.
          await until(`every order sent once before ${kind}`, allSent);
          fault = kind;
          metBefore = new Set(met.keys());
          await world.control('fault', { route: BROADCAST, kind, count: 100_000 });
          const enough = async () => {
            const missing = Math.min(ORDERS, round * AT_ONCE) - countMet();
            await wake();
            await Promise.all(Array.from({ length: Math.max(0, missing) }, place));
            return countMet() >= Math.min(ORDERS, round * AT_ONCE);
          };
          // As many times 30 s as there are orders, when the node is left alone after each.
          await until(`enough orders at ${kind}`, enough, 60_000 * AT_ONCE);
          await until(`every order sent once at ${kind}`, allSent);
          await expectTakenOrNot();
          const open = await expectStakeReserved(world);
          if (!isTaken(kind)) expect([kind, open > 0]).toEqual([kind, true]);
          await world.control('fault', { route: BROADCAST, kind: 'none' });
        }
        await Promise.all(instances.splice(1).map((instance) => world.stopInstance(instance)));
        await wake();
        // A reclaim that met one fault after the other waits for up to ten minutes.
        await world.query(
          'update delegations set next_attempt_at = null where next_attempt_at is not null returning 1',
        );
        await world.control('clock', { ms: 61_000 });
        await untilSettled(world.app.sql, 300_000);
        const orders = await answers.expectToStand(world);
        await sentToNode.expectOfRows(world);
        if (round < ROUNDS) continue;
        for (const kind of FAULTS) {
          const of = orders.filter(({ txId }) => met.get(txId) === kind);
          expect([kind, of.length >= ORDERS]).toEqual([kind, true]);
          expectDue(kind, of, DUE[kind]!, FULL);
        }
      }
    },
    timeFor(FAULTS.length * ROUNDS, 20_000),
  );
});
