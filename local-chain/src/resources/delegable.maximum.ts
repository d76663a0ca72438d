import { type Parameters, TRX } from '../chain/chain.parameters';
import type { Account, ResourceName } from '../state/account.model';
import type { WorldState } from '../state/world.state';
import { stakeTaken } from './resource.limit';
import { recovered } from './usage.window';

const varintBytes = (value: bigint): bigint => {
  let bytes = 1n;
  for (let rest = BigInt.asUintN(64, value) >> 7n; rest > 0n; rest >>= 7n) bytes += 1n;
  return bytes;
};

/** The bandwidth that the node keeps back for the delegation itself: that of one with a lock, of all the stake. */
export function delegationBytes(frozenSun: bigint, { maxLockBlocks }: Parameters): bigint {
  const lock = 2n;
  const lockPeriod = 1n + varintBytes(maxLockBlocks);
  const balance = frozenSun === 0n ? 0n : 1n + varintBytes(frozenSun);
  const more = lock + lockPeriod + balance - (1n + varintBytes(TRX));
  return 275n + (more > 0n ? more : 0n);
}

/** Stake that could be lent: an account's own use is charged to what it was lent first, then to its own. */
export function delegableSun(world: WorldState, account: Account, resource: ResourceName, reserveBytes = 0n): bigint {
  const own = account[resource];
  const taken = stakeTaken(recovered(own, world.slot) + reserveBytes, world.network, resource);
  const charged = taken - own.acquiredSun;
  return own.frozenSun - (charged > 0n ? charged : 0n);
}
