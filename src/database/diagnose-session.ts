import type { DatabaseDiagnosis, DatabaseSetting } from './database-diagnosis';
import { UNTIMED_TRANSACTIONS } from './later-settings';
import type { SessionClient } from './session-client';

interface Setting {
  readonly name: string;
  readonly value: string;
  readonly unit: string | null;
}

/** Whether connections have what they ask for at their start: PgBouncer ignores some of it, and the role's own defaults count. */
export async function diagnoseSession(
  client: SessionClient,
  subject: string,
  setting: DatabaseSetting,
): Promise<DatabaseDiagnosis[]> {
  const expected: Readonly<Record<string, string>> = {
    ...client.sessionSettings,
    ...client.sessionLimits,
    // A session of migrations sets it for itself; that of an order has no round trip to spare.
    ...(setting === 'DATABASE_URL' && UNTIMED_TRANSACTIONS),
  };
  const { rows } = await client.query<Setting>(
    'select name, setting as value, unit from pg_settings where name = any($1) order by name',
    [Object.keys(expected)],
  );
  const others = rows.filter(({ name, value }) => value !== expected[name]);
  if (others.length === 0) return [];
  const has = others.map(({ name, value, unit }) => `${name} = ${value}${unit ?? ''}`).join('; ');
  const needs = others.map(({ name, unit }) => `${name} = '${expected[name]}${unit ?? ''}'`).join('; ');
  const reason = `its sessions begin with ${has}, not with what the service needs`;
  const next_step = `Set for the role of ${setting} (alter role … set …): ${needs} (docs/operations.md, PgBouncer).`;
  return [{ kind: 'session_settings', subject, reason, next_step }];
}
