import { type ChainRecord, pairOf, type StakeMove, type StakePurpose } from './chain-record';

/** An order and who pays for it. */
export interface OrderRow extends Record<string, unknown> {
  id: string;
  state: string;
  answer: string;
  /** Null without a hold. */
  hold: string | null;
  /** Id of its delegation, if it has one. */
  tx_id: string | null;
  tx_state: string | null;
  wallet: string;
  receiver: string;
  stake_sun: bigint;
  shortage_sun: bigint;
}

export interface SignedRow extends Record<string, unknown> {
  tx_id: string;
  purpose: StakePurpose;
  subject_id: string;
  state: string;
}

const ON_CHAIN = ['delegated', 'reclaiming', 'taking_back'];
const OVER = ['reclaimed', 'taken_back'];
const OF: Readonly<Record<StakePurpose, string>> = { delegation: 'delegated', reclaim: 'undelegated' };

/**
 * Faults between what orders say of stake and what solid blocks have of it. `ofOthers`: txids of moves that a stranger made; what they took
 * back of what they lent need not be among them.
 */
export function stakeFaults(
  orders: readonly OrderRow[],
  signed: readonly SignedRow[],
  { moves, lentSun }: ChainRecord,
  ofOthers: readonly string[],
): string[] {
  const faults: string[] = [];
  const foreign = new ForeignMoves(moves, ofOthers);
  const rows = new Map<string, SignedRow>();
  for (const row of signed) {
    if (rows.has(row.tx_id)) faults.push(`${row.tx_id} belongs to two orders`);
    rows.set(row.tx_id, row);
  }
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const done = { delegation: new Map<string, StakeMove>(), reclaim: new Map<string, StakeMove>() };
  for (const move of moves) {
    if (foreign.has(move)) continue;
    const row = rows.get(move.txId);
    rows.delete(move.txId);
    const order = row && row.purpose === move.purpose && orderOf.get(row.subject_id);
    if (!order) faults.push(`${move.txId} has ${OF[move.purpose]} ${pairOf(move.from, move.to)}, and is no order's`);
    else faults.push(...ownMoveFaults(order, row, move, done[move.purpose].has(order.id)));
    if (order) done[move.purpose].set(order.id, move);
  }
  for (const { tx_id: txId, state } of rows.values())
    if (state !== 'dead') faults.push(`${txId} is in no solid block and counts as ${state}`);
  for (const order of orders)
    faults.push(...endFaults(order, done.delegation.get(order.id), done.reclaim.get(order.id)));
  return [...faults, ...pairFaults(orders, lentSun)];
}

/** One of an order's own: once, between its wallet and its receiver, of its stake. */
function ownMoveFaults(order: OrderRow, row: SignedRow, move: StakeMove, isSecond: boolean): string[] {
  const what = `order ${order.id} was ${OF[move.purpose]} in ${move.txId}`;
  const isBack = move.purpose === 'reclaim';
  const due = order.stake_sun - (isBack ? order.shortage_sun : 0n);
  return [
    ...(isSecond ? [`${what}, for the second time`] : []),
    ...(row.state === 'final' ? [] : [`${what}, which counts as ${row.state}`]),
    ...(pairOf(move.from, move.to) === pairOf(order.wallet, order.receiver)
      ? []
      : [`${what} ${pairOf(move.from, move.to)} instead of ${pairOf(order.wallet, order.receiver)}`]),
    ...(move.sun === due ? [] : [`${what} by ${move.sun} sun instead of ${due}`]),
  ];
}

/** What has become of an order, by its rows and by the chain. */
function endFaults(order: OrderRow, lent: StakeMove | undefined, back: StakeMove | undefined): string[] {
  const { id, state, answer, hold } = order;
  const isCharged = lent !== undefined && answer !== 'failure';
  const isMissed = order.shortage_sun === order.stake_sun;
  const states = !lent ? ['failed'] : isCharged ? ['delegated', 'reclaiming', 'reclaimed'] : ['taken_back'];
  const what = `order ${id}, answered with ${answer} and ${lent ? '' : 'never '}delegated,`;
  return [
    ...(states.includes(state) ? [] : [`${what} is ${state}`]),
    ...(hold === (isCharged ? 'taken' : 'released') ? [] : [`${what} has a hold that is ${hold ?? 'not there'}`]),
    ...(OVER.includes(state) && !back && !isMissed ? [`${what} is ${state} and was never undelegated`] : []),
    ...(back && !OVER.includes(state) ? [`${what} is ${state} and was undelegated`] : []),
    ...(back && lent && back.block < lent.block ? [`${what} was undelegated before it was delegated`] : []),
  ];
}

/** Between each wallet and receiver is out what orders have lent there, and nothing else. */
function pairFaults(orders: readonly OrderRow[], lentSun: ReadonlyMap<string, bigint>): string[] {
  const due = new Map<string, bigint>();
  for (const { wallet, receiver, state, stake_sun: sun } of orders) {
    const pair = pairOf(wallet, receiver);
    if (ON_CHAIN.includes(state)) due.set(pair, (due.get(pair) ?? 0n) + sun);
  }
  return [...new Set([...due.keys(), ...lentSun.keys()])]
    .filter((pair) => (due.get(pair) ?? 0n) !== (lentSun.get(pair) ?? 0n))
    .map((pair) => `${lentSun.get(pair) ?? 0n} sun are out from ${pair}, orders have ${due.get(pair) ?? 0n}`);
}

/** What somebody else with a wallet's key has lent and taken back: as many undelegations of a size as delegations. */
class ForeignMoves {
  private readonly own = new Set<StakeMove>();

  constructor(moves: readonly StakeMove[], ofOthers: readonly string[]) {
    const theirs = moves.filter(({ txId }) => ofOthers.includes(txId));
    const sizeOf = ({ from, to, sun }: StakeMove) => `${pairOf(from, to)} ${sun}`;
    for (const one of theirs) {
      this.own.add(one);
      if (one.purpose === 'reclaim') continue;
      const isBack = (move: StakeMove) =>
        move.purpose === 'reclaim' && !this.own.has(move) && sizeOf(move) === sizeOf(one);
      const back = moves.find(isBack);
      if (back) this.own.add(back);
    }
  }

  has(move: StakeMove): boolean {
    return this.own.has(move);
  }
}
