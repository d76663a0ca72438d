import type { EventEmitter } from 'node:events';
import type { Type } from '@nestjs/common';
import { Command as Describe, CommandRunner, Option } from 'nest-commander';
import type { OutputOptions } from './output';
import { UsageError } from './usage.error';

/** Options of `receipt:verify` that may be given several times. */
const COLLECTING = new Set(['witnesses']);

/** What a command does with the database: it changes something, only reads, or needs no database, setting or node at all. */
export type CommandEffect = 'changes' | 'reads' | 'offline';

/** Known before the command is made, for that needs what it works on. */
export type CommandClass = Type<CliCommand> & { readonly effect: CommandEffect };

export interface CommandOption {
  readonly flags: string;
  readonly description?: string;
  readonly required?: boolean;
  /** Makes its value of the text; without it the option is a switch, and true. @throws UsageError */
  readonly read?: (text: string, before: never) => unknown;
}

interface Description {
  readonly name: string;
  readonly description: string;
  /** `read` refuses a wrong one before anything is opened. */
  readonly argument?: { readonly name: string; readonly read?: (text: string) => unknown };
  readonly options?: readonly CommandOption[];
}

/** In the order in which the help lists them: as `cli.module.ts` imports them. */
export const COMMANDS: CommandClass[] = [];
const ARGUMENT_READERS = new Map<unknown, (text: string) => unknown>();

/** Describes a command and puts it on the list. */
export function Command({ argument, options = [], ...about }: Description) {
  return (command: CommandClass): void => {
    COMMANDS.push(command);
    Describe({ ...about, arguments: argument?.name })(command);
    if (argument?.read) ARGUMENT_READERS.set(command, argument.read);
    for (const { read, ...option } of options) {
      // nest-commander finds options as methods of the class.
      const method = { value: (text: string, before: never) => (read ? read(text, before) : true) };
      Object.defineProperty(command.prototype, option.flags, method);
      Option(option)(command.prototype as object, option.flags, method);
    }
  };
}

type Parser = Parameters<CommandRunner['setCommand']>[0];

/** The parser would take the last of two amounts without a word. Options that collect their values are given as often as need be. */
function refuseRepeats(command: Parser): void {
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
  check([argument]: string[], _options: object): void {
    ARGUMENT_READERS.get(this.constructor)?.(argument!);
  }

  // nest-commander makes each command on its own: settings of the root do not reach it.
  override setCommand(command: Parser): this {
    command.exitOverride().allowExcessArguments(false);
    refuseRepeats(command);
    return super.setCommand(command);
  }
}
