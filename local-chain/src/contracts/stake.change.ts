import { weightTrx, type Account, type ResourceName } from '../state/account.model';
import type { WorldState } from '../state/world.state';

/** TRON_POWER is not a resource of its own on mainnet: its proposal never passed. */
export const resourceOf = (code: number): ResourceName | undefined => (['net', 'energy'] as const)[code];

/** Stake and the network's weight of it: whole TRX an account, so that a weight moves only when a TRX is full. */
export function addStake(world: WorldState, account: Account, resource: ResourceName, sun: bigint): void {
  const before = weightTrx(account[resource]);
  account[resource].frozenSun += sun;
  const change = weightTrx(account[resource]) - before;
  const network = world.editNetwork();
  if (resource === 'net') network.totalNetWeightTrx += change;
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
