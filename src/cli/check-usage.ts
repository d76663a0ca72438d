import { Module, type Type } from '@nestjs/common';
import { CommandFactory } from 'nest-commander';
import type { CliCommand } from './cli-command';
import { COMMANDS } from './cli.module';
import { StderrLogger } from './stderr.logger';

/** The same commands without services: they are parsed and checked, and do nothing. */
@Module({
  providers: COMMANDS.map((command) => ({ provide: command, useValue: parsedOnly(command) })),
})
class UsageModule {}

function parsedOnly(command: Type<CliCommand>): CliCommand {
  const instance = Object.create(command.prototype as object) as CliCommand;
  instance.run = async (params, options = {}) => instance.check(params, options);
  return instance;
}

/** Wrong usage and `--help` end here: neither may open, or even migrate, a database. @throws */
export async function checkUsage(): Promise<void> {
  await CommandFactory.run(UsageModule, { ...COMMAND_LINE, logger: new StderrLogger() });
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
