const AT_ONCE = 4;

/**
 * Runs `work` over all items, a few at a time; the first error is thrown once everything under way has ended. With a signal, no item
 * is begun after it, and its reason is the error.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const queue = [...items];
  const lanes = Array.from({ length: Math.min(AT_ONCE, queue.length) }, async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      signal?.throwIfAborted();
      await work(item);
    }
  });
  const results = await Promise.allSettled(lanes);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
