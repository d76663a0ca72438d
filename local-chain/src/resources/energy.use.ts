import { stakeSun, type Account } from '../state/account.model';
import type { WorldState } from '../state/world.state';
import { limitOf } from './resource.limit';
import { increase, recovered } from './usage.window';

export interface EnergyBill {
  energyUsed: bigint;
  burnedSun: bigint;
}

/** Energy that an account's stake still gives. */
export function stakedEnergyLeft(world: WorldState, account: Account): bigint {
  const left = limitOf(stakeSun(account.energy), world.network, 'energy') - recovered(account.energy, world.slot);
  return left > 0n ? left : 0n;
}

/** Charges an account for energy as a contract call does: stake first, the rest burned, never more than the balance pays for. */
export function spendEnergy(world: WorldState, address: string, energyUnits: bigint): EnergyBill {
  const account = world.editAccount(address);
  const left = stakedEnergyLeft(world, account);
  const fromStake = left < energyUnits ? left : energyUnits;
  const affordable = account.balanceSun / world.parameters.energyFeeSun;
  const missing = energyUnits - fromStake;
  const burnedSun = (missing < affordable ? missing : affordable) * world.parameters.energyFeeSun;
  increase(account.energy, fromStake, world.slot);
  account.energy.slot = world.slot;
  account.latestOperationAt = world.now;
  account.balanceSun -= burnedSun;
  world.editNetwork().burnedSun += burnedSun;
  return { energyUsed: fromStake, burnedSun };
}
