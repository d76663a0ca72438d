import { BUGS } from './planted/bugs';
import { readOptions, UsageError } from './options';

const bug = BUGS[0]!.name;
const read = (line: string) => readOptions(line.split(' ').filter(Boolean));

describe('the options of the simulator', () => {
  it.each([
    ['', { mode: 'seeds', first: 1, count: 100, minutes: Infinity }],
    ['--seeds 5', { mode: 'seeds', first: 1, count: 5, minutes: Infinity }],
    ['--seeds 5 --seed 30 --minutes 0.5', { mode: 'seeds', first: 30, count: 5, minutes: 0.5 }],
    ['--seed 7', { mode: 'replay', seed: 7, showLog: false }],
    [`--seed 7 --log --bug ${bug}`, { mode: 'replay', seed: 7, showLog: true, bug }],
    [`--plan plan.json --bug ${bug}`, { mode: 'plan', file: 'plan.json', showLog: false, bug }],
    ['--planted', { mode: 'planted' }],
    [`--planted --bug ${bug}`, { mode: 'planted', bug }],
    ['--planted --places', { mode: 'places' }],
    ['--help --seeds 0', { mode: 'help' }],
  ])('%s', (line, wanted) => {
    expect(read(line)).toEqual({ wanted, workers: 2 });
  });

  it('say how many processes, whatever is run', () => {
    expect(read('--planted --workers 3').workers).toBe(3);
  });

  it.each([
    '--seeds 0',
    '--seeds abc',
    '--seeds 1.5',
    '--seeds -1',
    '--seed=-1',
    '--seed 1.5',
    '--minutes x',
    '--minutes 0',
    '--workers 0',
    '--workers x --seeds 5',
    '--seed',
    '--nonsense',
    'seeds',
    `--bug ${bug}`,
    `--seeds 5 --bug ${bug}`,
    '--planted --bug nothing',
    '--planted --seed 3',
    '--seeds 5 --log',
    '--seed 3 --minutes 5',
    '--plan x --seed 3',
  ])('that are nonsense are refused, and nothing is run: %s', (line) => {
    expect(() => read(line)).toThrow(UsageError);
  });
});
