import type { ResourceName } from './stake-operation';

export interface StakePart {
  readonly resource: ResourceName;
  readonly sun: bigint;
}

/** The one place that decides for which resource TRX are staked again after a claim. */
export function splitStake(sun: bigint): readonly StakePart[] {
  return [{ resource: 'energy', sun }];
}
