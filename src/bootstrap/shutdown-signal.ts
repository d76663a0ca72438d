const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** One Ctrl-C arrives twice under npm: from the terminal, and forwarded by npm. */
const SAME_REQUEST_MS = 1_000;

/** Resolves at the first request to stop; a second one ends the process immediately. */
export function awaitShutdownSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedAtMs: number | null = null;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (askedAtMs !== null && performance.now() - askedAtMs > SAME_REQUEST_MS) process.exit(1);
        askedAtMs ??= performance.now();
        resolve();
      });
    }
  });
}
