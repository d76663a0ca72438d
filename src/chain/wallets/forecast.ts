/** A stake that comes back. */
export interface Loan {
  readonly stakeSun: bigint;
  /** When it is due, in milliseconds from now; what is overdue comes at once. */
  readonly dueInMs: number;
}

export interface WalletOutlook {
  /** What could be lent now. */
  readonly freeSun: bigint;
  /** Neither lent nor lendable: the energy of it was used and recovers. */
  readonly usedSun: bigint;
  readonly loans: readonly Loan[];
}

export interface Forecast {
  readonly returnedSun: bigint;
  /** When every receiver uses all of its energy in its last moment. */
  readonly leastSun: bigint;
  /** When none uses any more. */
  readonly mostSun: bigint;
}

/** The network gives used energy back evenly over a day. What a receiver used comes back with the stake, as used. */
const RECOVERY_MS = 24 * 3_600_000;

/** What one wallet could lend after a time, if nothing new were lent meanwhile. */
export function forecastWallet({ freeSun, usedSun, loans }: WalletOutlook, afterMs: number): Forecast {
  const back = loans.filter(({ dueInMs }) => dueInMs <= afterMs);
  const returnedSun = back.reduce((sum, { stakeSun }) => sum + stakeSun, 0n);
  const recovered = freeSun + shareOf(usedSun, afterMs);
  const leastBack = back.reduce((sum, loan) => sum + shareOf(loan.stakeSun, afterMs - Math.max(0, loan.dueInMs)), 0n);
  return { returnedSun, leastSun: recovered + leastBack, mostSun: recovered + returnedSun };
}

function shareOf(sun: bigint, passedMs: number): bigint {
  return (sun * BigInt(Math.min(RECOVERY_MS, Math.max(0, Math.trunc(passedMs))))) / BigInt(RECOVERY_MS);
}
