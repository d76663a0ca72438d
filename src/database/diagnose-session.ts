import type { DatabaseDiagnosis } from './database-diagnosis';
import type { SessionClient } from './session-client';

interface Setting {
  readonly name: string;
  readonly value: string;
}

/** Whether connections have what they ask for at their start: PgBouncer ignores some of it, and the role's own defaults count. */
export async function diagnoseSession(client: SessionClient, subject: string): Promise<DatabaseDiagnosis[]> {
  const expected = client.sessionSettings;
  const { rows } = await client.query<Setting>(
    'select name, current_setting(name) as value from unnest($1::text[]) as name',
    [Object.keys(expected)],
  );
  const others = rows.filter(({ name, value }) => value !== expected[name]);
  if (others.length === 0) return [];
  const has = others.map(({ name, value }) => `${name} = ${value}`).join('; ');
  const needs = others.map(({ name }) => `${name} = '${expected[name]}'`).join('; ');
  const reason = `its sessions begin with ${has}, not with what the service asks for`;
  const next_step = `Set for the role of DATABASE_URL (alter role … set …): ${needs} (docs/operations.md, PgBouncer).`;
  return [{ kind: 'session_settings', subject, reason, next_step }];
}
