import type { RateLimit, Verdict } from './rate-limit.store';

/** Rounded up, so that a caller who waits as told is let in. */
export function limitHeaders(limit: RateLimit, verdict: Verdict): Record<string, string> {
  const seconds = String(Math.max(1, Math.ceil(verdict.resetMs / 1000)));
  return {
    'RateLimit-Limit': String(limit.calls),
    'RateLimit-Remaining': String(verdict.remaining),
    'RateLimit-Reset': seconds,
    ...(!verdict.allowed && { 'Retry-After': seconds }),
  };
}
