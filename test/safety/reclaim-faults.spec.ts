import { TronWeb } from 'tronweb';
import { FindingRepository } from '../../src/findings/finding.repository';
import { countOf, timeFor } from '../support/bar';
import { takeBackByHand } from '../support/by-hand';
import { until } from '../support/until';
import type { EndedOrder } from './ended-orders';
import { CHARGED, expectDue } from './fault-outcomes';
import { FaultWorld, type PlacedOrder } from './fault-world';

const FULL = 50;
/** At each fault. */
const ORDERS = countOf(FULL, 1);
const AT_ONCE = 10;
const BROADCAST = 'wallet/broadcasttransaction';
/** So long that no order's hour comes by itself. */
const ENV = { RECLAIM_DELAY: '24h', RECLAIM_SWEEP: '200ms' };

/** Those of a wallet's own fault, and time-outs, take their time. */
const SLOW = [
  'SIGERROR',
  'BANDWITH_ERROR',
  'timeout',
  'pool-then-timeout',
  'cut',
  'pool-then-cut',
  '500',
  'pool-then-500',
];
const MET = [
  'SERVER_BUSY',
  'pool-then-SERVER_BUSY',
  'CONTRACT_VALIDATE_ERROR',
  'OTHER_ERROR',
  'DUP_TRANSACTION_ERROR',
  'dup',
  'pool-then-dup',
  'p2p-failed',
  'accept-then-drop',
  'reset',
  'pool-then-reset',
  ...(ORDERS > 1 ? SLOW : []),
];
/** The same bytes never land, and others are signed once that is proved. */
const OUTLASTING = ['SERVER_BUSY', 'accept-then-drop'];
const FAULTS = [...MET.map((kind) => ({ kind, lasts: false })), ...OUTLASTING.map((kind) => ({ kind, lasts: true }))];
const nameOf = ({ kind, lasts }: (typeof FAULTS)[number]) => `reclaim, ${kind}${lasts ? ' until it expired' : ''}`;
const isTaken = (kind: string) => kind.startsWith('pool-then-') || kind === 'p2p-failed';

describe('a reclaim whose broadcast goes wrong', () => {
  let faulty: FaultWorld;
  const lent = new Map<string, PlacedOrder[]>();
  const sentReclaims = new Set<string>();
  beforeAll(async () => {
    faulty = await FaultWorld.open(ENV);
  });
  beforeAll(
    async () => {
      faulty.onBroadcast = ({ txId, purpose }) => {
        if (purpose === 'reclaim') sentReclaims.add(txId);
      };
      await faulty.untilOrdersGoThrough();
      const wanted = FAULTS.flatMap((fault) => Array.from({ length: ORDERS }, () => nameOf(fault)));
      while (wanted.length > 0) {
        const names = wanted.splice(0, AT_ONCE);
        const placed = await Promise.all(names.map((name) => faulty.placeTaken(name)));
        names.forEach((name, at) => lent.set(name, [...(lent.get(name) ?? []), placed[at]!]));
      }
      await untilIn('delegated', [...lent.values()].flat());
    },
    timeFor(FAULTS.length * ORDERS, 5_000),
  );
  afterAll(() => faulty.close());
  // The clock was put forward behind the test before: what is signed by a time that the follower has not seen pass has expired already.
  beforeEach(() => faulty.untilOrdersGoThrough());
  // A test that fails leaves its fault to no other.
  afterEach(() => faulty.world.control('fault', { route: BROADCAST, kind: 'none' }));

  async function placeAll(kind: string): Promise<PlacedOrder[]> {
    const placed: PlacedOrder[] = [];
    while (placed.length < ORDERS) {
      const some = Array.from({ length: Math.min(AT_ONCE, ORDERS - placed.length) }, () => faulty.placeTaken(kind));
      placed.push(...(await Promise.all(some)));
    }
    return placed;
  }

  const idsOf = (orders: readonly PlacedOrder[]) => orders.map(({ id }) => id);
  const countOfRows = async (text: string, orders: readonly PlacedOrder[], ...values: unknown[]) =>
    (await faulty.world.query(text, [idsOf(orders), ...values])).length;

  async function untilIn(state: string, orders: readonly PlacedOrder[]): Promise<void> {
    const text = `select 1 from delegations where id = any($1) and state = $2`;
    await until(`all ${state}`, async () => {
      await faulty.forgetWaits();
      await faulty.world.query(
        `update chain_transactions set last_sent_at = last_sent_at - interval '10 seconds'
            where state in ('saved', 'sent') and purpose = 'reclaim' returning 1`,
      );
      return (await countOfRows(text, orders, state)) === orders.length;
    });
  }

  const makeDue = (orders: readonly PlacedOrder[]) =>
    faulty.world.query(
      `update delegations set reclaim_due_at = now() - interval '1 day' where id = any($1) returning 1`,
      [idsOf(orders)],
    );

  /** A reclaim of each has been sent, and what the node said is in its order's history. One that has died meanwhile has met it too. */
  async function untilMet(orders: readonly PlacedOrder[]): Promise<void> {
    const text = `select distinct t.subject_id from chain_transactions t
                    join delegation_events e on e.delegation_id = t.subject_id and e.detail ->> 'tx' = t.id::text
                   where t.subject_id = any($1) and e.kind = 'reclaim sent' and t.tx_id = any($2)`;
    const areMet = async () => {
      await faulty.forgetWaits();
      return (await countOfRows(text, orders, [...sentReclaims])) === orders.length;
    };
    await until('every reclaim has met it', areMet, timeFor(ORDERS, 3_000));
  }

  /** The fault did what it is named for; and stake counts for no wallet until a block proves that it is back. */
  async function expectTakenOrNot(kind: string, orders: readonly PlacedOrder[]): Promise<void> {
    const text = `select t.tx_id, t.state as tx_state, d.state from chain_transactions t join delegations d on d.id = t.subject_id
                   where d.id = any($1) and t.purpose = 'reclaim'`;
    const rows = await faulty.world.query(text, [idsOf(orders)]);
    const ofThese = new Set(rows.map((row) => String(row['tx_id'])));
    const { pending, transactions } = await faulty.chainState();
    const inBlocks = transactions.filter(({ txID }) => ofThese.has(txID));
    if (!isTaken(kind)) {
      expect([kind, inBlocks]).toEqual([kind, []]);
      expect([kind, rows.filter(({ state }) => state !== 'reclaiming')]).toEqual([kind, []]);
    } else {
      const taken = new Set([...inBlocks.map(({ txID }) => txID), ...pending.filter((txId) => ofThese.has(txId))]);
      expect([kind, taken.size >= orders.length]).toEqual([kind, true]);
    }
    const early = rows.filter((row) => row['state'] === 'reclaimed' && row['tx_state'] !== 'final');
    expect([kind, early]).toEqual([kind, []]);
  }

  it.each(FAULTS.map((fault) => [nameOf(fault), fault] as const))(
    '%s: the stake comes back once, all of it, and the charge stands',
    async (name, { kind, lasts }) => {
      const orders = lent.get(name)!;
      await faulty.world.control('fault', { route: BROADCAST, kind, count: 100_000 });
      await makeDue(orders);
      await untilMet(orders);
      await expectTakenOrNot(kind, orders);
      if (lasts) {
        await faulty.world.control('clock', { ms: 61_000 });
        const dead = `select distinct subject_id from chain_transactions where subject_id = any($1) and purpose = 'reclaim' and state = 'dead'`;
        await until('all dead', async () => (await countOfRows(dead, orders)) === orders.length);
      }
      await faulty.world.control('fault', { route: BROADCAST, kind: 'none' });
      await untilIn('reclaimed', orders);
      await faulty.settle();
      const ended = faulty.ofKind(await faulty.expectEnds({}, FULL), name);
      const again = await expectBackOnce(ended);
      if (lasts) expect(again).toBe(orders.length);
      expectDue(
        name,
        ended,
        CHARGED,
        FULL,
        `; each taken back once, ${again} by a second signature after the first had died`,
      );
    },
    timeFor(ORDERS, 5_000),
  );

  /** By the chain: one undelegation to each receiver, of exactly what was lent. How many were signed again, once that was no risk. */
  async function expectBackOnce(orders: readonly EndedOrder[]): Promise<number> {
    const { transactions } = await faulty.chainState();
    const back = new Map<string, bigint[]>();
    for (const { transaction } of transactions) {
      const [{ type, parameter }] = transaction.raw_data.contract as [UndelegationContract];
      if (type !== 'UnDelegateResourceContract') continue;
      const { receiver_address: to, balance } = parameter.value;
      back.set(to, [...(back.get(to) ?? []), BigInt(balance)]);
    }
    const lentTo = orders.map(({ receiver, stakeSun }) => [TronWeb.address.toHex(receiver), [stakeSun]] as const);
    expect(lentTo.map(([receiver]) => [receiver, back.get(receiver)])).toEqual(lentTo);
    const rows = await faulty.world.query(
      `select string_agg(state, ' ' order by id) as states from chain_transactions
        where purpose = 'reclaim' and subject_id = any($1) group by subject_id`,
      [orders.map(({ id }) => id)],
    );
    const states = rows.map((row) => String(row['states']));
    expect(states.filter((of) => !/^(dead )*final$/.test(of))).toEqual([]);
    const short = `select id from delegations where id = any($1) and (shortage_sun > 0 or state <> 'reclaimed')`;
    expect(await faulty.world.query(short, [orders.map(({ id }) => id)])).toEqual([]);
    return states.filter((of) => of !== 'final').length;
  }

  it(
    'stake that somebody else has taken back: each is charged, ends, and is found as a shortage of its own stake',
    async () => {
      const kind = 'reclaim, stake taken back by somebody else';
      const { world } = faulty;
      const orders = await placeAll(kind);
      await untilIn('delegated', orders);
      const stakes = await world.query('select receiver, stake_sun from delegations where id = any($1)', [
        idsOf(orders),
      ]);
      const taken: string[] = [];
      for (let at = 0; at < stakes.length; at += AT_ONCE) {
        const some = stakes.slice(at, at + AT_ONCE);
        const take = ({ receiver, stake_sun: sun }: (typeof some)[number]) =>
          takeBackByHand(world, String(receiver), sun as bigint);
        taken.push(...(await Promise.all(some.map(take))));
      }
      await makeDue(orders);
      const missed = `select id from delegations where id = any($1) and stake_missing`;
      await until('each missed', async () => (await countOfRows(missed, orders)) === orders.length);
      await world.control('clock', { ms: 61_000 });
      await untilIn('reclaimed', orders);
      const { findings } = await world.audit();
      const found = findings.map(({ kind: of, subject }) => `${of} ${subject}`);
      expect(found.toSorted()).toEqual(orders.map(({ id }) => `shortage delegation ${id}`).toSorted());
      const whole = `select id from delegations where id = any($1) and shortage_sun = stake_sun`;
      expect(await countOfRows(whole, orders)).toBe(orders.length);
      // As an operator who has seen them: what is left has to be without any.
      const repository = world.app.app.get(FindingRepository);
      for (const finding of findings) {
        const { id } = (await repository.seen(finding))!;
        await world.app.sql.transaction((tx) => repository.acknowledge(id, 'taken by hand', tx));
      }
      await faulty.settle();
      const ended = faulty.ofKind(await faulty.expectEnds({}, FULL, taken), kind);
      expectDue(kind, ended, CHARGED, FULL, '; each found as a shortage');
    },
    timeFor(ORDERS, 5_000),
  );
});

interface UndelegationContract {
  readonly type: string;
  readonly parameter: { readonly value: { readonly receiver_address: string; readonly balance: number | string } };
}
