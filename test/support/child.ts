import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ChildResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Another program than Node, and another account than ours. */
interface ChildOptions {
  readonly program?: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** A Node program in a process of its own, with only the given environment beside PATH. */
export class Child {
  stdout = '';
  stderr = '';
  readonly process: ChildProcess;
  readonly ended: Promise<ChildResult>;

  constructor(args: string[], env: Record<string, string> = {}, cwd?: string, options: ChildOptions = {}) {
    const { program = process.execPath, ...account } = options;
    this.process = spawn(program, args, {
      ...account,
      cwd,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The leader of a process group, as in a terminal: see `interrupt`.
      detached: true,
    });
    this.process.stdout!.on('data', (data) => (this.stdout += String(data)));
    this.process.stderr!.on('data', (data) => (this.stderr += String(data)));
    this.ended = once(this.process, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** Waits for output; fails with all output when the process ends without it. */
  async waitFor(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match) return match;
      const data = once(this.process.stdout!, 'data').then(() => true);
      const more = await Promise.race([data, this.ended.then(() => false)]);
      if (!more && !pattern.test(this.stdout)) {
        throw new Error(`Ended without ${String(pattern)}:\n${this.stdout}\n${this.stderr}`);
      }
    }
  }

  /** Ctrl-C: the terminal tells the whole group. A process that has ended by itself is left to say why. */
  async interrupt(): Promise<ChildResult> {
    if (this.process.exitCode === null && this.process.signalCode === null) process.kill(-this.process.pid!, 'SIGINT');
    return this.ended;
  }

  async stop(signal: NodeJS.Signals): Promise<ChildResult> {
    this.process.kill(signal);
    return this.ended;
  }
}
