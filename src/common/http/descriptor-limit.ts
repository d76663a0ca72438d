import { readFileSync } from 'node:fs';

const SOFT_LIMIT = /^Max open files +(\d+)/m;

/** How many files and sockets this process may have open; infinity where the system does not say. */
export function descriptorLimit(): number {
  try {
    const [, soft] = SOFT_LIMIT.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
