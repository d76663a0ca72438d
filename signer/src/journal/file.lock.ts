import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { reasonOf, StartError } from '../refusal';

export interface FileLock {
  readonly release: () => void;
}

/**
 * Keeps other signers off a file until this process ends, however it ends: an empty SQLite database beside the file, whose lock the
 * operating system holds. Node has no such lock of its own. @throws StartError
 */
export function lockFile(path: string, what: string): FileLock {
  const name = `${path}.lock`;
  try {
    closeSync(openSync(name, 'a', 0o600));
    chmodSync(name, 0o600);
    const database = new DatabaseSync(name, { timeout: 0 });
    database.exec('begin exclusive');
    return { release: () => database.close() };
  } catch (error) {
    const isHeld = /locked/.test(reasonOf(error));
    const why = isHeld ? 'is in use by another signer' : `cannot be locked: ${reasonOf(error)}`;
    throw new StartError([`${what} ${why}`]);
  }
}
