import { fstatSync, writeSync } from 'node:fs';
import { nextTurn } from '../common/concurrency/next-turn';

const STDOUT = 1;
/** What a shell shows of a program that a closed pipe has ended. */
const ENDED_BY_CLOSED_PIPE = 141;
const NOT_WRITTEN = 1;

let failure: NodeJS.ErrnoException | null = null;
process.stdout.on('error', (error) => (failure ??= error));
// Where no program reads standard error, the exit code still says it.
process.stderr.on('error', () => undefined);
if (isFile(STDOUT)) process.stdout._write = writeWhole;

/** Ends the process once all output is out: a pipe takes 64 KiB at a time, and ending earlier cuts the rest without a word. */
export async function endProcess(code: number): Promise<never> {
  await Promise.all([drained(process.stdout), drained(process.stderr)]);
  process.exit(failure === null ? code : exitCodeOf(failure, code));
}

function exitCodeOf({ code: reason, message }: NodeJS.ErrnoException, code: number): number {
  // A reader that has seen enough, `head` for example.
  if (reason === 'EPIPE') return ENDED_BY_CLOSED_PIPE;
  process.stderr.write(`The output is incomplete: ${reason ?? message}\n`);
  return code === 0 ? NOT_WRITTEN : code;
}

async function drained(stream: NodeJS.WriteStream): Promise<void> {
  // Errors of a write are told in the next turn.
  await nextTurn();
  if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve));
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/** Node writes to a file once: of what a full disk did not take it says nothing. */
function writeWhole(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
  try {
    for (let at = 0; at < chunk.length; at += writeSync(STDOUT, chunk, at));
    done();
  } catch (error) {
    done(error as Error);
  }
}
