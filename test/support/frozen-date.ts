type Faked = Extract<Parameters<typeof jest.useFakeTimers>[0], { doNotFake?: unknown }>;

const REAL: NonNullable<Faked['doNotFake']> = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
];

/** Stops `Date` for one test file, timers excluded, so that a library's own clock stands still until it is moved. */
export function freezeDate(): { advance(ms: number): void } {
  beforeAll(() => {
    jest.useFakeTimers({ now: Date.now(), doNotFake: REAL });
  });
  afterAll(() => {
    jest.useRealTimers();
  });
  return {
    advance(ms) {
      jest.setSystemTime(Date.now() + ms);
    },
  };
}
