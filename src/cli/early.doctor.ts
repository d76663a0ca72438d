import type { Configuration } from '../../config/configuration';
import { readEnvironment } from '../../config/environment';
import { ConfigurationError, loadConfiguration } from '../../config/load-configuration';
import { type DatabaseDiagnosis, diagnoseDatabase } from '../database/diagnose-database';
import { printFindings } from './findings.doctor';

/**
 * The part of `doctor` that runs before the service's own modules: wrong settings build none, and opening the database applies migrations,
 * or fails at the first fault. Null when it has found something and printed it.
 * @throws ConfigurationError for all other commands
 */
export async function soundConfiguration(args: readonly string[]): Promise<Configuration | null> {
  if (args[0] !== 'doctor') return loadConfiguration(readEnvironment());
  const [configuration, ...findings] = await diagnose();
  if (findings.length === 0) return configuration;
  printFindings(findings, { json: args.includes('--json') });
  return null;
}

async function diagnose(): Promise<[Configuration | null, ...DatabaseDiagnosis[]]> {
  try {
    const configuration = loadConfiguration(readEnvironment());
    const { url } = configuration.database;
    return [configuration, ...(url === undefined ? [] : await diagnoseDatabase(url))];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const next_step = 'Set it as the list of settings in README.md says, or leave it out.';
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
