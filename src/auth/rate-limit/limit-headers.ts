import type { Verdict } from './rate-limit.storage';

export function limitHeaders({ limit, totalHits, isBlocked, timeToExpire }: Verdict & { readonly limit: number }) {
  const seconds = String(timeToExpire);
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(isBlocked ? 0 : limit - totalHits),
    'RateLimit-Reset': seconds,
    ...(isBlocked && { 'Retry-After': seconds }),
  };
}
