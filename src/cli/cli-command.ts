import { CommandRunner, Option } from 'nest-commander';
import type { OutputOptions } from './output';

/** What every command has: `--json`, and wrong usage as an error that `main.ts` turns into an exit code. */
export abstract class CliCommand extends CommandRunner {
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
