import type { AccountView } from '../../chain/tron/node/account-view';
import type { ActKind } from '../../chain/proof/account-act';
import { BYTES_A_TRANSACTION, SUN_A_BYTE } from '../../chain/pool/wallets/fees';
import type { TimedView } from '../../chain/pool/wallets/wallet-view.repository';
import type { OwnMove } from './own-moves';

/** What of an account is compared. */
export const VIEW_FIELDS = [
  'balance',
  'energy_stake',
  'bandwidth_stake',
  'vote_stake',
  'lent_energy',
  'lent_bandwidth',
  'permissions',
  'last_operation',
] as const;
export type ViewField = (typeof VIEW_FIELDS)[number];

/** As texts: amounts in whole sun, permissions as a digest, times in milliseconds. */
export interface ViewDifference {
  /** `used_block`: no field, but that somebody else's transaction was seen, in this block or below. */
  readonly field: ViewField | 'used_block';
  readonly before: string;
  readonly after: string;
}

/** No more than this is burned for one of our transactions besides what it transfers. */
const MOST_FEE_SUN = BYTES_A_TRANSACTION * SUN_A_BYTE;

/**
 * What of the later reading our own transactions do not explain. What may be of a block before the first reading, or after the second one,
 * explains as well, and is asked of neither. More TRX does not show an act of the account: anybody may send them.
 */
export function unexplained(earlier: TimedView, later: TimedView, moves: readonly OwnMove[]): ViewDifference[] {
  const [before, after] = [earlier.view, later.view];
  const paid = moves.reduce((sum, { paidSun }) => sum + paidSun + MOST_FEE_SUN, 0n);
  const lastMs = Math.max(before.operatedMs, ...moves.map(({ timeMs }) => timeMs ?? Infinity));
  const differs: Readonly<Record<ViewField, boolean>> = {
    balance: after.balanceSun < before.balanceSun - paid,
    energy_stake: narrowed(earlier, later, moves, ['energySun']) === null,
    bandwidth_stake: narrowed(earlier, later, moves, ['bandwidthSun']) === null,
    vote_stake: after.votesSun !== before.votesSun,
    lent_energy: narrowed(earlier, later, moves, ['lentSun']) === null,
    lent_bandwidth: after.lentBandwidthSun !== before.lentBandwidthSun,
    permissions: after.permissions !== before.permissions,
    last_operation: after.operatedMs > lastMs,
  };
  return VIEW_FIELDS.filter((field) => differs[field]).map((field) => ({
    field,
    before: SHOWN[field](before),
    after: SHOWN[field](after),
  }));
}

/** Those that none of these acts can have changed. */
export function notChangedBy(differences: readonly ViewDifference[], acts: readonly ActKind[]): ViewDifference[] {
  const touched = new Set(acts.flatMap((kind) => TOUCHED[kind]));
  return differences.filter(({ field }) => field === 'used_block' || !touched.has(field));
}

const energyStake = ({ energySun, lentEnergySun }: AccountView) => energySun + lentEnergySun;
const bandwidthStake = ({ bandwidthSun, lentBandwidthSun }: AccountView) => bandwidthSun + lentBandwidthSun;

const SHOWN: Readonly<Record<ViewField, (view: AccountView) => string>> = {
  balance: ({ balanceSun }) => String(balanceSun),
  energy_stake: (view) => String(energyStake(view)),
  bandwidth_stake: (view) => String(bandwidthStake(view)),
  vote_stake: ({ votesSun }) => String(votesSun),
  lent_energy: ({ lentEnergySun }) => String(lentEnergySun),
  lent_bandwidth: ({ lentBandwidthSun }) => String(lentBandwidthSun),
  permissions: ({ permissions }) => permissions.slice(0, 8),
  last_operation: ({ operatedMs }) => String(operatedMs),
};

/** Each burns a fee where bandwidth is missing. */
const ALWAYS: readonly ViewField[] = ['balance', 'last_operation'];
const STAKES: readonly ViewField[] = [...ALWAYS, 'energy_stake', 'bandwidth_stake', 'vote_stake'];
const LOANS: readonly ViewField[] = [...ALWAYS, 'lent_energy', 'lent_bandwidth'];
const TOUCHED: Readonly<Record<ActKind, readonly ViewField[]>> = {
  transfer: ALWAYS,
  contract_call: ALWAYS,
  permission_change: [...ALWAYS, 'permissions'],
  unfreezing: STAKES,
  freezing: STAKES,
  delegation: LOANS,
  undelegation: LOANS,
  vote: ALWAYS,
  claim: ALWAYS,
  withdrawal: ALWAYS,
  other: VIEW_FIELDS,
};

/** What our transactions move of an account, and how a reading shows it. */
const MOVED = {
  lentSun: ({ lentEnergySun }: AccountView) => lentEnergySun,
  energySun: energyStake,
  bandwidthSun: bandwidthStake,
} as const;
type Moved = keyof typeof MOVED;
const STAKES_MOVED = ['energySun', 'bandwidthSun'] as const;

/**
 * The later reading with the blocks alone that it may be of, by what it shows lent and staked: each reading is of one block, so our moves in that
 * block or below are in it, and none from above. Null where it can be of none of its blocks. Two readings that may each have a part of a block's
 * moves would hide as much that somebody else took back between them.
 */
export function narrowed(
  earlier: TimedView,
  later: TimedView,
  moves: readonly OwnMove[],
  moved: readonly Moved[] = movedBy(moves),
): TimedView | null {
  const isDated = ({ block }: OwnMove) => block !== null && block > earlier.block;
  const dated = moves.filter(isDated);
  const anywhere = moves.filter((move) => !isDated(move));
  const bounds = moved.map((what) => boundsOf(what, earlier, later, anywhere));
  const ofEarlier = spansOf(dated, earlier, moved);
  const [first, ...others] = spansOf(dated, later, moved).filter(({ movedSun, restakes }) =>
    ofEarlier.some((before) =>
      bounds.every(({ leastSun, mostSun, mayGrow }, at) => {
        const sun = movedSun[at]! - before.movedSun[at]!;
        const restaked = moved[at] !== 'lentSun' && (mayGrow || restakes > before.restakes);
        return (restaked || sun >= leastSun) && sun <= mostSun;
      }),
    ),
  );
  return first ? { ...later, block: first.block, until: (others.at(-1) ?? first).until } : null;
}

/** Most wallets have none of their stake moved: then what is lent decides. */
function movedBy(moves: readonly OwnMove[]): readonly Moved[] {
  return ['lentSun', ...STAKES_MOVED.filter((what) => moves.some((move) => move[what] !== 0n))];
}

/** What dated moves must come to, where the others may be in a block or not. `mayGrow`: by any amount that was being unfrozen. */
function boundsOf(what: Moved, earlier: TimedView, later: TimedView, anywhere: readonly OwnMove[]) {
  const changed = MOVED[what](later.view) - MOVED[what](earlier.view);
  const suns = anywhere.map((move) => move[what]);
  const more = suns.reduce((sum, one) => (one > 0n ? sum + one : sum), 0n);
  const less = suns.reduce((sum, one) => (one < 0n ? sum + one : sum), 0n);
  return { leastSun: changed - more, mostSun: changed - less, mayGrow: anywhere.some(({ restakes }) => restakes) };
}

/** The blocks that a reading may be of, those together between which nothing of ours moved; and what had moved by then. */
function spansOf(moves: readonly OwnMove[], { block: shown, until }: TimedView, moved: readonly Moved[]) {
  const within = moves.flatMap(({ block }) => (block! > shown && block! <= until ? [block!] : []));
  const firsts = [shown, ...new Set(within.toSorted((one, other) => one - other))];
  return firsts.map((block, at) => {
    const by = moves.filter((move) => move.block! <= block);
    return {
      block,
      until: at + 1 < firsts.length ? firsts[at + 1]! - 1 : until,
      movedSun: moved.map((what) => by.reduce((sum, move) => sum + move[what], 0n)),
      restakes: by.filter(({ restakes }) => restakes).length,
    };
  });
}
