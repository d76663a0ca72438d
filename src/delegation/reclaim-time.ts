import type { Configuration } from '../../config/configuration';

const LONG_RENTAL_MINUTES = 1440;

/** How long after its block an order's energy is taken back, by the settings of the instance that sells it. */
export function reclaimAfterMs({ delayMs, atRentalEnd }: Configuration['reclaim'], rentalMinutes: number): number {
  const isHeld = atRentalEnd && rentalMinutes === LONG_RENTAL_MINUTES;
  return isHeld ? Math.max(delayMs, LONG_RENTAL_MINUTES * 60_000) : delayMs;
}
