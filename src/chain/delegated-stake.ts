/**
 * The energy stake that one address has lent another. The chain keeps one record for what may be taken back at any time and
 * one for what is locked; our orders never lock.
 */
export interface DelegatedStake {
  readonly unlockedSun: bigint;
  /** Stays in its record past its time, until a delegation or an undelegation of the two addresses moves it to the other. */
  readonly lockedSun: bigint;
  /** 0 when nothing is locked. */
  readonly lockedUntilMs: number;
}

/** As java-tron compares: with the time of the block before, which has to be later. */
export function isLockPast({ lockedUntilMs }: DelegatedStake, blockTimeMs: number): boolean {
  return lockedUntilMs < blockTimeMs;
}

/** What undelegations find from the block of this time on. */
export function takeableSun(stake: DelegatedStake, blockTimeMs: number): bigint {
  return stake.unlockedSun + (isLockPast(stake, blockTimeMs) ? stake.lockedSun : 0n);
}
