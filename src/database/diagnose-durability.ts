import type { Client } from 'pg';
import type { DatabaseDiagnosis } from './database-diagnosis';

interface Settings {
  readonly fsync: string;
  readonly synchronous_commit: string;
  readonly standbys: string;
  readonly replicas: number;
}

/** `on` and above wait for this server's disk, and for the standby's where one is named. `local` waits for no standby. */
const NOT_ON_THIS_DISK: readonly string[] = ['off'];
const NOT_ON_THE_STANDBY: readonly string[] = ['off', 'local'];

/**
 * An answer is committed before it is given. That is worth what a commit is worth: one that a crash can take back, or that a standby does
 * not have when it takes over, was an answer about money that the database has lost.
 */
export async function diagnoseDurability(
  client: Pick<Client, 'query'>,
  subject: string,
  hosts: number,
): Promise<DatabaseDiagnosis[]> {
  const { rows } = await client.query<Settings>(
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
            current_setting('synchronous_standby_names') as standbys,
            (select count(*)::integer from pg_stat_replication where application_name <> 'pg_basebackup') as replicas`,
  );
  const { fsync, synchronous_commit: commit, standbys, replicas } = rows[0]!;
  const found: Omit<DatabaseDiagnosis, 'kind' | 'subject'>[] = [];
  if (fsync === 'off') {
    found.push({ reason: 'fsync is off: a crash of the machine loses answers', next_step: 'Set fsync = on.' });
  }
  if (NOT_ON_THIS_DISK.includes(commit)) {
    const reason = `synchronous_commit is ${commit}: a crash loses answers of the last moments`;
    found.push({ reason, next_step: 'Set synchronous_commit = on, for the role of DATABASE_URL too.' });
  }
  if (replicas === 0 && hosts === 1) return found.map(named(subject));
  if (standbys.trim() === '') {
    const reason = 'commits wait for no standby: one that takes over lacks answers of the last moments';
    found.push({
      reason,
      next_step: 'Name the standbys in synchronous_standby_names (docs/operations.md, Fail-over).',
    });
  } else if (commit !== 'off' && NOT_ON_THE_STANDBY.includes(commit)) {
    const reason = `synchronous_commit is ${commit}: commits wait for no standby, although one is named`;
    found.push({ reason, next_step: 'Set synchronous_commit = on, for the role of DATABASE_URL too.' });
  }
  return found.map(named(subject));
}

function named(subject: string) {
  return (found: Omit<DatabaseDiagnosis, 'kind' | 'subject'>): DatabaseDiagnosis => ({
    kind: 'commits_not_synchronous',
    subject,
    ...found,
  });
}
