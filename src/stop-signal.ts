const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves at the first signal to stop; a second one ends the process at once. */
export function awaitStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
    }
  });
}
