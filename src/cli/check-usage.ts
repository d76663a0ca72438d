import { Module } from '@nestjs/common';
import { CommandFactory } from 'nest-commander';
import type { CliCommand, CommandClass } from './cli-command';
import { COMMANDS } from './cli.module';
import { StderrLogger } from './stderr.logger';

/** The same commands without services: they are parsed and checked, and do nothing. */
@Module({
  providers: COMMANDS.map((command) => ({ provide: command, useValue: parsedOnly(command) })),
})
class UsageModule {}

/** The command that was parsed last. */
let parsed: CommandClass;

function parsedOnly(command: CommandClass): CliCommand {
  const instance = Object.create(command.prototype as object) as CliCommand;
  instance.run = async (params, options = {}) => {
    parsed = command;
    instance.check(params, options);
  };
  return instance;
}

/** The command that is asked for. Wrong usage and `--help` end here: neither may open, or even migrate, a database. @throws */
export async function checkUsage(): Promise<CommandClass> {
  await CommandFactory.run(UsageModule, { ...COMMAND_LINE, logger: new StderrLogger() });
  return parsed;
}

/** Without handlers of ours, the library prints what went wrong and carries on to exit code 0. */
function rethrow(error: Error): never {
  throw error;
}

export const COMMAND_LINE = {
  cliName: 'cli',
  abortOnError: false,
  errorHandler: rethrow,
  serviceErrorHandler: rethrow,
} as const;
