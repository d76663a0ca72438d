import { countOf, timeFor } from '../support/bar';
import { lendByHand, takeBackByHand } from '../support/by-hand';
import { HeldLock } from '../support/held-lock';
import type { NodeCall } from '../support/node-proxy';
import { until } from '../support/until';
import { CHARGED, type Due, refusedWith } from './fault-outcomes';
import { FaultWorld, type PlacedOrder } from './fault-world';
import { expectStakeReserved } from './reserved-stake';

const FULL = 50;
/** At each fault. */
const ORDERS = countOf(FULL, 1);
const AT_ONCE = Math.min(ORDERS, 10);
const ROUNDS = Math.ceil(ORDERS / AT_ONCE);
const BROADCAST = 'wallet/broadcasttransaction';
const ENERGY = 65_000;
/** By default, 0.1 % more is lent than the quoted weight asks for. */
const MARGIN = 1.001;

const dies: Due = {
  answers: ['success'],
  comes: ['never landed'],
};

function refusal(call: NodeCall, code: string, message: string): string {
  return JSON.stringify({ code, txid: call.body['txID'], message: Buffer.from(message).toString('hex') });
}

describe('a node, a chain or a stranger that goes wrong in other ways than by the answer to a first broadcast', () => {
  let faulty: FaultWorld;
  beforeAll(async () => {
    faulty = await FaultWorld.open();
  });
  afterAll(() => faulty.close());
  beforeEach(() => faulty.untilOrdersGoThrough());
  afterEach(() => faulty.end());

  /** Ten at a time, until there are as many as wanted. */
  async function inRounds(round: () => Promise<PlacedOrder[]>): Promise<PlacedOrder[]> {
    const placed: PlacedOrder[] = [];
    for (let one = 0; one < ROUNDS; one++) placed.push(...(await round()));
    return placed;
  }
  const placeSome = (kind: string, fields = {}) => faulty.placeMany(kind, AT_ONCE, fields);
  const idsOf = (orders: readonly PlacedOrder[]) => orders.map(({ id }) => id);
  const txIdsOf = async (orders: readonly PlacedOrder[]) => {
    const text = `select tx_id from chain_transactions where purpose = 'delegation' and subject_id = any($1)`;
    return (await faulty.world.query(text, [idsOf(orders)])).map((row) => String(row['tx_id']));
  };
  const slow = (each: number) => timeFor(ORDERS, each);

  it(
    'charges nothing for what is committed when the node begins to refuse connections',
    async () => {
      const kind = 'connection refused';
      const placed = await inRounds(async () => {
        const { world, proxy, instance } = faulty;
        const lock = await HeldLock.take(world.database.url, 'select 1 from pool_wallets for update');
        const before = proxy.answered('wallet/getaccount');
        const placing = placeSome(kind);
        const areChecked = async () => proxy.answered('wallet/getaccount') >= before + AT_ONCE;
        await until('every receiver checked', areChecked);
        await proxy.refuse();
        // Once it answers, it has seen that the connections it kept are closed: a call on one of them would end in a reset, which proves nothing.
        expect((await fetch(`${instance.url}/health/live`)).status).toBe(200);
        await lock.release();
        const orders = await placing;
        await proxy.listen();
        await faulty.untilOrdersGoThrough();
        return orders;
      });
      // It met them all: committed, refused by no node, and on no way to the chain.
      const txIds = await txIdsOf(placed);
      expect(txIds).toHaveLength(placed.length);
      expect(txIds.filter((txId) => faulty.sent.has(txId))).toEqual([]);
      const refused = await faulty.world.query(
        `select distinct delegation_id from delegation_events
          where delegation_id = any($1) and kind = 'delegation sent' and detail::text like '%ECONNREFUSED%'`,
        [idsOf(placed)],
      );
      expect(refused).toHaveLength(placed.length);
      await expectStakeReserved(faulty.world);
      await faulty.settle();
      await faulty.expectEnds({ [kind]: refusedWith('NODE_UNAVAILABLE') }, FULL);
    },
    slow(5_000),
  );

  /** `Transaction already exists.` comes from a cache that is filled before a node checks anything; `Dup transaction.` from its pool and its chain. */
  const seenOrNot: Due = {
    answers: ['success', 'OUTCOME_UNKNOWN'],
    comes: ['charged', 'taken back'],
    because:
      'charged if it is seen in a block within the time of the answer, else answered with a failure and taken back',
  };
  it.each([
    ['Transaction already exists.', false, refusedWith('OUTCOME_UNKNOWN')],
    ['Transaction already exists.', true, { ...seenOrNot, mostly: 'charged' } satisfies Due],
    ['Dup transaction.', false, dies],
    ['Dup transaction.', true, CHARGED],
  ])(
    'is not misled by "%s" for bytes that were refused before, whether the node has them (%s)',
    async (message, isThere, due) => {
      const kind = `refused, then "${message}", ${isThere ? 'taken' : 'not taken'}`;
      const { world, proxy } = faulty;
      const sendings = new Map<string, number>();
      const isDelegation = ({ route, body }: NodeCall) =>
        route === BROADCAST && JSON.stringify(body).includes('"DelegateResourceContract"');
      const say = (call: NodeCall): string => {
        const txId = String(call.body['txID']);
        sendings.set(txId, (sendings.get(txId) ?? 0) + 1);
        return sendings.get(txId) === 1
          ? refusal(call, 'TAPOS_ERROR', 'Tapos check error.')
          : refusal(call, 'DUP_TRANSACTION_ERROR', message);
      };
      if (isThere) proxy.after = (call, answer) => (isDelegation(call) ? say(call) : answer);
      else proxy.answers = (call) => (isDelegation(call) ? say(call) : undefined);
      // Behind an activation a delegation names a block of the head: a node that refuses it may lack that block, and gets it again.
      await world.stopFinality();
      const placed = await inRounds(() => placeSome(kind, { activate_address: true }));
      await world.resumeFinality();
      const again = (await txIdsOf(placed)).filter((txId) => (sendings.get(txId) ?? 0) > 1);
      expect([kind, again.length]).toEqual([kind, placed.length]);
      await expectStakeReserved(world);
      await faulty.settle();
      await faulty.expectEnds({ [kind]: due }, FULL);
    },
    slow(5_000),
  );

  it(
    'charges what is final while the solid view lags behind it, and keeps the stake that the view does not show yet',
    async () => {
      const kind = 'solidity node that lags';
      const { world } = faulty;
      await world.control('solid-lag', { blocks: 1_000 });
      const placed = await inRounds(() => placeSome(kind));
      const areCharged = `select 1 from delegations d join pool_wallets w on w.id = d.wallet_id
                           where d.id = any($1) and d.state = 'delegated' and d.delegation_block > w.observed_block`;
      const all = async () => (await world.query(areCharged, [idsOf(placed)])).length === placed.length;
      await until('all charged, none of them in the reading of its wallet', all);
      await expectStakeReserved(world);
      await world.control('solid-lag');
      await faulty.settle();
      await faulty.expectEnds({ [kind]: CHARGED }, FULL);
    },
    slow(3_000),
  );

  /** Drops the blocks that these are in. */
  async function dropBlocks(orders: readonly PlacedOrder[], isKept: boolean): Promise<void> {
    const txIds = await txIdsOf(orders);
    const heights = async () => {
      const { transactions } = await faulty.chainState();
      return transactions.filter(({ txID }) => txIds.includes(txID)).map(({ blockNumber }) => blockNumber);
    };
    await until('all in blocks', async () => (await heights()).length === orders.length);
    await faulty.world.control('fork', { from: Math.min(...(await heights())), keep: isKept ? txIds : [] });
    // Or the follower never sees that another branch has won.
    await faulty.world.control('block', { count: 20 });
  }

  it.each([
    ['kept pending', CHARGED],
    ['lost, and sent again', CHARGED],
    ['lost for good', dies],
  ])(
    'charges what is final in the end when a fork drops the blocks of orders that were answered: %s',
    async (end, due) => {
      const kind = `fork, ${end}`;
      const { world } = faulty;
      const placed = await inRounds(async () => {
        await world.stopFinality();
        const orders = await placeSome(kind);
        expect(orders.map(({ status }) => status)).toEqual(orders.map(() => 200));
        await world.untilRow(
          `select 1 where (select count(*) from delegations where id = any($1) and state = 'included') = $2::integer`,
          [idsOf(orders), orders.length],
        );
        if (end === 'lost for good') await world.control('fault', { route: BROADCAST, kind: 'busy', count: 100_000 });
        await dropBlocks(orders, end === 'kept pending');
        await world.resumeFinality();
        if (end === 'lost for good') {
          await expectStakeReserved(world);
          await faulty.settle();
          await world.control('fault', { route: BROADCAST, kind: 'none' });
          await faulty.untilOrdersGoThrough();
        } else await untilFinal(orders);
        return orders;
      });
      expect(placed).toHaveLength(ROUNDS * AT_ONCE);
      await faulty.settle();
      await faulty.expectEnds({ [kind]: due }, FULL);
    },
    slow(5_000),
  );

  /** What a node lost is sent again six seconds after it was sent last. */
  async function untilFinal(orders: readonly PlacedOrder[]): Promise<void> {
    const { world } = faulty;
    const text = `select 1 from delegations where id = any($1) and state = 'delegated'`;
    await until('all final', async () => {
      await world.query(
        `update chain_transactions set last_sent_at = last_sent_at - interval '10 seconds' where state = 'sent' returning 1`,
      );
      return (await world.query(text, [idsOf(orders)])).length === orders.length;
    });
  }

  it.each([
    ['within the margin', 1.0009, ENERGY],
    ['beyond the margin', 1.02, Math.floor((ENERGY * MARGIN) / 1.02)],
  ])(
    'delegates what was charged for when the network’s stake grows between the quote and the block: %s',
    async (extent, growth, least) => {
      const kind = `TotalEnergyWeight drifts, ${extent}`;
      const { world } = faulty;
      const address = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
      const resources = await world.node('wallet/getaccountresource', { address, visible: true });
      const weight = Number(resources['TotalEnergyWeight']);
      await inRounds(async () => {
        let [waiting, goOn] = [0, (): void => undefined];
        const held = new Promise<void>((resolve) => (goOn = resolve));
        faulty.onBroadcast = ({ purpose }) => (purpose === 'delegation' ? (waiting++, held) : undefined);
        const placing = placeSome(kind);
        await until('all on their way to the node', async () => waiting >= AT_ONCE);
        await world.control('weight', { energy_trx: Math.floor(weight * growth) });
        goOn();
        const orders = await placing;
        await untilFinal(orders);
        const lent = await Promise.all(orders.map(({ receiver }) => world.energyOf(receiver)));
        expect({ kind, short: lent.filter((energy) => energy < least) }).toEqual({ kind, short: [] });
        await world.control('weight', { energy_trx: weight });
        return orders;
      });
      await faulty.settle();
      await faulty.expectEnds({ [kind]: CHARGED }, FULL);
    },
    slow(3_000),
  );

  it(
    'charges nothing for stake that another holder of the key has delegated before the broadcast',
    async () => {
      const kind = 'stake delegated by another holder of the key';
      const { world } = faulty;
      const owner = world.chain.accounts.find(({ role }) => role === 'pool')!.address;
      const ofOthers: string[] = [];
      await inRounds(async () => {
        // No reading shows it until it is final.
        await world.stopFinality();
        const friend = await world.receiver();
        const { max_size: sun } = await world.node('wallet/getcandelegatedmaxsize', {
          owner_address: owner,
          type: 1,
          visible: true,
        });
        const lending = lendByHand(world, friend, BigInt(String(sun)));
        await until('it is lent', async () => (await world.energyOf(friend)) > 0);
        const orders = await placeSome(kind);
        await world.resumeFinality();
        ofOthers.push(await lending);
        await takeBackByHand(world, friend, BigInt(String(sun)));
        await faulty.untilOrdersGoThrough();
        return orders;
      });
      await expectStakeReserved(world);
      await faulty.settle();
      await faulty.expectEnds({ [kind]: refusedWith('INSUFFICIENT_ENERGY') }, FULL, ofOthers);
    },
    slow(5_000),
  );
});
