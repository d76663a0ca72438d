import { weightTrx, type Account, type ResourceName } from '../state/account.model';
import type { WorldState } from '../state/world.state';
import { refuse } from './contract.rule';

/** What TRX is staked for: a resource, or votes alone, where the network allows that. */
export type StakeName = ResourceName | 'power';

const STAKES = ['net', 'energy', 'power'] as const;

export const resourceOf = (code: number): ResourceName | undefined => (['net', 'energy'] as const)[code];

export const stakeOf = (code: number): StakeName => STAKES[code]!;

/** `words` as the node has them, before the names that it lists. */
export function checkStake(
  world: WorldState,
  code: number,
  words: string,
  names: readonly [string, string],
): StakeName {
  const { allowNewResourceModel } = world.parameters;
  const stake = STAKES[code];
  if (stake && (stake !== 'power' || allowNewResourceModel)) return stake;
  return refuse(`${words}[${[...names, ...(allowNewResourceModel ? ['TRON_POWER'] : [])].join('、')}]`);
}

export const stakedSun = (account: Account, stake: StakeName): bigint =>
  stake === 'power' ? (account.powerSun ?? 0n) : account[stake].frozenSun;

/** Stake and the network's weight of it: whole TRX an account, so that a weight moves only when a TRX is full. */
export function addStake(world: WorldState, account: Account, stake: StakeName, sun: bigint): void {
  if (stake === 'power') {
    account.powerSun = (account.powerSun ?? 0n) + sun;
    return;
  }
  const before = weightTrx(account[stake]);
  account[stake].frozenSun += sun;
  const change = weightTrx(account[stake]) - before;
  const network = world.editNetwork();
  if (stake === 'net') network.totalNetWeightTrx += change;
  else network.totalEnergyWeightTrx += change;
}

/** What has waited out its days is paid out; what it was. */
export function payOutExpired(world: WorldState, account: Account): bigint {
  const due = account.unfreezing.filter((entry) => entry.expiresAt <= world.now);
  const sun = due.reduce((sum, entry) => sum + entry.amountSun, 0n);
  account.unfreezing = account.unfreezing.filter((entry) => entry.expiresAt > world.now);
  account.balanceSun += sun;
  return sun;
}
