import { setTimeout as sleep } from 'node:timers/promises';

/** By the ordinary clock: whatever takes longer hangs. */
export const LONGEST_WAIT_MS = 60_000;

/** Fails, saying `what`, when the work has no end in that time. */
export async function within(what, work, ms = LONGEST_WAIT_MS) {
  const done = new AbortController();
  const limit = sleep(ms, undefined, { signal: done.signal }).then(() => {
    throw new Error(`${what}: no answer in ${ms / 1_000} s`);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    done.abort();
  }
}
