import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { record } from './record';

const SEEDS = { held: true, seconds: 100, done: '1,000 seeds', seen: 'no violation' };
const PLANTED = { held: true, seconds: 20, done: '33 planted bugs', seen: 'each bug caught' };

describe('what a simulation leaves for docs/safety.md', () => {
  let place: string;

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'record-'));
  });
  afterEach(() => rmSync(place, { recursive: true }));

  const left = () => JSON.parse(readFileSync(join(place, 'simulate.json'), 'utf8')) as object;

  it('says that one of the two kinds of run is missing', () => {
    record('seeds', SEEDS, place, 'abc');
    expect(left()).toMatchObject({
      held: true,
      commit: 'abc',
      seconds: 100,
      text: { done: '1,000 seeds; no planted bugs', seen: 'no violation' },
    });
  });

  it('puts both together, each with its commit when these differ', () => {
    record('seeds', SEEDS, place, 'abc');
    record('planted', PLANTED, place, 'abc');
    expect(left()).toMatchObject({
      seconds: 120,
      text: { done: '1,000 seeds; 33 planted bugs', seen: 'no violation; each bug caught' },
    });
    record('planted', PLANTED, place, 'def');
    expect(left()).toMatchObject({ text: { done: '1,000 seeds (at abc); 33 planted bugs (at def)' } });
  });

  it('does not hold when either does not, until that kind is run again', () => {
    record('planted', { ...PLANTED, held: false }, place, 'abc');
    record('seeds', SEEDS, place, 'abc');
    expect(left()).toMatchObject({ held: false });
    record('planted', PLANTED, place, 'abc');
    expect(left()).toMatchObject({ held: true });
  });
});
