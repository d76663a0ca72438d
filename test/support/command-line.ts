import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { type ProgramResult, runProgram } from './program';

const ROOT = join(__dirname, '..', '..');

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line as its users start it, in a process of its own, against a database of the test's. */
export class CommandLine {
  constructor(readonly env: Record<string, string>) {}

  static on(databaseUrl: string, env: Record<string, string> = {}): CommandLine {
    return new CommandLine({ DATABASE_URL: databaseUrl, TRON_FULL_NODE_URLS: 'http://127.0.0.1:1', ...env });
  }

  run(...args: string[]): Promise<CommandResult> {
    const program = [join(ROOT, 'scripts', 'run.mjs'), 'src/cli/main.js', ...args];
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...this.env };
    return new Promise((resolve) => {
      execFile(process.execPath, program, { cwd: ROOT, env }, (error, stdout, stderr) => {
        resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  }

  /** As an operator types it, with pipes and redirections; `CLI` stands for the command line. */
  shell(script: string): Promise<ProgramResult> {
    const cli = `"${process.execPath}" "${join(ROOT, 'scripts', 'run.mjs')}" src/cli/main.js`;
    const line = `set -o pipefail; ${script.replaceAll('CLI', cli)}`;
    return runProgram(['bash', '-c', line], { cwd: ROOT, env: this.env });
  }

  /** What a successful command prints with `--json`. */
  async json<Result = unknown>(...args: string[]): Promise<Result> {
    const { exitCode, stdout, stderr } = await this.run(...args, '--json');
    if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    return JSON.parse(stdout) as Result;
  }
}
