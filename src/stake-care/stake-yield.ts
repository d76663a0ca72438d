const YEAR_MS = 365 * 86_400_000;
/** What shorter times have brought says little about a year. */
const SHORTEST_MS = 3_600_000;

/** What has come in so long, as per cent of the stake in a year, with two digits after the point; null: that is not known. */
export function yieldPercent(sun: bigint, elapsedMs: number, stakeSun: bigint): number | null {
  if (stakeSun === 0n || elapsedMs < SHORTEST_MS) return null;
  return Math.round((Number(sun) / Number(stakeSun)) * (YEAR_MS / elapsedMs) * 10_000) / 100;
}
