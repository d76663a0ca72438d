import type { EventEmitter } from 'node:events';
import type { Type } from '@nestjs/common';
import { CommandRunner, Option } from 'nest-commander';
import type { OutputOptions } from './output';
import { UsageError } from './usage.error';

/** Options of `receipt:verify` that may be given several times. */
const COLLECTING = new Set(['witnesses']);

/** What a command does with the database: it changes something, only reads, or needs no database, setting or node at all. */
export type CommandEffect = 'changes' | 'reads' | 'offline';

/** Known before the command is made, for that needs what it works on. */
export type CommandClass = Type<CliCommand> & { readonly effect: CommandEffect };

type Command = Parameters<CommandRunner['setCommand']>[0];

/** The parser would take the last of two amounts without a word. Options that collect their values are given as often as need be. */
function refuseRepeats(command: Command): void {
  const given = new Set<string>();
  const emitter = command as unknown as EventEmitter;
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (event: string | symbol, ...values: unknown[]) => {
    const [, name] = /^option:(.+)$/.exec(String(event)) ?? [];
    if (name !== undefined && !COLLECTING.has(name) && given.has(name)) {
      throw new UsageError(`--${name} is given twice`);
    }
    if (name !== undefined) given.add(name);
    return emit(event, ...values);
  };
}

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
  override setCommand(command: Command): this {
    command.exitOverride().allowExcessArguments(false);
    refuseRepeats(command);
    return super.setCommand(command);
  }
}
