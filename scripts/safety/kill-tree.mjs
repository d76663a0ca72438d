import { execFileSync } from 'node:child_process';

/** Kills a process and all that it has begun: a service that a test has started leads a group of its own, and would outlive it. */
export function killTree(pid) {
  for (const one of [...descendantsOf(pid), pid]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

function descendantsOf(pid) {
  const listed = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = listed
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) for (const [child, its] of processes) if (its === parent) found.push(child);
  return found.slice(1);
}
