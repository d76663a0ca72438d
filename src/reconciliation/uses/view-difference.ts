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
  const surely = moves.filter(({ block }) => block !== null && block > earlier.until && block <= later.block);
  const lent = before.lentEnergySun;
  const [leastLent, mostLent] = [
    lent + lentBy(surely) - takenBackBy(moves),
    lent + lentBy(moves) - takenBackBy(surely),
  ];
  const paid = moves.reduce((sum, { paidSun }) => sum + paidSun + MOST_FEE_SUN, 0n);
  const lastMs = Math.max(before.operatedMs, ...moves.map(({ timeMs }) => timeMs ?? Infinity));
  const differs: Readonly<Record<ViewField, boolean>> = {
    balance: after.balanceSun < before.balanceSun - paid,
    energy_stake: energyStake(after) !== energyStake(before),
    bandwidth_stake: bandwidthStake(after) !== bandwidthStake(before),
    vote_stake: after.votesSun !== before.votesSun,
    lent_energy: after.lentEnergySun < leastLent || after.lentEnergySun > mostLent,
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

function lentBy(moves: readonly OwnMove[]): bigint {
  return moves.reduce((sum, { lentSun }) => (lentSun > 0n ? sum + lentSun : sum), 0n);
}

function takenBackBy(moves: readonly OwnMove[]): bigint {
  return moves.reduce((sum, { lentSun }) => (lentSun < 0n ? sum - lentSun : sum), 0n);
}
