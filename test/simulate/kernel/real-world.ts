/** What the process really has, from before anything was put in its place. */
export const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  Date: globalThis.Date,
  performanceNow: performance.now.bind(performance),
  pause: (ms: number): Promise<void> =>
    new Promise((resolve) => {
      real.setTimeout(resolve, ms);
    }),
};
