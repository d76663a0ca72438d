import type { BlockHeader } from './block-header';

const MOST_AHEAD_MS = 120_000;

/**
 * The block time that is followed: the head's, at most two minutes past that of the newest block that several witnesses vouch for
 * (`vouchedHeight`), or of the final one where that is newer. One witness alone could sign a head that is hours ahead: bytes that expire
 * with it could land for hours, reclaims would come hours early, and what is open would not be sent again. Genesis has no time: while a
 * chain is so young that nothing else is vouched for, its head's time is taken.
 */
export function headTimeMs(head: BlockHeader, vouched: BlockHeader | null, final: BlockHeader | null): number {
  const knownMs = Math.max(vouched?.timeMs ?? 0, final?.timeMs ?? 0);
  return knownMs === 0 ? head.timeMs : Math.min(head.timeMs, knownMs + MOST_AHEAD_MS);
}
