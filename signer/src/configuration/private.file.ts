import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { StartError } from '../refusal';

interface Reading {
  /** How a message names the file. */
  readonly what: string;
  readonly mostBytes: number;
  /** Whether other users may not even read it. None may ever write it. */
  readonly secret: boolean;
}

const GROUP = 0o070;
const GROUP_MAY_READ = 0o040;
const OTHERS = 0o007;
const GROUP_OR_OTHERS_MAY_WRITE = 0o022;

/** Reads a whole file, whose mode is that of the very file that is read. @throws StartError */
export function readFile(path: string, { what, mostBytes, secret }: Reading): string {
  // A pipe would keep the start waiting.
  const file = open(path, what);
  try {
    const stats = fstatSync(file);
    checkAccess(stats, what, secret);
    if (stats.size > mostBytes) throw new StartError([`${what} has more than ${mostBytes} bytes`]);
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

function open(path: string, what: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new StartError([`${what} cannot be read: ${(error as NodeJS.ErrnoException).code}`]);
  }
}

/** @throws StartError */
export function checkAccess(stats: Stats, what: string, secret: boolean): void {
  const [me, group] = [process.geteuid!(), process.getegid!()];
  const mode = stats.mode & 0o777;
  const shown = `mode ${mode.toString(8).padStart(4, '0')}`;
  if (!stats.isFile()) throw new StartError([`${what} must be a regular file`]);
  if (stats.uid !== me && stats.uid !== 0) throw new StartError([`${what} belongs to another user`]);
  // A group that belongs to another user than root could have members of its own.
  const isLent = stats.uid === 0 && me !== 0 && stats.gid === group && (mode & GROUP) === GROUP_MAY_READ;
  if (secret && ((mode & OTHERS) !== 0 || ((mode & GROUP) !== 0 && !isLent)))
    throw new StartError([`${what} can be read by others (${shown}): ${remedyFor(stats, me, group)}`]);
  if ((mode & GROUP_OR_OTHERS_MAY_WRITE) !== 0)
    throw new StartError([`${what} can be written by others (${shown}): chmod go-w`]);
}

/** Mode 0600 would take a file of root's from a signer that runs as another user. */
function remedyFor({ uid, gid, mode }: Stats, me: number, group: number): string {
  if (uid === 0 && me !== 0)
    return `a file of root's has to have this signer's group and mode 0640: chgrp ${group}, chmod 640`;
  const isForAnother = me === 0 && gid !== group && (mode & OTHERS) === 0 && (mode & GROUP) === GROUP_MAY_READ;
  return isForAnother ? `run the signer as a user of group ${gid}, who may read it so, or chmod 600` : 'chmod 600';
}
