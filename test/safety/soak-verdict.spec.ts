import { type InstanceSample, judge, type Sample } from '../../scripts/soak/verdict.mjs';

const MB = 2 ** 20;
const SAMPLES = 48;
const HELD: InstanceSample = { heapMb: 80, rssMb: 200, descriptors: 50, sessions: 11, nodeCalls: 0 };
/** Eight hours of steady business. */
const STEADY = Array.from({ length: SAMPLES }, (_, at): Sample => {
  const ordered = (at + 1) * 300;
  return {
    minutes: (at + 1) * 10,
    ordered,
    // The second one is smaller.
    instances: [
      { ...HELD, nodeCalls: (at + 1) * 2_000 },
      { heapMb: 70, rssMb: 180, descriptors: 40, sessions: 8, nodeCalls: (at + 1) * 1_000 },
    ],
    tables: { delegations: ordered * 3_000, sessions: MB, audit_log: MB },
  };
});
const growing = (samples: readonly Sample[]) =>
  judge(samples)
    .filter(({ isFlat }) => !isFlat)
    .map(({ what }) => what);

/** The same, but for what an instance holds more, or less. */
const withMore = (of: number, key: keyof InstanceSample, more: (at: number) => number) =>
  STEADY.map((sample, at) => ({
    ...sample,
    instances: sample.instances.map((one, index) => (index === of ? { ...one, [key]: one[key] + more(at) } : one)),
  }));

const withTable = (name: string, bytes: (at: number) => number) =>
  STEADY.map((sample, at) => ({ ...sample, tables: { ...sample.tables, [name]: bytes(at) } }));

/** From -1 to 1, the same in each run. */
const noise = (seed: number, at: number) => (Math.imul(seed * SAMPLES + at + 1, 2_654_435_761) >>> 0) / 2 ** 31 - 1;

/** What comes and goes in a run without a leak, and is more now and then. */
const NOISE = { heapMb: 1.5, rssMb: 8, descriptors: 5, sessions: 1.5 };
/** In the six hours after the warm-up. */
const LEAK = { heapMb: 4, rssMb: 20, descriptors: 4, sessions: 2 };
const NAMES = {
  heapMb: 'heap after a collection, MB',
  rssMb: 'resident memory, MB',
  descriptors: 'descriptors',
  sessions: 'sessions in the database',
};
const KEYS = ['heapMb', 'rssMb', 'descriptors', 'sessions'] as const;
const ofBoth = KEYS.flatMap((key) =>
  ([0, 1] as const).map((of) => ({ key, of, what: `instance ${of + 1}: ${NAMES[key]}` })),
);
const leaked = (key: (typeof KEYS)[number], at: number) => (LEAK[key] * at) / (SAMPLES * 0.75);

describe('the verdict of a soak', () => {
  it('is that all is flat when only what orders leave grows', () => {
    expect(growing(STEADY)).toEqual([]);
  });

  it('is not that what was never counted is flat', () => {
    const none = STEADY.map((sample) => ({ ...sample, instances: [HELD, HELD] }));
    expect(growing(none)).toEqual(['calls to the node a minute']);
    expect(growing(withMore(1, 'heapMb', () => Number.NaN))).toEqual(['instance 2: heap after a collection, MB']);
  });

  it.each(ofBoth)('names a small leak of either instance: $what', ({ key, of, what }) => {
    expect(growing(withMore(of, key, (at) => leaked(key, at)))).toEqual([what]);
  });

  it.each(ofBoth)('takes what comes and goes for no leak, and hides none behind it: $what', ({ key, of, what }) => {
    for (let seed = 1; seed <= 200; seed++) {
      const some = (at: number) => Math.round(NOISE[key] * noise(seed, at));
      expect([seed, growing(withMore(of, key, some))]).toEqual([seed, []]);
      const twice = (at: number) => some(at) + 2 * leaked(key, at);
      expect([seed, growing(withMore(of, key, twice))]).toEqual([seed, [what]]);
    }
  });

  it('takes memory that V8 gives back for a while for no leak', () => {
    for (let from = 0; from < SAMPLES - 3; from++) {
      const givenBack = withMore(0, 'rssMb', (at) => (at >= from && at < from + 3 ? -25 : 0));
      expect([from, growing(givenBack)]).toEqual([from, []]);
    }
  });

  it('takes one session that came once for no leak', () => {
    for (let from = 0; from < SAMPLES; from++)
      expect([from, growing(withMore(0, 'sessions', (at) => (at < from ? 0 : 1)))]).toEqual([from, []]);
  });

  it('takes one session an hour that an instance never gives back for a leak', () => {
    const everyHour = withMore(1, 'sessions', (at) => Math.floor(at / 6));
    expect(growing(everyHour)).toEqual(['instance 2: sessions in the database']);
  });

  it.each([
    ['calls to the node a minute', withMore(1, 'nodeCalls', (at) => at * at * 20)],
    ['bytes of tables an order', withTable('holds', (at) => at * at * 20_000)],
    ['audit_log, kB', withTable('audit_log', (at) => MB + at * 10_000)],
  ])('names what grows: %s', (what, samples) => {
    expect(growing(samples)).toEqual([what]);
  });

  it('names small growth of many tables together', () => {
    const samples = STEADY.map((sample, at) => ({
      ...sample,
      tables: { ...sample.tables, sessions: MB + at * 5_000, audit_log: MB + at * 5_000 },
    }));
    expect(growing(samples)).toEqual(['2 other tables, kB']);
  });
});
