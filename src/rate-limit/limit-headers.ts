import type { Verdict } from './rate-limit.storage';

type Shown = Pick<Verdict, 'totalHits' | 'isBlocked' | 'timeToExpire'> & { readonly limit: number };

export function limitHeaders({ limit, totalHits, isBlocked, timeToExpire }: Shown) {
  const seconds = String(timeToExpire);
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(isBlocked ? 0 : limit - totalHits),
    'RateLimit-Reset': seconds,
    ...(isBlocked && { 'Retry-After': seconds }),
  };
}
