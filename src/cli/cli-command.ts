import type { Type } from '@nestjs/common';
import { CommandRunner, Option } from 'nest-commander';
import type { OutputOptions } from './output';

/** What a command does with the database: it changes something, only reads, or needs no database, setting or node at all. */
export type CommandEffect = 'changes' | 'reads' | 'offline';

/** Known before the command is made, for that needs what it works on. */
export type CommandClass = Type<CliCommand> & { readonly effect: CommandEffect };

/** What every command has: `--json`, and wrong usage as an error that `main.ts` turns into an exit code. */
export abstract class CliCommand extends CommandRunner {
  static readonly effect: CommandEffect = 'changes';

  @Option({ flags: '--json', description: 'print one JSON document' })
  protected readJson(): OutputOptions['json'] {
    return true;
  }

  /** Checks what parsing alone does not, before anything is opened. @throws UsageError */
  check(_params: string[], _options: object): void {}

  // nest-commander makes each command on its own: settings of the root do not reach it.
  override setCommand(command: Parameters<CommandRunner['setCommand']>[0]): this {
    command.exitOverride().allowExcessArguments(false);
    return super.setCommand(command);
  }
}
