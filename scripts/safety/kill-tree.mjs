import { execFileSync } from 'node:child_process';

/** Kills the leader of a process group, the group, and all that they have begun: services that tests start lead groups of their own. */
export function killTree(leader) {
  for (const one of [-leader, ...descendantsOf(leader)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** None on a machine without `ps`: the group is killed all the same. */
function descendantsOf(pid) {
  let listed;
  try {
    listed = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  } catch {
    return [];
  }
  const processes = listed
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) for (const [child, its] of processes) if (its === parent) found.push(child);
  return found.slice(1);
}
