import '../bootstrap/node-version';
import { CommandFactory } from 'nest-commander';
import type { Configuration } from '../../config/configuration';
import { startForCommandLine } from '../bootstrap/start-infrastructure';
import { describeError } from '../common/errors/describe-error';
import { InvalidValueError } from '../common/errors/domain.error';
import { CommitUnknownError } from '../database/commit-unknown.error';
import { clusterHome } from '../database/embedded/cluster';
import { checkUsage, COMMAND_LINE } from './check-usage';
import { CliModule } from './cli.module';
import { soundConfiguration } from './early.doctor';
import { OfflineModule } from './offline.module';
import { endProcess } from './process-output';
import { StderrLogger } from './stderr.logger';
import { UsageError } from './usage.error';

/** Commands that move money have looked by themselves. */
const LOOK_FIRST = ': check whether the command did its work before you repeat it';
const REFUSED = 1;
const WRONG_USAGE = 2;

async function main(): Promise<void> {
  const command = await checkUsage();
  if (command.effect === 'offline') return CommandFactory.run(OfflineModule, commandLine());
  const configuration = await soundConfiguration(command);
  if (configuration === null) return;
  const infrastructure = await startForCommandLine(configuration);
  try {
    if (command.effect === 'changes') nameEmbeddedDatabase(configuration);
    await CommandFactory.run(CliModule.with(infrastructure), commandLine());
  } finally {
    await infrastructure.close();
  }
}

/** A database that `DATABASE_URL` names was chosen; the embedded one is what a command without the service's settings may find. */
function nameEmbeddedDatabase({ database, dataDir }: Configuration): void {
  if (database.url === undefined) process.stderr.write(`Database: embedded PostgreSQL in ${clusterHome(dataDir)}\n`);
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
  () => endProcess(Number(process.exitCode ?? 0)),
  (error: unknown) => {
    const code = exitCodeOf(error);
    // The parser has already printed its errors.
    const said = String((error as { code?: unknown }).code).startsWith('commander.');
    if (!said)
      process.stderr.write(`${describeError(error)}${error instanceof CommitUnknownError ? LOOK_FIRST : ''}\n`);
    return endProcess(code);
  },
);
