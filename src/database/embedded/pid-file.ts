import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A server writes its pid file in one go right after it made it: one that stays empty was left by a crash. */
const EMPTY_FOR_MS = 5000;

/** What `postmaster.pid` says of the server on a data directory. */
export interface PidFile {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
  readonly text: string;
}

export function findPidFile(dataDirectory: string): PidFile | null {
  try {
    const text = readFileSync(pathOf(dataDirectory), 'utf8');
    const lines = text.split('\n');
    return { text, pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function isStale({ text, pid }: PidFile, dataDirectory: string): boolean {
  if (text !== '') return !isServer(pid, dataDirectory);
  const madeAt = statSync(pathOf(dataDirectory), { throwIfNoEntry: false })?.mtimeMs;
  return madeAt !== undefined && Date.now() - madeAt > EMPTY_FOR_MS;
}

/** Process ids come round again, soonest in containers: only a process that names the data directory is the server. */
export function isServer(pid: number, dataDirectory: string): boolean {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDirectory);
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Another process may have cleared the file and started a server since we read it: what was taken is looked at, and put back. */
export function removeStale({ text }: PidFile, dataDirectory: string): void {
  const taken = `${pathOf(dataDirectory)}.${randomUUID()}`;
  try {
    renameSync(pathOf(dataDirectory), taken);
    if (readFileSync(taken, 'utf8') !== text) linkSync(taken, pathOf(dataDirectory));
    rmSync(taken);
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function pathOf(dataDirectory: string): string {
  return join(dataDirectory, 'postmaster.pid');
}
