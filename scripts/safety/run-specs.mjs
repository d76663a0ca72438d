import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.mjs';

const JEST = ['--experimental-vm-modules', '--no-warnings', join('node_modules', 'jest', 'bin', 'jest.js')];

/** The tests of one bar; what they recorded (test/support/bar.ts), and how many passed. */
export async function runSpecs(root, place, { bar, specs, workers = 1, share, limitMs }) {
  const results = join(place, `bar-${bar}.jsonl`);
  const outcome = join(place, `bar-${bar}.json`);
  for (const file of [results, outcome]) rmSync(file, { force: true });
  const args = [...JEST, `--maxWorkers=${workers}`, '--json', `--outputFile=${outcome}`, '--runTestsByPath', ...specs];
  const env = { SAFETY_SHARE: String(share), SAFETY_RESULTS: results };
  const { code, timedOut, said } = await runProgram(root, args, { env, limitMs, stdout: 'ignore' });
  writeFileSync(join(place, `bar-${bar}.log`), said);
  const tests = existsSync(outcome)
    ? JSON.parse(readFileSync(outcome, 'utf8'))
    : { numPassedTests: 0, numTotalTests: 0 };
  const lines = existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n').filter(Boolean) : [];
  return {
    held: code === 0,
    timedOut,
    tests: { passed: tests.numPassedTests, all: tests.numTotalTests },
    lines: lines.map((line) => JSON.parse(line)),
    log: `.safety/bar-${bar}.log`,
  };
}
