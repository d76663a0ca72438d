import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { StartError } from '../refusal';

/** Clears the way for a socket: the file of a signer that is gone is removed. @throws StartError when there is anything else */
export async function clearSocketPath(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isSocket()) throw new StartError([`--socket ${path} is there already, and it is not a socket`]);
  if (await isAnswered(path)) throw new StartError([`--socket ${path} is in use by another process`]);
  unlinkSync(path);
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => end(true));
    // A listener whose queue is full answers that it has no time (EAGAIN).
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}
