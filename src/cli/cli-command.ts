import { CommandRunner, Option } from 'nest-commander';
import type { OutputOptions } from './output';

/** What every command has: `--json`, and wrong usage as an error that `main.ts` turns into its exit code. */
export abstract class CliCommand extends CommandRunner {
  @Option({ flags: '--json', description: 'print one JSON document' })
  protected readJson(): OutputOptions['json'] {
    return true;
  }

  /** What parsing alone does not find; before anything is opened. @throws UsageError */
  check(_params: string[], _options: object): void {}

  // nest-commander makes each command on its own, so that none of this comes down from the root.
  override setCommand(command: Parameters<CommandRunner['setCommand']>[0]): this {
    command.exitOverride().allowExcessArguments(false);
    return super.setCommand(command);
  }
}
