import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { DomainError } from '../../../common/errors/domain.error';

const MOST_BYTES = 2_000;
const GROUP_OR_OTHERS = 0o077;

/** The text of a file that its owner alone can read. @throws DomainError, which shows nothing of it */
export function readSecretFile(path: string): string {
  const file = opened(path);
  try {
    // The mode is that of the very file that is read.
    const stats = fstatSync(file);
    const mode = stats.mode & 0o777;
    if (!stats.isFile()) throw unfit('it is not a regular file');
    if (stats.uid !== process.geteuid!() && stats.uid !== 0) throw unfit('it belongs to another user');
    if ((mode & GROUP_OR_OTHERS) !== 0)
      throw unfit(`others can read or write it (mode ${mode.toString(8).padStart(4, '0')}): chmod 600`);
    if (stats.size > MOST_BYTES) throw unfit(`it has more than ${MOST_BYTES} bytes`);
    const bytes = Buffer.alloc(MOST_BYTES);
    const text = bytes.toString('utf8', 0, readSync(file, bytes));
    bytes.fill(0);
    return text;
  } finally {
    closeSync(file);
  }
}

/** A pipe would keep the command waiting. */
function opened(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw unfit(`it cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

const unfit = (reason: string) => new DomainError('sweep.key-file-unfit', { reason });
