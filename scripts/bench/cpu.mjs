import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Linux counts a process's time in hundredths of a second, whatever its clock does. */
const MS_PER_TICK = 10;

/** What `work` cost each of the named processes, in milliseconds of processor time for one answered request. */
export async function cpuPerRequest(processes, work) {
  const before = readAll(processes);
  const result = await work();
  const after = readAll(processes);
  const each = Object.keys(processes).map((name) => [name, (after[name] - before[name]) / result.all]);
  return { ...result, cpuMs: Object.fromEntries(each) };
}

export function postmasterOf({ dataDirectory }) {
  return Number(readFileSync(join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function readAll(processes) {
  return Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, cpuMs(pid, name === 'postgres')]));
}

/** User and system time of a process; of the postmaster with its children, for they are the server. */
function cpuMs(pid, withChildren) {
  if (!withChildren) return ownTicks(statOf(pid)) * MS_PER_TICK;
  let total = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const fields = statOf(entry);
    if (!fields) continue;
    // Connections that ended are counted by their parent.
    if (Number(entry) === pid) total += ownTicks(fields) + Number(fields[13]) + Number(fields[14]);
    else if (Number(fields[1]) === pid) total += ownTicks(fields);
  }
  return total * MS_PER_TICK;
}

function ownTicks(fields) {
  return Number(fields[11]) + Number(fields[12]);
}

/** The fields of /proc/PID/stat from the third on: the second may hold spaces. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  } catch {
    return null;
  }
}
