import { existsSync } from 'node:fs';
import type { Configuration } from '../../config/configuration';
import { readEnvironment } from '../../config/environment';
import { ConfigurationError, loadConfiguration } from '../../config/load-configuration';
import { SettingsFileError } from '../../config/settings-file';
import { diagnoseDatabase, diagnoseMigrationUrl } from '../database/diagnose-database';
import type { DatabaseDiagnosis } from '../database/database-diagnosis';
import { clusterHome } from '../database/embedded/cluster';
import { NoDatabaseError } from '../database/open-database';
import type { CommandClass } from './cli-command';
import { DoctorCommand } from './doctor.command';
import { printFindings } from './findings.doctor';

/**
 * The part of `doctor` that runs before the service's own modules: wrong settings build none, and opening the database applies migrations,
 * or fails at the first fault. Null when it has found something and printed it.
 * @throws ConfigurationError for all other commands
 */
export async function soundConfiguration(command: CommandClass): Promise<Configuration | null> {
  if (command !== DoctorCommand) return loadConfiguration(readEnvironment());
  const [configuration, ...findings] = await diagnose();
  if (findings.length === 0) return configuration;
  printFindings(findings, { json: process.argv.includes('--json') });
  return null;
}

async function diagnose(): Promise<[Configuration | null, ...DatabaseDiagnosis[]]> {
  try {
    const configuration = loadConfiguration(readEnvironment());
    const { url, migrationUrl } = configuration.database;
    if (url === undefined) return [configuration, ...diagnoseEmbedded(configuration)];
    const found = await diagnoseDatabase(url);
    // Every start and every command opens a connection to it, with nothing to migrate, too.
    const migrations = migrationUrl === undefined ? [] : await diagnoseMigrationUrl(migrationUrl, found);
    return [configuration, ...found, ...migrations];
  } catch (error) {
    if (error instanceof SettingsFileError) return [null, unreadable(error)];
    if (!(error instanceof ConfigurationError)) throw error;
    const next_step = 'Set it as docs/settings.md says, or remove it.';
    return [
      null,
      ...error.problems.map(({ name, problem }) => ({
        kind: 'setting_wrong',
        subject: name,
        reason: problem,
        next_step,
      })),
    ];
  }
}

function unreadable({ path, problem }: SettingsFileError): DatabaseDiagnosis {
  const next_step = 'Write the file as UTF-8 text with one NAME=value on each line.';
  return { kind: 'setting_wrong', subject: path, reason: `cannot be read: ${problem}`, next_step };
}

/** A command makes none. */
function diagnoseEmbedded(configuration: Configuration): DatabaseDiagnosis[] {
  if (existsSync(clusterHome(configuration.dataDir))) return [];
  const { reason, nextStep } = new NoDatabaseError(configuration);
  return [{ kind: 'no_database', subject: 'DATABASE_URL', reason, next_step: nextStep }];
}
