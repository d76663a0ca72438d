import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CommandLine, type CommandResult } from './command-line';

interface Reply {
  readonly id: number;
  readonly result: CommandResult;
}

/**
 * The same built program with the same arguments and environment, but one process for all commands of a test file: loading the
 * libraries is nearly all that a command costs. What only a process of its own shows is the business of `CommandLine`.
 */
export class SharedCommandLine extends CommandLine {
  private readonly host: ChildProcess = fork(join(__dirname, 'command-host.mjs'), { execArgv: [] });
  private readonly waiting = new Map<number, (result: CommandResult) => void>();
  private commands = 0;

  private constructor(env: Record<string, string>) {
    super(env);
    this.host.on('message', ({ id, result }: Reply) => {
      this.waiting.get(id)!(result);
      this.waiting.delete(id);
    });
  }

  static override on(databaseUrl: string, env: Record<string, string> = {}): SharedCommandLine {
    return new SharedCommandLine(CommandLine.on(databaseUrl, env).env);
  }

  override run(...args: string[]): Promise<CommandResult> {
    return this.runWith(this.env, ...args);
  }

  /** With settings of its own, and none of the others'. */
  runWith(settings: Record<string, string>, ...args: string[]): Promise<CommandResult> {
    const id = ++this.commands;
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, resolve);
      this.host.send({ id, args, env }, (error) => error && reject(error));
    });
  }

  async close(): Promise<void> {
    if (this.host.exitCode !== null) return;
    const ended = once(this.host, 'exit');
    this.host.disconnect();
    await ended;
  }
}
