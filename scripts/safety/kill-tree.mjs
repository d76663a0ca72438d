import { readdirSync, readFileSync } from 'node:fs';

/** The leader of a process group and all that it and its have begun: services that tests start lead groups of their own. */
export function treeOf(leader) {
  const parents = processes();
  const found = [leader];
  for (const parent of found) for (const [child, its] of parents) if (its === parent) found.push(child);
  return found;
}

export function signalAll(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Each with its parent; none on a system without /proc. */
function processes() {
  let names;
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return names.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // Behind the name, which may hold anything: state, parent.
      return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
    } catch {
      return [];
    }
  });
}
