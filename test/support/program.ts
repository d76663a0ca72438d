import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { tmpdir } from 'node:os';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
}

/** Runs a program to its end beside this process, which may serve what it calls. Of the environment it gets no more than it needs. */
export async function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  { env = {}, cwd, input = '' }: RunOptions = {},
): Promise<ProgramResult> {
  const { PATH = '', HOME = tmpdir() } = process.env;
  const child = spawn(program, args, { cwd, env: { PATH, HOME, ...env }, stdio: 'pipe' });
  const stdout = text(child.stdout);
  const stderr = text(child.stderr);
  // A program that refuses before it has read all of its input closes the pipe.
  child.stdin.on('error', () => undefined).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: await stdout, stderr: await stderr };
}
