/** Growing pauses: a long wait in virtual time asks a few times for each second that passes. */
const [SHORTEST_MS, LONGEST_MS] = [25, 250];
/** Ends a wait for what never comes: a busy machine is many times slower than an idle one. */
const LIMIT_MS = 300_000;

/** Waits for what `find` returns to be there, and says what it waited for when it never is. */
export async function until<T>(
  what: string | (() => string),
  find: () => Promise<T | null | undefined | false>,
  limitMs = LIMIT_MS,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (let pauseMs = SHORTEST_MS; ; pauseMs = Math.min(LONGEST_MS, pauseMs * 1.25)) {
    const found = await find();
    if (found) return found;
    if (Date.now() > end)
      throw new Error(`${typeof what === 'string' ? what : what()}: not within ${limitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
