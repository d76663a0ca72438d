/**
 * The energy stake that one address has delegated to another. The chain keeps one record for what may be undelegated at any time and
 * one for what is locked; our orders never lock.
 */
export interface DelegatedStake {
  readonly unlockedSun: bigint;
  /** Stays in its record after its time, until the next delegation or undelegation of the two addresses moves it to the other record. */
  readonly lockedSun: bigint;
  /** 0 when nothing is locked. */
  readonly lockedUntilMs: number;
}

/** As java-tron decides it: the time of the previous block has to be later. */
export function isLockPast({ lockedUntilMs }: DelegatedStake, blockTimeMs: number): boolean {
  return lockedUntilMs < blockTimeMs;
}

/** What can be undelegated after a block of this time. */
export function takeableSun(stake: DelegatedStake, blockTimeMs: number): bigint {
  return stake.unlockedSun + (isLockPast(stake, blockTimeMs) ? stake.lockedSun : 0n);
}
