interface RealWorld {
  readonly setTimeout: typeof globalThis.setTimeout;
  readonly clearTimeout: typeof globalThis.clearTimeout;
  readonly setImmediate: typeof globalThis.setImmediate;
  readonly Date: typeof globalThis.Date;
  readonly performanceNow: () => number;
  pause(ms: number): Promise<void>;
}

declare global {
  var realWorld: RealWorld | undefined;
}

/** What the process really has, from before anything was put in its place: a spec file loads this once more, long after. */
export const real: RealWorld = (globalThis.realWorld ??= {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  Date: globalThis.Date,
  performanceNow: performance.now.bind(performance),
  pause: (ms) =>
    new Promise((resolve) => {
      real.setTimeout(resolve, ms);
    }),
});
