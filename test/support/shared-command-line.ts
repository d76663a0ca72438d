import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CommandLine, type CommandResult } from './command-line';

const ROOT = join(__dirname, '..', '..');

interface Reply {
  readonly id: number;
  readonly result: CommandResult;
}

/**
 * The same built program with the same arguments and environment, but one process for all commands of a test file: loading the
 * libraries is nearly all that a command costs. What only a process of its own shows is the business of `CommandLine`.
 */
export class SharedCommandLine extends CommandLine {
  private readonly host: ChildProcess;
  private readonly waiting = new Map<number, (result: CommandResult) => void>();
  private commands = 0;

  private constructor(env: Record<string, string>, program = ROOT) {
    super(env);
    this.host = fork(join(program, 'test/support/command-host.mjs'), { cwd: program, execArgv: [] });
    this.host.on('message', ({ id, result }: Reply) => {
      this.waiting.get(id)!(result);
      this.waiting.delete(id);
    });
  }

  static override on(databaseUrl: string, env: Record<string, string> = {}): SharedCommandLine {
    return new SharedCommandLine(CommandLine.on(databaseUrl, env).env);
  }

  static with(settings: Record<string, string>): SharedCommandLine {
    return new SharedCommandLine(settings);
  }

  /** In another clone, with what that one is built from and the settings that lie there. */
  static inClone(program: string, env: Record<string, string>): SharedCommandLine {
    return new SharedCommandLine(env, program);
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

  /** The line that follows `npm run --silent cli --` or `energy-cli`, taken apart by a shell. */
  type(line: string): Promise<CommandResult> {
    const words = execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
    return this.run(...words.split('\0').slice(0, -1));
  }

  async close(): Promise<void> {
    if (this.host.exitCode !== null) return;
    const ended = once(this.host, 'exit');
    this.host.disconnect();
    await ended;
  }
}
