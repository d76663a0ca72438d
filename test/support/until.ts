const POLL_MS = 25;

/** Waits for what `find` returns to be there, and says what it waited for when it never is. */
export async function until<T>(
  what: string | (() => string),
  find: () => Promise<T | null | undefined | false>,
  limitMs = 45_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (Date.now() > end)
      throw new Error(`${typeof what === 'string' ? what : what()}: not within ${limitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
