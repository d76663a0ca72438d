import { fstatSync, fsyncSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/** In place of a file's name. Paths are whole here, so that none looks like it. */
export const STANDARD_STREAM = '-';

const STDOUT = 1;

/** A command runs as the service's user, or in a container that keeps no file: it has no right to the folder of the operator's shell. */
const NO_RIGHT: ReadonlySet<unknown> = new Set(['EACCES', 'EROFS']);

/** Reads a file, or standard input, to its end. */
export function readWhole(file: string): Promise<Buffer> {
  return file === STANDARD_STREAM ? buffer(process.stdin) : readFile(file);
}

/** It is over once the whole text has been taken, by a reader or a disk. @throws NodeJS.ErrnoException */
export async function writeToStdout(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
  if (fstatSync(STDOUT).isFile()) fsyncSync(STDOUT);
}

/** For the summary of a command: what goes to standard output is the file alone. */
export function streamBeside(file: string): NodeJS.WriteStream {
  return file === STANDARD_STREAM ? process.stderr : process.stdout;
}

/** Which file was not read or written, and why, with the way that is left. */
export function describeFailure(file: string, stream: 'input' | 'output', error: unknown) {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const way = stream === 'input' ? 'comes from standard input' : 'goes to standard output';
  return {
    file: file === STANDARD_STREAM ? `standard ${stream}` : file,
    reason: NO_RIGHT.has(code) ? `${code} (with - in place of its name, it ${way})` : code,
  };
}
