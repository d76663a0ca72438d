const LEAST_SUN = 2_000_000n;
const MOST_SUN = 2_500_000n;

/** Whether an account may have this unit price in variant B; the database draws the same line. */
export function isUnitPrice(sun: bigint): boolean {
  return sun >= LEAST_SUN && sun <= MOST_SUN;
}
