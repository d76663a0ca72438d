import type { AuditFilter, AuditLog, AuditView } from '../../audit-log/audit-log';
import { csvHeading, csvLine, csvText } from '../csv/csv';

const HEADING = [
  'id',
  'time',
  'by',
  'service',
  'address',
  'action',
  'subject',
  'outcome',
  'before',
  'after',
  'subject_key',
] as const;
const BATCH = 1_000;

/** What the log shows for this filter, newest first, streamed. Neither `by` nor `service`: the command line. */
export async function* auditCsv(
  log: AuditLog,
  filter: Omit<AuditFilter, 'before' | 'ids' | 'limit'>,
): AsyncGenerator<string> {
  yield csvHeading(HEADING);
  const ids = await log.idsBetween(filter);
  let before: bigint | undefined;
  for (;;) {
    const entries = await log.list({ ...filter, before, ids, limit: BATCH });
    if (entries.length === 0) return;
    yield entries.map(line).join('');
    before = entries.at(-1)!.id;
  }
}

function line(entry: AuditView): string {
  const { id, at, actor, service, address, action, subject, subject_key: key, outcome, before, after } = entry;
  return csvLine([
    id,
    at,
    csvText(actor),
    service,
    csvText(address),
    csvText(action),
    csvText(subject),
    outcome,
    csvText(jsonOf(before)),
    csvText(jsonOf(after)),
    csvText(key),
  ]);
}

function jsonOf(facts: AuditView['before']): string | null {
  return facts && JSON.stringify(facts);
}
