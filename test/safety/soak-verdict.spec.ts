import { judge, type Sample } from '../../scripts/soak/verdict.mjs';

const MB = 2 ** 20;
/** Half an hour of steady business for each of 48 samples. */
const STEADY = Array.from({ length: 48 }, (_, at): Sample => {
  const ordered = (at + 1) * 300;
  return {
    minutes: (at + 1) * 10,
    ordered,
    heapMb: 80,
    rssMb: 270,
    descriptors: 50,
    connections: 22,
    nodeCalls: (at + 1) * 3_000,
    tables: { delegations: ordered * 3_000, sessions: MB, audit_log: MB },
  };
});
const growing = (grow: (sample: Sample, at: number) => Partial<Sample>) =>
  judge(STEADY.map((sample, at) => ({ ...sample, ...grow(sample, at) })))
    .filter(({ isFlat }) => !isFlat)
    .map(({ what }) => what);

describe('the verdict of a soak', () => {
  it('is that all is flat when only what orders leave grows', () => {
    expect(growing(() => ({}))).toEqual([]);
  });

  it('is not that what was never counted is flat', () => {
    expect(growing(() => ({ nodeCalls: 0 }))).toEqual(['calls to the node a minute']);
  });

  it.each<[string, (sample: Sample, at: number) => Partial<Sample>]>([
    ['heap after a collection, MB', ({ heapMb }, at) => ({ heapMb: heapMb + at * 0.5 })],
    ['resident memory, MB', ({ rssMb }, at) => ({ rssMb: rssMb + at * 2 })],
    ['descriptors', ({ descriptors }, at) => ({ descriptors: descriptors + Math.floor(at / 2) })],
    ['sessions in the database', ({ connections }, at) => ({ connections: connections + Math.floor(at / 4) })],
    ['calls to the node a minute', (_, at) => ({ nodeCalls: at * 3_000 + at * at * 20 })],
    ['bytes of tables an order', ({ tables }, at) => ({ tables: { ...tables, holds: at * at * 20_000 } })],
    ['audit_log', ({ tables }, at) => ({ tables: { ...tables, audit_log: MB + at * 100_000 } })],
  ])('names what grows: %s', (what, grow) => {
    expect(growing(grow)).toEqual([what]);
  });
});
