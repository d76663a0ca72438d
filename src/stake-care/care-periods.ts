import { SUN_A_BYTE } from '../chain/pool/wallets/fees';

/**
 * Votes are counted, and rewards given, every six hours (mainnet's parameter 0), at full multiples since 1970. By block time, and by no node's
 * word: one that lies about it could have a vote sent with each block.
 */
export const PERIOD_MS = 6 * 3_600_000;
export const DAY_MS = 24 * 3_600_000;

/** A WithdrawBalanceContract with its signature and result. */
const CLAIM_BYTES = 248n;
/** Below that, more of it would be burned than is worth while where bandwidth is missing. */
export const LEAST_CLAIM_SUN = 10n * CLAIM_BYTES * SUN_A_BYTE;

/** Where the network pays: the first 127 witnesses. */
export const PAID_WITNESSES = 127;
/** Such a witness keeps everything. */
export const ALL_PERCENT = 100n;

export function periodOf(atMs: number): string {
  return `period ${Math.floor(atMs / PERIOD_MS)}`;
}

export function dayOf(atMs: number): string {
  return `day ${Math.floor(atMs / DAY_MS)}`;
}

export function after(operationId: string): string {
  return `after ${operationId}`;
}
