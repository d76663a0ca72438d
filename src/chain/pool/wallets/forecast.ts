/** A stake that comes back. */
export interface Loan {
  readonly stakeSun: bigint;
  /** Milliseconds from now; negative when overdue. */
  readonly dueInMs: number;
}

export interface WalletOutlook {
  /** Stake that could be lent now. */
  readonly freeSun: bigint;
  /** Stake neither lent nor lendable: its energy was used and recovers. */
  readonly usedSun: bigint;
  /** Used besides, beyond what is staked and not lent: unfreezing takes stake, and leaves its used energy to what remains. */
  readonly overusedSun?: bigint;
  readonly loans: readonly Loan[];
}

export interface Forecast {
  readonly returnedSun: bigint;
  /** If every receiver uses all of its energy at the last moment. */
  readonly leastSun: bigint;
  /** If no receiver uses any more energy. */
  readonly mostSun: bigint;
}

/** Used energy recovers evenly over a day. What a receiver used comes back with the stake as used energy. */
const RECOVERY_MS = 24 * 3_600_000;

/** What the wallet could lend after this time if nothing new were lent meanwhile. */
export function forecastWallet(wallet: WalletOutlook, afterMs: number): Forecast {
  const { freeSun, usedSun, overusedSun = 0n, loans } = wallet;
  const back = loans.filter(({ dueInMs }) => dueInMs <= afterMs);
  const returnedSun = back.reduce((sum, { stakeSun }) => sum + stakeSun, 0n);
  // Less than zero while more is used than that: it takes from what comes back.
  const recovered = freeSun - overusedSun + shareOf(usedSun + overusedSun, afterMs);
  const leastBack = back.reduce((sum, loan) => sum + shareOf(loan.stakeSun, afterMs - Math.max(0, loan.dueInMs)), 0n);
  return { returnedSun, leastSun: positive(recovered + leastBack), mostSun: positive(recovered + returnedSun) };
}

function positive(sun: bigint): bigint {
  return sun > 0n ? sun : 0n;
}

function shareOf(sun: bigint, passedMs: number): bigint {
  return (sun * BigInt(Math.min(RECOVERY_MS, Math.max(0, Math.trunc(passedMs))))) / BigInt(RECOVERY_MS);
}
