import type { Client } from 'pg';
import { describeError } from '../common/errors/describe-error';
import { CONNECTION_LIMITS } from './connection-limits';
import type { DatabaseDiagnosis, DatabaseSetting } from './database-diagnosis';
import { connectToWritable } from './database-hosts';
import { describeDatabase } from '../../config/database-urls';
import { diagnoseSession } from './diagnose-session';
import {
  findEarlierSchema,
  findOtherEncoding,
  findPendingMigrations,
  NEW_DATABASE,
  UTF8_DATABASE,
} from './migrate-database';
import type { SessionClient } from './session-client';

const OLDEST_POSTGRES = 15;
/** Leases go by the database's clock and log lines by ours: further apart, and an operator cannot read one beside the other. */
const CLOCKS_APART_MS = 5_000;

const OF_EACH_URL: readonly string[] = ['database_unreachable', 'session_settings'];

/** Reads only: finds what other commands would refuse to work with, or would change silently. */
export async function diagnoseDatabase(
  url: string,
  now = Date.now,
  setting: DatabaseSetting = 'DATABASE_URL',
): Promise<DatabaseDiagnosis[]> {
  const subject =
    setting === 'DATABASE_MIGRATION_URL' ? `${setting} (${describeDatabase(url)})` : describeDatabase(url);
  let client: SessionClient | undefined;
  try {
    client = await connectToWritable(url, { ...CONNECTION_LIMITS, application_name: 'doctor' });
    return [...(await inspect(client, subject, now)), ...(await diagnoseSession(client, subject, setting))];
  } catch (error) {
    const next_step = `Check ${setting}, the role and its password, and that the server runs.`;
    return [{ kind: 'database_unreachable', subject, reason: describeError(error), next_step }];
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/** Leaves out what a look at the URL of the service has found of the same database. */
export async function diagnoseMigrationUrl(
  url: string,
  found: readonly DatabaseDiagnosis[],
): Promise<DatabaseDiagnosis[]> {
  const known = new Set(found.map(({ kind }) => kind));
  const diagnoses = await diagnoseDatabase(url, Date.now, 'DATABASE_MIGRATION_URL');
  return diagnoses.filter(({ kind }) => OF_EACH_URL.includes(kind) || !known.has(kind));
}

async function inspect(client: Client, subject: string, now: () => number): Promise<DatabaseDiagnosis[]> {
  // The time as a number: as a text it has the form that the session has, which is judged by itself.
  const { rows } = await client.query<{ number: string; text: string; atMs: number }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text,
            extract(epoch from clock_timestamp())::float8 * 1000 as "atMs"`,
  );
  const { number, text, atMs } = rows[0]!;
  if (Number(number) < OLDEST_POSTGRES * 10_000) {
    const next_step = `Move to PostgreSQL ${OLDEST_POSTGRES} or newer.`;
    return [{ kind: 'database_too_old', subject, reason: `it is PostgreSQL ${text}`, next_step }];
  }
  const encoding = await findOtherEncoding(client);
  if (encoding !== null) {
    const reason = `it keeps texts as ${encoding}`;
    return [{ kind: 'database_encoding', subject, reason, next_step: UTF8_DATABASE }];
  }
  const found: DatabaseDiagnosis[] = [];
  const apartMs = Math.abs(now() - atMs);
  if (apartMs > CLOCKS_APART_MS) {
    const reason = `its clock is ${Math.round(apartMs / 1000)} s from this machine's`;
    found.push({ kind: 'clock_off', subject, reason, next_step: 'Compare both machines with a time server.' });
  }
  const earlier = await findEarlierSchema(client);
  if (earlier !== null)
    return [...found, { kind: 'database_of_other_version', subject, reason: earlier, next_step: NEW_DATABASE }];
  const pending = await findPendingMigrations(client);
  if (pending.length > 0) {
    const next_step = 'Start an instance, which applies them. It needs DATABASE_MIGRATION_URL if its own role may not.';
    found.push({ kind: 'migrations_pending', subject, reason: `not applied: ${pending.join(', ')}`, next_step });
  }
  return found;
}
