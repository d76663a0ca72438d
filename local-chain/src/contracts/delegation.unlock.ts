import { RESOURCES } from '../state/account.model';
import type { WorldState } from '../state/world.state';

/** Moves stake that is locked past its time to the unlocked record. As in java-tron, a resource that was never locked counts as past. */
export function unlockExpired(world: WorldState, from: string, to: string): void {
  const found = world.findDelegation(from, to, true);
  if (!found || RESOURCES.every((resource) => found[resource].expiresAt >= world.now)) return;
  const locked = world.editDelegation(from, to, true);
  const unlocked = world.editDelegation(from, to, false);
  for (const resource of RESOURCES) {
    if (locked[resource].expiresAt >= world.now) continue;
    unlocked[resource] = { amountSun: unlocked[resource].amountSun + locked[resource].amountSun, expiresAt: 0 };
    locked[resource] = { amountSun: 0n, expiresAt: 0 };
  }
  world.dropEmptyDelegation(from, to, true);
  // Nothing may have been past its time but what was never lent.
  world.dropEmptyDelegation(from, to, false);
}
