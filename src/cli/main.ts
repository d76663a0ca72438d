import '../bootstrap/node-version';
import { CommandFactory } from 'nest-commander';
import { startForCommandLine } from '../bootstrap/start-infrastructure';
import { describeError } from '../common/errors/describe-error';
import { InvalidValueError } from '../common/errors/domain.error';
import { checkUsage, COMMAND_LINE } from './check-usage';
import { CliModule } from './cli.module';
import { soundConfiguration } from './early.doctor';
import { isOffline, OfflineModule } from './offline.module';
import { StderrLogger } from './stderr.logger';
import { UsageError } from './usage.error';

const REFUSED = 1;
const WRONG_USAGE = 2;

async function main(): Promise<void> {
  await checkUsage();
  const args = process.argv.slice(2);
  if (isOffline(args)) return CommandFactory.run(OfflineModule, commandLine());
  const configuration = await soundConfiguration(args);
  if (configuration === null) return;
  const infrastructure = await startForCommandLine(configuration);
  try {
    await CommandFactory.run(CliModule.with(infrastructure), commandLine());
  } finally {
    await infrastructure.close();
  }
}

function commandLine() {
  return { ...COMMAND_LINE, logger: new StderrLogger() };
}

function exitCodeOf(error: unknown): number {
  const code = (error as { code?: unknown }).code;
  const fromCommander = typeof code === 'string' && code.startsWith('commander.');
  if (!fromCommander) return error instanceof UsageError || error instanceof InvalidValueError ? WRONG_USAGE : REFUSED;
  return (error as { exitCode?: number }).exitCode === 0 ? 0 : WRONG_USAGE;
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    const code = exitCodeOf(error);
    // The parser has already printed its errors.
    const said = String((error as { code?: unknown }).code).startsWith('commander.');
    if (!said) process.stderr.write(`${describeError(error)}\n`);
    process.exit(code);
  },
);
